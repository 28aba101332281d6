import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as library from '../../../src/host/library/library.ts';
import type * as api from '../../../src/host/library/liqo-weft.d.ts';
import { law } from '../../laws/law.ts';
import { EDITS, FLEET } from '../../plan/edits.ts';
import { drawn, RUNS_ALL } from '../../support/drawn.ts';
import { goldenNames, goldenSources } from '../../support/golden.ts';
import { HOSTILE } from '../../support/hostile-text.ts';
import { faultsOf } from '../../support/json-documents.ts';
import { keysOf } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';

/** Every function of the types has its value, and nothing else is exported. */
const all: typeof api = library;

const { compile, trace, traceAll, view, whois, ports, plan, whatIf, verify, graph } = all;

const PATH = 'topologies/topology.yaml';

function filesOf(golden: string) {
  const { topology, included, keys, identities, lock } = goldenSources(golden);
  const files = {
    [PATH]: topology.text,
    ...Object.fromEntries(included.map((it) => [`topologies/${it.path}`, it.text])),
    ...(keys && { 'topologies/topology.keys.yaml': keys.text }),
    ...(identities && { 'topologies/topology.identities.yaml': identities.text }),
    ...(lock && { 'topologies/topology.lock.yaml': lock.text }),
  };
  const at = (name: string, text: string | undefined) =>
    text === undefined ? undefined : { path: `topologies/${name}`, text };
  const sources: api.Sources = {
    topology: { path: PATH, text: topology.text },
    included: Object.fromEntries(included.map((it) => [it.path, it.text])),
    keys: at('topology.keys.yaml', keys?.text),
    identities: at('topology.identities.yaml', identities?.text),
    lock: at('topology.lock.yaml', lock?.text),
  };
  return { files, sources };
}

function fleetOf(sources: api.Sources): api.Fleet {
  const compiled = compile(sources);
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('; '));
  return compiled.fleet;
}

const FLEET_OF_LAWS = fleetOf({ topology: TOPOLOGY });

const ALWAYS = ['sharing-of-a-hub-with-its-spokes', 'included-files-are-one-fleet', 'several-pod-cidrs'];

/** One after the other goes through the same functions: a push takes these, and some that are refused. */
const COMPARED = goldenNames().filter((it) => RUNS_ALL || ALWAYS.includes(it) || it.startsWith('invalid-'));

describe.each(drawn(COMPARED, (it) => ALWAYS.includes(it)))('golden %s', (golden) => {
  it('has the documents of the command line', async () => {
    const { files, sources } = filesOf(golden);
    const { weft, read } = workspace(files);
    const printed = async (...argv: readonly string[]) => JSON.parse((await weft(...argv, '-o', 'json')).stdout);
    const { fleet: first, ...document } = compile(sources);
    expect(document).toEqual(await printed('validate'));
    if (first === null) return;
    await weft('compile', '--allow-destroy');
    for (const [path, text] of first.files) expect(text, path).toBe(read(`out/${path}`));
    expect(first.lock).toBe(read('topologies/topology.lock.yaml'));
    const lock = { path: 'topologies/topology.lock.yaml', text: first.lock };
    const fleet = fleetOf({ ...sources, lock });

    const answers = ({ diagnostics: _, summary: __, ...answer }: { diagnostics: unknown; summary: unknown }) => answer;
    const [one = '', other = one] = fleet.clusters;
    const asked: readonly (readonly [{ diagnostics: unknown; summary: unknown }, ...string[]])[] = [
      [traceAll(fleet), 'trace', '--all'],
      [view(fleet, one), 'view', one],
      [whois(fleet, '10.81.0.9'), 'whois', '10.81.0.9'],
      [whois(fleet, '203.0.113.10', one), 'whois', '203.0.113.10', '--in', one],
      [ports(fleet), 'ports'],
      [whatIf(fleet), 'whatif'],
      [whatIf(fleet, one), 'whatif', '--without', one],
      [ports(fleet, one), 'ports', one],
      [trace(fleet, { from: one, to: `${other}:443` }), 'trace', one, `${other}:443`],
      [trace(fleet, { from: one, to: '10.81.0.9', fromNode: true }), 'trace', one, '10.81.0.9', '--from-node'],
      ...(one === other ? [] : ([[view(fleet, one, other), 'view', one, other]] as const)),
    ];
    for (const [answer, ...argv] of asked)
      expect(answers(answer), argv.join(' ')).toEqual(answers(await printed(...argv)));
    expect(verify(fleet, { files: fleet.files, lock })).toEqual(await printed('verify'));
    for (const format of ['mermaid', 'dot', 'svg'] as const)
      expect(await graph(fleet, format)).toBe((await weft('graph', '-o', format)).stdout);
  });
});

const EDITED = EDITS.filter(({ topology, lock, relock, earlier }) => topology && !lock && !relock && !earlier);

describe.each(drawn(EDITED, (it) => it.name === 'add-a-leaf-with-keys'))(
  'the edit $name',
  ({ name, fleet = FLEET, topology = [] }) => {
    it('has the plan of the command line', async () => {
      const edited = topology.reduce((text, [from, to]) => text.replace(from, () => to), fleet);
      const sourcesOf = (text: string, lock?: string): api.Sources => ({
        topology: { path: PATH, text },
        keys: keysOf({ path: PATH, text })?.text,
        lock: lock === undefined ? undefined : { path: 'topologies/topology.lock.yaml', text: lock },
      });
      const was = sourcesOf(fleet);
      const before = fleetOf(was);
      const next = sourcesOf(edited, before.lock);
      const after = compile(next);
      const beside = ({ keys }: api.Sources) => String(keys ?? 'version: 1\nkeys: {}\n');
      const { weft } = workspace({
        'base/topologies/topology.yaml': fleet,
        'base/topologies/topology.keys.yaml': beside(was),
        'base/topologies/topology.lock.yaml': before.lock,
        ...Object.fromEntries([...before.files].map(([path, text]) => [`base/out/${path}`, text])),
        [PATH]: edited,
        'topologies/topology.keys.yaml': beside(next),
        'topologies/topology.lock.yaml': before.lock,
      });
      const planned = ['plan', '--base-dir', 'base', '-o', 'json'];
      const printed = JSON.parse((await weft(...planned, '--allow-destroy')).stdout);
      // The command refuses bundles of a fleet with another name.
      if (name === 'rename-the-fleet') expect(printed.failure.message).toContain('continent');
      else if (after.fleet !== null) expect(plan(before, after.fleet).plan).toEqual(printed.plan);
      else expect(JSON.parse((await weft(...planned)).stdout).ok).toBe(false);
    });
  },
);

describe('a plan', () => {
  it('from nothing adds everything, and to the same fleet changes nothing', () => {
    const fleet = fleetOf({ topology: TOPOLOGY });
    const again = fleetOf({ topology: TOPOLOGY, lock: fleet.lock });
    expect(plan(null, fleet).plan?.size).toEqual({
      before: { clusters: 0, links: 0 },
      after: { clusters: 3, links: 3 },
    });
    expect(plan(fleet, again).plan?.empty).toBe(true);
  });
});

describe('files', () => {
  const fleet = fleetOf({ topology: TOPOLOGY });

  it('that were edited break promises', () => {
    const files = new Map(fleet.files);
    const path = 'rome/nftables/milan.nft';
    files.set(path, `${files.get(path)}#\n`);
    const { ok, diagnostics } = verify(fleet, { files });
    expect([ok, diagnostics[0]?.file]).toEqual([false, `out/${path}`]);
    expect(verify(fleet, { files: fleet.files, lock: 'version: 1\ndecisions: {}\n' }).ok).toBe(false);
  });

  it('that a topology includes are found by their paths, in order', () => {
    const [, head = '', clusters = ''] = /^(.*)clusters:\n(.*)shortcuts/s.exec(TOPOLOGY) ?? [];
    const topology = `${head}include: [regions/]\nclusters: {}\nshortcuts: [[rome, milan]]\n`;
    const included = {
      'regions/all.yaml': `version: 1\nclusters:\n${clusters}`,
      'regions/deep/other.yaml': 'no',
      'regions/a.txt': 'no',
    };
    expect(fleetOf({ topology, included }).clusters).toEqual(fleet.clusters);
    const { ok, diagnostics } = compile({ topology });
    expect([ok, diagnostics.map((it) => it.code)]).toEqual([false, ['topology/cannot-include']]);
  });
});

describe('a question without an answer', () => {
  const fleet = fleetOf({ topology: TOPOLOGY });
  it.each([
    ['an unknown sender', trace(fleet, { from: 'rom', to: 'milan' }), 'did you mean "rome"?'],
    ['an unknown receiver', trace(fleet, { from: 'rome', to: 'x' }), 'choose one of europe, milan, rome'],
    ['an unknown way', trace(fleet, { from: 'rome', to: 'milan', through: 'y' }), 'choose one of europe, milan, rome'],
    ['a sender without a cluster', trace(fleet, { from: '10.0.0.1', to: 'milan' }), 'write cluster/address'],
    ['a way through an end', trace(fleet, { from: 'rome', to: 'milan', through: 'rome' }), null],
    ['no end', trace(fleet, { from: 'rome', to: 'a/b/c' }), expect.stringContaining('write a cluster')],
    ['an unknown cluster', view(fleet, 'x'), 'choose one of europe, milan, rome'],
    ['a cluster and itself', view(fleet, 'rome', 'rome'), null],
    ['no address', whois(fleet, '10.0.0'), null],
    ['an address of an unknown cluster', whois(fleet, '10.0.0.1', 'x'), 'choose one of europe, milan, rome'],
    ['a part that the fleet does not have', whatIf(fleet, 'rome', 'x'), expect.any(String)],
    ['ports of an unknown cluster', ports(fleet, 'x'), 'choose one of europe, milan, rome'],
  ])('%s', (_, document, hint) => {
    expect(document).toMatchObject({ ok: false, diagnostics: [], failure: { hint } });
    expect(faultsOf('output/validate.schema.json', document)).toEqual([]);
  });

  it('is not one of something else than a fleet, which is a mistake of the program', () => {
    expect(() => traceAll({ ...fleet })).toThrow('this is no fleet');
  });
});

/** A text with something else in one place. */
const damaged = fc
  .tuple(fc.nat(), fc.nat(20), fc.oneof(fc.constantFrom(...Object.values(HOSTILE)), fc.string({ maxLength: 20 })))
  .map(([at, length, text]) => {
    const start = at % TOPOLOGY.length;
    return TOPOLOGY.slice(0, start) + text + TOPOLOGY.slice(start + length);
  });

law(
  'whatever a file contains, there is a document',
  600,
  fc.property(damaged, fc.constantFrom('topology', 'keys', 'identities', 'lock'), (text, file) => {
    const { fleet, ...document } = compile({ topology: TOPOLOGY, [file]: text });
    expect(faultsOf('output/validate.schema.json', document)).toEqual([]);
    expect(document.ok).toBe(fleet !== null);
  }),
);

law(
  'whatever is asked, there is a document',
  600,
  fc.property(
    fc.constantFrom(...Object.values(HOSTILE), 'rome', '10.0.0.1', '', '/', ':', 'rome/'),
    fc.string(),
    (one, other) => {
      const fleet = FLEET_OF_LAWS;
      for (const [a, b] of [
        [one, other],
        [other, one],
        ['rome', one],
      ] as const) {
        expect(faultsOf('output/trace.schema.json', trace(fleet, { from: a, to: b, through: other }))).toEqual([]);
        expect(faultsOf('output/trace.schema.json', trace(fleet, { from: a, to: b }))).toEqual([]);
        expect(faultsOf('output/view.schema.json', view(fleet, a, b))).toEqual([]);
        expect(faultsOf('output/whois.schema.json', whois(fleet, a, b))).toEqual([]);
        expect(faultsOf('output/ports.schema.json', ports(fleet, a, b))).toEqual([]);
        expect(faultsOf('output/whatif.schema.json', whatIf(fleet, a, b))).toEqual([]);
      }
    },
  ),
);
