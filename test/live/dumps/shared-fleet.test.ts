import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { recordedKubectl } from '../../host/kubectl/recorded-kubectl.ts';
import { drawn, nightly } from '../../support/drawn.ts';
import { all, type Edit, edited, isOf, without } from '../drift/edits.ts';
import { dumpOf, recordedFleet } from '../drift/recorded-fleet.ts';

const FLEET = 'lends-and-offloads/1.2';
const CLUSTERS = ['core', 'edge1', 'edge2'];
const CONTEXTS = CLUSTERS.flatMap((it) => ['--context', it]);

/** A fleet that lends and offloads, at rest: with its dumps, and with a kubectl that leads to its clusters. */
async function fleet() {
  const { files, dumps } = recordedFleet(FLEET);
  const texts = Object.entries(dumps).map(([cluster, items]) => [`dumps/${cluster}.json`, dumpOf(items)]);
  const { weftWith, folder } = workspace({ ...files, ...Object.fromEntries(texts) });
  const env = recordedKubectl(dumps);
  const weft = (...argv: readonly string[]) => weftWith({ env }, ...argv);
  await weft('compile', '-q');
  return { weft, env, folder };
}

describe('a fleet that shares, at rest', () => {
  it.each([
    ['in dumps', ['--live', 'dumps']],
    ['through kubectl', CONTEXTS],
  ])('has no drift %s', async (_, where) => {
    const { weft } = await fleet();
    const { code, stdout } = await weft('drift', ...where);
    expect(stdout).toMatch(/\nno drift; 3 clusters compared\n$/);
    expect(stdout).not.toContain('not compared');
    expect(code).toBe(0);
  });

  nightly('ends a wait, through kubectl', async () => {
    const { weft } = await fleet();
    const { code, stdout } = await weft('drift', '--wait', '10s', ...CONTEXTS);
    expect(stdout).toContain('no drift');
    expect(code).toBe(0);
  });

  nightly('has no drift in the dumps of the script that weft prints', async () => {
    const { weft, env, folder } = await fleet();
    const script = await weft('import', '--print-commands', ...CONTEXTS);
    // Asynchronous, because this process answers what the script asks.
    const { stderr } = await promisify(execFile)('bash', ['-c', script.stdout], {
      cwd: `${folder}/dumps`,
      env: { ...process.env, ...env },
    });
    expect(stderr.replaceAll('No resources found\n', '')).toBe('');
    const { code, stdout } = await weft('drift', '--live', 'dumps/dumps');
    expect(stdout).toMatch(/\nno drift; 3 clusters compared\n$/);
    expect(code).toBe(0);
  });

  it.each(
    drawn([
      ['in dumps', ['--live', 'dumps']],
      ['through kubectl', CONTEXTS],
    ] as const),
  )('is imported, planned and looked at without a word about anything broken, %s', async (_, live) => {
    const { weft } = await fleet();
    const imported = await weft('import', '--check', '--topology', 'topologies/live.yaml', ...live);
    expect(`${imported.stdout}${imported.stderr}`).not.toMatch(/ import\/|Namespace/);
    expect(imported.stdout).toContain('applying the bundles would change nothing');
    const planned = await weft('plan', ...live);
    expect(planned.stdout).toContain('Nothing to do');
    for (const argv of [
      ['view', 'core'],
      ['view', 'edge1', 'core'],
      ['trace', '--all'],
      ['whois', '10.43.0.7'],
    ]) {
      const { code, stdout, stderr } = await weft(...argv, ...live);
      expect({ argv, code, stderr }).toMatchObject({ argv, code: 0 });
      expect(`${stdout}${stderr}`, argv.join(' ')).not.toMatch(/ import\/|namespace/);
    }
    const collected = await weft('identities', 'collect', '--check', ...live);
    expect([collected.code, collected.stderr]).toEqual([0, '']);
  });

  it('is imported without its kubeconfigs, which Liqo makes, and no gateway waits for them', async () => {
    const { dumps } = recordedFleet(FLEET);
    const texts = Object.entries(dumps).map(([cluster, items]) => [
      `dumps/${cluster}.json`,
      dumpOf(items.filter((it) => !it.metadata.name.startsWith('kubeconfig-'))),
    ]);
    const { weft } = workspace(Object.fromEntries(texts));
    const { stdout } = await weft('import', 'dumps');
    expect(stdout).not.toContain('a gateway waits for its Secret');
    expect(stdout).toContain('expects 7 objects of Liqo to be there or otherwise: Liqo makes them of what is applied');
  });

  it('has no check that differs in a cluster that was not read', async () => {
    const { weft } = await fleet();
    const { code, stdout } = await weft('view', 'edge2', 'core', '--runbook', '--live', 'dumps/core.json');
    expect(stdout).toContain('edge2 only as their peers know them');
    expect(stdout).toMatch(/No live object differs from what the \d+ checks expect/);
    expect(stdout).not.toContain('live:');
    expect(code).toBe(0);
  });

  it('is imported from dumps without Secrets, and then nobody is told to end its loans', async () => {
    const { dumps } = recordedFleet(FLEET);
    const texts = Object.entries(dumps).map(([cluster, items]) => [
      `dumps/${cluster}.json`,
      dumpOf(items.filter((it) => it.kind !== 'Secret')),
    ]);
    const { weft } = workspace(Object.fromEntries(texts));
    const said: string[] = [];
    for (const argv of [['import', 'dumps'], ['compile'], ['validate'], ['plan', '--live', 'dumps']]) {
      const { code, stdout, stderr } = await weft(...argv);
      expect(code, argv.join(' ')).toBe(0);
      said.push(stdout, stderr);
    }
    expect(said.join('')).toContain(
      '\nNot compared: 2 keys that git does not know, core as a consumer, edge1 as a consumer.\n',
    );
    const { live } = JSON.parse((await weft('plan', '--live', 'dumps', '-o', 'json')).stdout);
    expect(live.unknownKeys).toEqual([
      { cluster: 'core', peer: null },
      { cluster: 'edge1', peer: null },
    ]);
    const drift = await weft('drift', '--live', 'dumps');
    said.push(drift.stdout, drift.stderr);
    expect(drift.code).toBe(0);
    expect(drift.stdout).toMatch(/no drift; 3 clusters compared\n$/);
    expect(drift.stdout).not.toMatch(/drift\/(?!tool-annotation)/);
    expect(drift.stdout).toContain(
      'not compared: 1 ResourceSlice and 1 Tenant; git does not know the keys of these loans: take them from the keys file that "weft import" with another --topology writes from dumps with Tenants and Secrets',
    );
    for (const line of said.join('').split('\n')) {
      expect(line).not.toMatch(/\bdelete it\b|NoClusterSelected|needs care/);
      if (line.includes('weft keys generate')) expect(line).toMatch(/do not run|only with --replace/);
    }
  });
});

interface Disturbed {
  readonly after?: string;
  readonly edit?: Edit;
  /** The first lines of the plan, and its last. */
  readonly plan: RegExp;
  readonly code: number;
  /** The pair of the view, and what it begins with. */
  readonly pair: readonly [string, string];
  readonly view: RegExp;
}

const DISTURBED: Readonly<Record<string, Disturbed>> = {
  'keys of two peers were exchanged': {
    after: 'keys-swapped',
    plan: /Trust\n {2}~ edge1 towards core: its public key is [\s\S]*who is trusted changes; live flows break/,
    code: 1,
    pair: ['core', 'edge1'],
    view: /\n\ndrift\/key {2}"core" accepts the key .* from the gateway of "edge1"/,
  },
  'a namespace is offloaded to fewer clusters': {
    after: 'offloading-edited',
    plan: /Offloading\n {2}~ namespace shop of core is offloaded to edge1, too\n[\s\S]*no live flow breaks\.\n$/,
    code: 0,
    pair: ['core', 'edge1'],
    view: /\n\ndrift\/offloading {2}the NamespaceOffloading of "shop" in "core" was edited: [\s\S]*no longer selected: "edge1"/,
  },
  'rules that no bundle contains were edited': {
    after: 'firewall-edited',
    plan: /\n"core" translates addresses of "edge2" by other rules[^\n]*\n\nThe network is as compiled, but not everything in these clusters: /,
    code: 0,
    pair: ['core', 'edge2'],
    view: /\n\ndrift\/nat-rules {2}"core" translates addresses of "edge2" by other rules/,
  },
  'a kubeconfig that Liqo makes was deleted': {
    edit: without('core', isOf('Secret', 'kubeconfig-controlplane-edge1')),
    plan: /\nSecret "kubeconfig-controlplane-edge1" in "core" \(peer "edge1"\) is missing\n\nThe network is as compiled, but not everything in these clusters: /,
    code: 0,
    pair: ['core', 'edge1'],
    view: /\n\ndrift\/missing {2}Secret "kubeconfig-controlplane-edge1"/,
  },
  'a gateway lost the name of its Secret': {
    edit: all(
      edited('core', 'GatewayServer', 'edge2', 'spec/secretRef', undefined),
      edited('core', 'GatewayServer', 'edge2', 'status/secretRef', undefined),
    ),
    plan: /\nGatewayServer "edge2" in "core" \(peer "edge2"\) was edited: secretRef is nothing, and git has .*gw-keys/,
    code: 0,
    pair: ['core', 'edge2'],
    view: /\n\ndrift\/gateway {2}GatewayServer "edge2" in "core"/,
  },
};

async function disturbed({ after, edit }: Disturbed) {
  const recorded = recordedFleet(FLEET, after);
  edit?.(recorded.dumps);
  const texts = Object.entries(recorded.dumps).map(([cluster, items]) => [`dumps/${cluster}.json`, dumpOf(items)]);
  const { weft } = workspace({ ...recorded.files, ...Object.fromEntries(texts) });
  await weft('compile', '-q');
  return weft;
}

describe('a fleet that shares, when', () => {
  it.each(Object.entries(DISTURBED))('%s, is planned and viewed', async (_, it) => {
    const weft = await disturbed(it);
    const plan = await weft('plan', '--live', 'dumps');
    expect(plan.stdout).toMatch(it.plan);
    expect(plan.code).toBe(it.code);
    expect((await weft('view', ...it.pair, '--live', 'dumps')).stdout).toMatch(it.view);
  });

  it.each(drawn(Object.entries(DISTURBED)))('%s, is planned from all clusters', async (_, it) => {
    const weft = await disturbed(it);
    const json = JSON.parse((await weft('plan', '--live', 'dumps', '-o', 'json')).stdout);
    expect(json.live.looked).toEqual(CLUSTERS);
  });
});
