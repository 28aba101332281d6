import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Compiled, compile } from '../../../src/compile.ts';
import { drawn } from '../../support/drawn.ts';
import { GOLDEN } from '../../support/golden.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { pythonMissing, xmlProblem } from '../../support/xml.ts';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { labsOnMachine, whyNoLab } from '../lab-host/lab-support.ts';
import { type LiveLab, startLiveLab } from './live-lab.ts';

const reason = whyNoLab();

const CONFORMING = TOPOLOGY.replace('version: 1\n', 'version: 1\nconformance: true\n');

const withProbers = (topology: string): string =>
  /^conformance:/m.test(topology) ? topology : topology.replace(/^version: 1$/m, 'version: 1\nconformance: true');

interface Fleet {
  readonly files: Readonly<Record<string, string>>;
  readonly compiled: Compiled;
}

function fleetOf(topology: string): Fleet {
  const files = withKeysFiles({ 'topologies/topology.yaml': withProbers(topology) });
  const source = (path: string) => ({ path, text: files[`topologies/${path}`] ?? '' });
  const sources = { topology: source('topology.yaml'), keys: source('topology.keys.yaml'), lock: undefined };
  const outcome = compile(sources, { relock: [], only: null });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('\n'));
  return { files, compiled: outcome.value };
}

const golden = (name: string): string => readFileSync(join(GOLDEN, name, 'topology.yaml'), 'utf8');

/** A fleet of each kind: a star with a shortcut, equal networks behind hubs, tiers, loans, releases and customised gateways. */
const FLEETS: readonly (readonly [string, string])[] = [
  ['a hub and two leaves with a shortcut', CONFORMING],
  ...[
    'probers-on-every-release',
    'equal-networks-everywhere-are-remapped',
    'two-hubs-with-tiers',
    'deck-two-one-pod-cidr-everywhere',
    'gateways-customised-on-1.1',
  ].map((it) => [it, golden(it)] as const),
];

interface Undialled {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly why: string;
}

interface Document {
  readonly ok: boolean;
  readonly conformance: {
    readonly probes: readonly {
      readonly from: string;
      readonly to: string;
      readonly path: string;
      readonly result: string;
      readonly message: string;
      readonly cause: { readonly code: string; readonly cluster: string } | null;
    }[];
    readonly undialled: readonly Undialled[];
    readonly pairs: { readonly wanted: number; readonly dialled: number };
  };
}

/** Runs the command over all clusters of a lab, as it is now. */
async function conformance({ files }: Fleet, lab: LiveLab, ...argv: readonly string[]) {
  const { weftWith } = workspace(files);
  const contexts = lab.clusters.flatMap((it) => ['--context', it]);
  return weftWith({ env: lab.kubectl() }, 'conformance', ...argv, ...contexts);
}

describe.skipIf(reason !== null)(`probes between clusters (${reason ?? 'in this kernel'})`, () => {
  let before: readonly string[] = [];
  beforeAll(() => {
    before = labsOnMachine();
  });
  afterAll(() => expect(labsOnMachine()).toEqual(before));

  it.each(drawn(FLEETS.slice(1)))('are as predicted on every path of %s', async (_, topology) => {
    const fleet = fleetOf(topology);
    const lab = await startLiveLab(fleet.compiled);
    try {
      const { code, stdout, stderr } = await conformance(fleet, lab, '-o', 'json');
      const { conformance: found } = JSON.parse(stdout) as Document;
      expect(
        found.probes.filter((it) => it.result !== 'as-predicted'),
        stderr,
      ).toEqual([]);
      expect(code).toBe(0);
      // The lab maps pods only where two clusters have no link, and equal networks mean something else without one.
      const direct = new Set(found.probes.map((it) => `${it.from} ${it.to}`));
      const isExpected = ({ from, to, path, why }: Undialled): boolean =>
        path === 'through' ? direct.has(`${from} ${to}`) : why === 'address-has-other-meaning';
      expect(found.undialled.filter((it) => !isExpected(it))).toEqual([]);
      expect(found.probes.length).toBeGreaterThanOrEqual(found.pairs.dialled);
      expect(found.pairs.dialled).toBeGreaterThan(2);
    } finally {
      await lab.end();
    }
  });

  describe('of a hub and two leaves', () => {
    const fleet = fleetOf(CONFORMING);
    let lab: LiveLab;
    beforeAll(async () => {
      lab = await startLiveLab(fleet.compiled);
    });
    afterAll(() => lab.end());

    const failures = async () => {
      const { code, stdout } = await conformance(fleet, lab, '-o', 'json');
      const { conformance: found } = JSON.parse(stdout) as Document;
      const failed = found.probes.filter((it) => it.result !== 'as-predicted');
      expect(code).toBe(failed.length === 0 ? 0 : 1);
      return failed.map(({ from, to, path, result, cause }) => `${from} ${to} ${path}: ${result}, ${cause?.code}`);
    };

    it('are as predicted, in words and in a report for CI', async () => {
      const [text, junit] = await Promise.all([conformance(fleet, lab), conformance(fleet, lab, '-o', 'junit')]);
      expect(text).toEqual({
        code: 0,
        stderr: '',
        stdout: [
          'over their hub link  4 of 4  as predicted',
          'over their shortcut  2 of 2  as predicted',
          '',
          '6 further paths through hubs could not be dialled, and -v lists them with the reasons',
          '',
          'all 6 paths as predicted; 6 of 6 pairs dialled, between 3 clusters',
          '',
        ].join('\n'),
      });
      expect(junit.stdout).toContain('<testsuites name="weft conformance europe" tests="12" failures="0" errors="0">');
      if (!pythonMissing) expect(xmlProblem([junit.stdout])).toBe('');
    });

    // Each fault is of a link of its own, so that the time-outs of all are waited for at once. This is the last test: the kernel
    // removes the routes of a device that is down.
    it('show an MTU that was cut, an exchanged key and a tunnel that is down, each on the two paths of its link, with the gateway and the command that looks into it', async () => {
      lab.inGateway('milan', 'europe', 'ip', 'link', 'set', 'liqo-tunnel', 'mtu', '1200');
      await lab.exchangeKey('rome', 'europe');
      lab.inGateway('rome', 'milan', 'ip', 'link', 'set', 'liqo-tunnel', 'down');
      const [failed, { stdout }] = await Promise.all([failures(), conformance(fleet, lab, 'rome', 'milan')]);
      expect(failed).toEqual([
        'europe milan direct: full-packet-lost, drift/mtu',
        'europe rome direct: lost, drift/key',
        'milan europe direct: full-packet-lost, drift/mtu',
        'milan rome direct: lost, drift/not-connected',
        'rome europe direct: lost, drift/key',
        'rome milan direct: lost, drift/not-connected',
      ]);
      expect(stdout).toContain('next: weft view milan rome --runbook --context milan --context rome\n');
      expect(stdout).toMatch(/\n2 of 2 paths not as predicted; 2 of 2 pairs dialled, between 3 clusters\n$/);
    });
  });
});
