import { afterEach, describe, expect, it, vi } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { endingCertificates } from '../../../src/live/identities/ending-certificates.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { SHARING } from '../../plan/edits.ts';
import { type Handshakes, handshakesOf } from '../../support/handshakes.ts';
import { keysOf } from '../../support/keys-of.ts';

const PATH = 'topologies/topology.yaml';

function filesOf(topology: string, given: Handshakes): Readonly<Record<string, string>> {
  const { authentication, identities = '' } = handshakesOf(topology, given);
  const keys = keysOf({ path: PATH, text: topology })?.text ?? '';
  return {
    [PATH]: topology,
    'topologies/topology.keys.yaml': keys + authentication,
    'topologies/topology.identities.yaml': identities,
  };
}

/** Code, message, and the text that is pointed at, on a day of 2026 at noon. */
function found(day: string, ends: Readonly<Record<string, string>>, topology = SHARING) {
  const [text = '', keys = '', identities = ''] = Object.values(filesOf(topology, { ends }));
  const compiled = compile(
    {
      topology: { path: PATH, text },
      keys: { path: 'topology.keys.yaml', text: keys },
      identities: { path: 'topology.identities.yaml', text: identities },
      lock: undefined,
    },
    { relock: [], only: [] },
  );
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  const { model, inputs } = compiled.value;
  const nowSeconds = Date.parse(`${day}T12:00:00Z`) / 1000;
  return endingCertificates({ identities: inputs.identities, shares: model.shares, nowSeconds }).map((it) => [
    it.code,
    it.severity,
    it.message,
    it.span.source.text.slice(it.span.start, it.span.end),
  ]);
}

const MILAN = { 'rome/milan': '20270101000000Z' };
const BOTH = { ...MILAN, 'rome/turin': '20261215000000Z' };

describe('a recorded certificate', () => {
  it('is reported from a month before its end', () => {
    expect(found('2026-12-01', MILAN)).toEqual([]);
    const soon =
      '1 certificate of consumers ends soon, and with it their virtual nodes stop: "rome" from milan on 2027-01-01';
    expect(found('2026-12-03', MILAN)).toEqual([['identities/ends-soon', 'warning', soon, '"milan"']]);
    expect(found('2026-12-31', MILAN)).toEqual([['identities/ends-soon', 'warning', soon, '"milan"']]);
  });

  it('that has ended is a warning of its own, and no error', () => {
    expect(found('2027-01-01', MILAN)).toEqual([
      [
        'identities/ended',
        'warning',
        '1 certificate of consumers has ended, and their virtual nodes have stopped: "rome" from milan on 2027-01-01',
        '"milan"',
      ],
    ]);
  });

  it('shares one message with others, the soonest first', () => {
    expect(found('2026-12-10', BOTH)).toEqual([
      [
        'identities/ends-soon',
        'warning',
        '2 certificates of consumers end soon, and with them their virtual nodes stop: "rome" from turin on 2026-12-15, "rome" from milan on 2027-01-01',
        '"turin"',
      ],
    ]);
    expect(found('2026-12-20', BOTH).map(([code]) => code)).toEqual(['identities/ended', 'identities/ends-soon']);
  });

  it('with a short life is reported in the last third of it', () => {
    const week = { 'rome/milan': '20260107000000Z' };
    expect(found('2026-01-04', week)).toEqual([]);
    expect(found('2026-01-05', week).map(([code]) => code)).toEqual(['identities/ends-soon']);
  });

  it('is renewed where both clusters do that, so that only git has an old one', () => {
    const newer = SHARING.replace('"1.1"', '"1.2"');
    expect(found('2026-12-20', MILAN, newer)).toEqual([]);
    expect(found('2027-02-01', MILAN, newer)).toEqual([
      [
        'identities/ended-in-git',
        'note',
        '1 certificate of consumers has ended in git; Liqo has renewed the live one: "rome" from milan on 2027-01-01',
        '"milan"',
      ],
    ]);
    const mixed = newer.replace('milan: { podCIDR', 'milan: { liqo: { version: "1.1" }, podCIDR');
    expect(found('2027-02-01', MILAN, mixed).map(([code]) => code)).toEqual(['identities/ended']);
  });

  it('does not count where the provider has taken everything back', () => {
    const drained = SHARING.replace('provider: milan, ', 'provider: milan, condition: Drained, ');
    expect(found('2027-02-01', MILAN, drained)).toEqual([]);
  });
});

describe('a command that looks at the time', () => {
  afterEach(() => void vi.useRealTimers());

  it.each(['validate', 'plan'])('reports it and says yes: %s', async (command) => {
    const it = workspace(filesOf(SHARING, { ends: MILAN }));
    vi.useFakeTimers({ now: Date.parse('2026-06-01T00:00:00Z'), toFake: ['Date'] });
    expect((await it.weft('compile')).code).toBe(0);
    expect((await it.weft(command)).stderr).not.toContain('identities/');
    vi.setSystemTime(Date.parse('2026-12-20T00:00:00Z'));
    const soon = await it.weft(command);
    expect([soon.code, soon.stderr]).toEqual([
      0,
      expect.stringMatching(/warning identities\/ends-soon: 1 certificate/),
    ]);
    expect(soon.stderr).toContain('run "weft identities collect"');
    const json = JSON.parse((await it.weft(command, '-o', 'json')).stdout);
    expect([json.ok, json.diagnostics.map((found: { code: string }) => found.code)]).toEqual([
      true,
      expect.arrayContaining(['identities/ends-soon']),
    ]);
  });

  it('is not compile, whose result depends on the files alone', async () => {
    const it = workspace(filesOf(SHARING, { ends: MILAN }));
    vi.useFakeTimers({ now: Date.parse('2028-01-01T00:00:00Z'), toFake: ['Date'] });
    const compile = await it.weft('compile');
    expect([compile.code, compile.stderr]).toEqual([0, expect.not.stringContaining('identities/')]);
    expect((await it.weft('compile', '--check')).code).toBe(0);
  });
});
