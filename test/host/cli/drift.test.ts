import { chmodSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { type LiveItem, objectsAtRest } from '../../support/objects-at-rest.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

/** A cluster at rest: what is applied, with what Liqo makes of it. */
function liveObjects(cluster: string): readonly LiveItem[] {
  const source = (path: string) => ({ path, text: FILES[`topologies/${path}`] ?? '' });
  const compiled = compile(
    { topology: source('topology.yaml'), keys: source('topology.keys.yaml'), lock: undefined },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error('the topology has errors');
  return objectsAtRest(
    [...compiled.value.bundle].flatMap(([path, text]) =>
      path.startsWith(`${cluster}/`) ? [[path.slice(cluster.length + 1), text] as const] : [],
    ),
  );
}

const configMap = (id: string): LiveItem => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' },
  data: { CLUSTER_ID: id },
});

const dump = (...items: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2);

const fleet = (files: Readonly<Record<string, string>> = {}) => workspace({ ...FILES, ...files });

describe('weft drift', () => {
  it('is none for a cluster at rest, and names the clusters that were not given', async () => {
    const { weft } = fleet({ 'rome.json': dump(...liveObjects('rome')) });
    expect(await weft('drift', '--live', 'rome.json')).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^rome: as compiled \(\d+ objects compared\)\n\nno drift; 1 cluster compared, 2 not: europe, milan\n$/,
      ),
    });
  });

  it('is none in a retired cluster once its objects are pruned, while Liqo is still installed there', async () => {
    const retired = TOPOLOGY.replace(/milan: +\{/, 'milan: { retired: true,').replace(/shortcuts:[\s\S]*/, '');
    const own = liveObjects('milan').filter(
      ({ kind, metadata }) => kind === 'Network' && metadata.namespace === 'liqo',
    );
    expect(own.length).toBeGreaterThan(2);
    const { weft, write } = fleet({ 'topologies/topology.yaml': retired, 'milan.json': dump(...own) });
    expect(await weft('drift', '--live', 'milan.json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('no drift; 1 cluster compared'),
    });
    write('milan.json', dump(...liveObjects('milan')));
    expect(await weft('drift', '--live', 'milan.json')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('drift/extra-peer  "milan" has a peering with "europe"'),
    });
  });

  it('is a problem with its cause, its code and the line that promises it; with -v each object and field', async () => {
    const objects = liveObjects('rome')
      .filter((it) => it.kind !== 'PublicKey')
      .map((it) => (it.kind === 'GatewayClient' ? { ...it, spec: { ...it.spec, mtu: 1400, surprise: true } } : it));
    const extra = { ...configMap('rome'), apiVersion: 'networking.liqo.io/v1beta1', kind: 'Configuration' };
    const key = liveObjects('rome').filter((it) => it.kind === 'PublicKey')[0] ?? {};
    const files = { 'rome.json': dump(...objects, key, extra), 'milan.json': dump(...liveObjects('milan')) };
    const { weft, read } = fleet(files);
    const argv = ['drift', '--live', 'rome=rome.json', '--live', './milan.json'];
    const { code, stdout } = await weft(...argv);
    expect(code).toBe(1);
    expect(stdout).toMatch(/ {2}drift\/key {2}"rome" has no PublicKey for "milan"/);
    expect(stdout).toMatch(
      / {2}drift\/mtu {2}.* has an MTU of 1400, and git has 1340\n {4}"milan" has 1340: the two ends differ.*\n(.*\n)? {4}out/,
    );
    expect(stdout).toContain('  drift/not-of-fleet  "rome" has 1 object of Liqo that is about no peer');
    expect(stdout).toMatch(
      /^milan: as compiled .*\nrome: 5 problems .*[\s\S]*\n\ndrift in 1 cluster; 2 clusters compared, 1 not: europe\n$/,
    );
    const all = (await weft(...argv, '-v')).stdout;
    expect(all).toMatch(
      /\n {4}missing {2}PublicKey liqo-tenant-milan\/milan {2}out\/rome\/peers\/milan\/milan.yaml:\d+\n/,
    );
    expect(all).toContain('    extra    Configuration liqo/liqo-clusterid-configmap, which git does not have\n');
    expect(all).toMatch(/: spec\.surprise {2}out.*\n {15}git nothing\n {15}live true\n/);
    await weft('compile');
    const places = [...all.matchAll(/spec\.mtu {2}(\S+):(\d+)\n {15}git 1340\n {15}live 1400\n/g)];
    expect(places.length).toBeGreaterThan(0);
    for (const [, file = '', line = ''] of places) expect(read(file).split('\n')[Number(line) - 1]).toBe('  mtu: 1340');
  });

  it('is data', async () => {
    const objects = liveObjects('rome').slice(1);
    const { weft } = fleet({ 'rome.json': dump(...objects), 'empty.json': '' });
    const { code, stdout } = await weft('drift', '--live', 'rome.json', '-o', 'json');
    const document = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(document).toMatchObject({ ok: false, drift: { others: ['europe', 'milan'] } });
    expect(document.drift.clusters[0].findings[0]).toMatchObject({
      kind: 'missing',
      path: null,
      line: expect.any(Number),
    });
    for (const from of ['rome=empty.json', 'rome=gone.json']) {
      expect((await weft('drift', '--live', from, '-o', 'json')).code).toBe(2);
    }
  });

  it('reads stdin, folders for one cluster, and folders with a file or a folder for each', async () => {
    const rome = liveObjects('rome');
    const files = {
      'one/networks.yaml': dump(...rome.filter((it) => it.kind === 'Network')),
      'one/deeper/rest.json': dump(...rome.filter((it) => it.kind !== 'Network')),
      'all/rome.json': dump(...rome),
      'all/milan/everything.json': dump(...liveObjects('milan')),
      'all/notes.txt': 'none',
    };
    const { weft, weftWith } = fleet(files);
    expect((await weft('drift', '--live', 'rome=one')).stdout).toContain('no drift; 1 cluster compared');
    expect((await weft('drift', '--live', 'all/')).stdout).toContain('no drift; 2 clusters compared, 1 not: europe');
    const piped = await weftWith({ stdin: dump(configMap('rome'), ...rome) }, 'drift', '--live', '-');
    expect(piped.stdout).toMatch(/^rome: as compiled/);
  });

  it('takes the newest of two states of an object', async () => {
    const objects = liveObjects('rome');
    const at = (version: string, more: object) =>
      objects.map((it) => ({ ...it, ...more, metadata: { ...it.metadata, resourceVersion: version } }));
    const { weft } = fleet({
      'a.json': dump(...at('1000', {})),
      'b.json': dump(...at('999', { spec: { old: true } })),
    });
    expect((await weft('drift', '--live', 'rome=a.json', '--live', 'rome=b.json')).code).toBe(0);
    expect((await weft('drift', '--live', 'rome=b.json', '--live', 'rome=a.json')).code).toBe(0);
  });

  it('does not count what a dump does not contain, says so, and never ends with 0', async () => {
    const { weft } = fleet({ 'rome.json': dump(...liveObjects('rome').filter((it) => it.kind !== 'Connection')) });
    const { code, stdout } = await weft('drift', '--live', 'rome.json');
    expect(code).toBe(2);
    expect(stdout).toContain('\n  not compared: 2 Connections; the dump has no object of that kind\n');
  });

  it.each([
    [[], {}, /neither a dump nor a context is given/],
    [['--live', 'rome=gone.json'], {}, /there is no file gone.json/],
    [['--live', 'rmoe=rome.json'], {}, /did you mean "rome"/],
    [['--live', 'rome=rome.json'], { 'rome.json': '' }, /live\/empty/],
    [
      ['--live', 'rome=rome.json'],
      { 'rome.json': dump(configMap('milan')) },
      /live\/another-cluster.* "rome" is of cluster "milan"/,
    ],
    [['--live', 'rome.json'], { 'rome.json': dump(configMap('milan')) }, /live\/another-cluster/],
    [['--live', 'a.json'], { 'a.json': dump(...liveObjects('rome')) }, /live\/whose-dump/],
    [['--live', 'a.json'], { 'a.json': dump(configMap('paris')) }, /no cluster "paris"/],
    [
      ['--live', 'rome=a.json'],
      { 'a.json': dump() },
      /live\/incomplete: the dump has no configurations.* and routeconfigurations/,
    ],
    [['--live', 'rome=empty'], { 'empty/readme.txt': '' }, /live\/empty/],
  ])('cannot answer %j', async (args, files, message) => {
    const { code, stdout, stderr } = await fleet(files).weft('drift', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('raises the codes of its pages', async () => {
    const { weft } = fleet({ 'a.json': dump(configMap('milan')), 'b.json': dump(...liveObjects('rome')) });
    const { stdout } = await weft('drift', '--live', 'rome=a.json', '--live', 'b.json', '-o', 'json');
    const codes = JSON.parse(stdout).diagnostics.map((it: { readonly code: string }) => it.code);
    expect(codes).toEqual(['live/another-cluster', 'live/whose-dump']);
  });
});

describe('weft drift --context', () => {
  /** A kubectl that prints a file for each resource, and fails as the real one does where there is none. */
  const KUBECTL = [
    '#!/bin/sh',
    'case "$3" in --context=gone) echo "error: context \\"gone\\" does not exist" >&2; exit 1;; esac',
    '[ -f "$(dirname "$0")/$2.json" ] && exec cat "$(dirname "$0")/$2.json"',
    'echo "Error from server (Forbidden): $2 is forbidden" >&2; exit 1',
    '',
  ].join('\n');

  function withKubectl(objects: readonly LiveItem[], id: string) {
    const resources: Readonly<Record<string, string>> = {
      Namespace: 'namespaces',
      Configuration: 'configurations.networking.liqo.io',
      PublicKey: 'publickeies.networking.liqo.io',
      GatewayServer: 'gatewayservers.networking.liqo.io',
      GatewayClient: 'gatewayclients.networking.liqo.io',
      Network: 'networks.ipam.liqo.io',
    };
    const files = Object.entries(resources).map(([kind, resource]) => [
      `bin/${resource}.json`,
      dump(...objects.filter((it) => it.kind === kind)),
    ]);
    const place = fleet({
      ...Object.fromEntries(files),
      'bin/configmaps.json': dump(configMap(id)),
      'bin/kubectl': KUBECTL,
    });
    chmodSync(`${place.folder}/bin/kubectl`, 0o755);
    const env = { PATH: `${place.folder}/bin${delimiter}${process.env['PATH'] ?? ''}` };
    return (...args: readonly string[]) => place.weftWith({ env }, 'drift', ...args);
  }

  it('reads with kubectl, and knows that what is not listed is not there', async () => {
    const weft = withKubectl(
      liveObjects('rome').filter((it) => it.kind !== 'PublicKey'),
      'rome',
    );
    const { code, stdout, stderr } = await weft('--context', 'rome=admin@rome');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.match(/drift\/key {2}"rome" has no PublicKey for/g)).toHaveLength(2);
    expect(stdout).toContain(
      'not compared: 2 Connections, 6 FirewallConfigurations and 4 RouteConfigurations; the user of the context may not list them',
    );
  });

  it('refuses a context that leads to another cluster, or nowhere', async () => {
    const weft = withKubectl(liveObjects('rome'), 'milan');
    expect(await weft('--context', 'rome')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('live/another-cluster'),
    });
    expect(await weft('--context', 'rome=gone')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /in the context gone: context "gone" does not exist\n {2}hint: name one of "kubectl config/,
      ),
    });
  });
});
