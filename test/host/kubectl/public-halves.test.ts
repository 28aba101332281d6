import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keySecret, newPair } from '../../live/public-keys/key-secrets.ts';
import { runsOf } from '../../support/drawn.ts';
import { kubectlAvailable } from '../../support/kubectl.ts';
import { publicKeysIn } from '../../support/public-keys-in.ts';
import { workspace } from '../cli/memory-host.ts';

const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;
const FILE = 'topologies/topology.keys.yaml';

/** A hub with leaves; each gateway has made a pair. */
function hubWithLeaves(count: number) {
  const leaves = Array.from({ length: count }, (_, index) => `leaf-${String(index).padStart(2, '0')}`);
  const topology = [
    'version: 1\nname: fleet\nhub: hub\nkeys: { secrets: liqo }',
    'defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }\nclusters:',
    '  hub: { podCIDR: 10.50.0.0/16, gateway: 203.0.113.10 }',
    ...leaves.map((it, index) => `  ${it}: { podCIDR: 10.${200 + index}.0.0/16 }`),
    '',
  ].join('\n');
  const secrets = new Map<string, readonly ReturnType<typeof keySecret>[]>([
    ['hub', leaves.map((it) => keySecret(it, { data: newPair() }))],
    ...leaves.map((it) => [it, [keySecret('hub', { data: newPair() })]] as const),
  ]);
  const privateHalves = [...secrets.values()].flat().map((it) => it.data?.['privateKey'] ?? '');
  return { leaves, topology, secrets, privateHalves };
}

type Fleet = ReturnType<typeof hubWithLeaves>;

/** API servers of all clusters; the first part of a path is the cluster. */
async function apiServers({ secrets }: Fleet): Promise<{ readonly port: number; readonly methods: Set<string> }> {
  const methods = new Set<string>();
  const server = createServer((request, response) => {
    const [, cluster = '', path = ''] = /^\/([\w-]+)(\/[^?]*)/.exec(request.url ?? '') ?? [];
    methods.add(request.method ?? '');
    const list = (kind: string, items: readonly object[]) => ({ kind, apiVersion: 'v1', metadata: {}, items });
    const resources = ['secrets', 'configmaps'].map((name) => ({
      ...{ name, singularName: '', namespaced: true, verbs: ['list'] },
      kind: name === 'secrets' ? 'Secret' : 'ConfigMap',
    }));
    const id = { metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' }, data: { CLUSTER_ID: cluster } };
    const answers: Readonly<Record<string, object>> = {
      '/api': { kind: 'APIVersions', versions: ['v1'] },
      '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
      '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources },
      '/api/v1/secrets': list('SecretList', secrets.get(cluster) ?? []),
      '/api/v1/configmaps': list('ConfigMapList', [id]),
    };
    response.writeHead(answers[path] ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[path] ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { port: (server.address() as AddressInfo).port, methods };
}

/** A folder of the fleet, with a kubectl that keeps its arguments and what it says, and calls the real one. */
async function place(fleet: Fleet) {
  const { port, methods } = await apiServers(fleet);
  const names = ['hub', ...fleet.leaves];
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: names.map((name) => ({ name, cluster: { server: `http://127.0.0.1:${port}/${name}` } })),
    contexts: names.map((name) => ({ name, context: { cluster: name, user: 'me' } })),
    users: [{ name: 'me', user: {} }],
  };
  const real = spawnSync('sh', ['-c', 'command -v kubectl'], { encoding: 'utf8' }).stdout.trim();
  const it = workspace({
    'fleet/topologies/topology.yaml': fleet.topology,
    config: JSON.stringify(config),
    'bin/kubectl': `#!/bin/sh\nprintf '%s\\n' "$*" >>"$LOG"\n"${real}" "$@" 2>>"$LOG" | tee -a "$LOG"\n`,
    log: '',
  });
  chmodSync(join(it.folder, 'bin/kubectl'), 0o755);
  const env = {
    PATH: `${join(it.folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    ...{ HOME: it.folder, TMPDIR: it.folder, LOG: join(it.folder, 'log'), KUBECONFIG: join(it.folder, 'config') },
  };
  const weft = (...args: readonly string[]) =>
    new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
      const child = spawn(process.execPath, [WEFT, ...args], { cwd: join(it.folder, 'fleet'), env });
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (part: string) => {
          said += part;
        });
      child.on('close', (code) => resolve({ code, said }));
    });
  const keys = () => publicKeysIn(it.read(`fleet/${FILE}`));
  return { ...it, weft, keys, methods };
}

/** The texts of all files below a folder. */
const textsIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((it) => join(folder, it))
    .flatMap((it) => (statSync(it).isFile() ? [readFileSync(it, 'latin1')] : []))
    .join('\n');

const publicHalves = ({ secrets }: Fleet) =>
  Object.fromEntries(
    [...secrets].map(([cluster, some]) => [
      cluster,
      Object.fromEntries(some.map((it) => [it.metadata.namespace.replace('liqo-tenant-', ''), it.data?.['publicKey']])),
    ]),
  );

describe.skipIf(!kubectlAvailable())(
  'weft keys collect with the real kubectl (skipped where it is not installed)',
  () => {
    it('leaves no private half anywhere: no file, no argument, no output, nothing that kubectl says', {
      timeout: 120_000,
    }, async () => {
      const fleet = hubWithLeaves(2);
      const { folder, weft, keys, methods, read } = await place(fleet);
      const contexts = ['hub', ...fleet.leaves].flatMap((it) => ['--context', it]);
      const runs = [
        await weft('keys', 'collect', '--check', '-v', ...contexts),
        await weft('keys', 'collect', ...contexts),
        await weft('keys', 'collect', '-o', 'json', '--debug', ...contexts),
        await weft('compile'),
      ];
      expect(runs.map((it) => it.code)).toEqual([1, 0, 0, 0]);
      expect(keys()).toEqual(publicHalves(fleet));
      expect([...methods]).toEqual(['GET']);
      const everything = textsIn(folder) + runs.map((it) => it.said).join('\n');
      // The search would find them: the log of kubectl has public halves.
      expect(read('log')).toContain(keys()['hub']?.['leaf-00']);
      for (const half of fleet.privateHalves) {
        const raw = Buffer.from(half, 'base64');
        for (const form of [half, half.slice(0, 20), raw.toString('hex'), raw.toString('latin1')])
          expect(everything.includes(form), 'a private half').toBe(false);
      }
    });

    it('loses no key when many run at once, each for another cluster', { timeout: 300_000 }, async () => {
      const fleet = hubWithLeaves(runsOf(20, 3));
      const { weft, keys, folder } = await place(fleet);
      const runs = await Promise.all(fleet.leaves.map((it) => weft('keys', 'collect', '--context', it)));
      expect(runs.map((it) => [it.code, it.said])).toEqual(runs.map(() => [0, expect.stringContaining('is written')]));
      const { hub: _, ...leaves } = publicHalves(fleet);
      expect(keys()).toEqual(leaves);
      expect(readdirSync(join(folder, 'fleet/topologies')).sort()).toEqual(['topology.keys.yaml', 'topology.yaml']);
    });
  },
);
