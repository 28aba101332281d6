import { describe, expect, it } from 'vitest';
import { collectIdentities } from '../../../src/host/app/collect-from-clusters.ts';
import { readLiveClusters } from '../../../src/host/app/read-live-clusters.ts';
import type { ListRequest, ListResult } from '../../../src/host/kubectl/list-objects.ts';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import type { LiveCluster } from '../../../src/live/dumps/kubernetes-object.ts';
import { liveFiles } from './live-files.ts';

type Answer = (request: ListRequest) => ListResult | undefined;

const list = (...items: readonly object[]): ListResult => ({
  kind: 'listed',
  text: JSON.stringify({ apiVersion: 'v1', items, kind: 'List' }, null, 4),
});

const failed = (kind: 'forbidden' | 'no-such-kind' | 'unreachable' | 'timed-out', message: string): ListResult => ({
  failure: true,
  kind,
  message,
});

const configuration = (name: string) => ({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'Configuration',
  metadata: { name, labels: { 'liqo.io/remote-cluster-id': name } },
});

const ownId = (id: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'liqo-clusterid-configmap' },
  data: { CLUSTER_ID: id },
});

/** Reads clusters through a kubectl that answers each list; the contexts are the clusters. */
async function readContexts(clusters: readonly string[], answer: Answer = () => undefined) {
  const calls: ListRequest[] = [];
  let [running, most] = [0, 0];
  const ports = {
    ...liveFiles({}).ports,
    list: async (request: ListRequest): Promise<ListResult> => {
      calls.push(request);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      const answered = answer(request);
      if (answered !== undefined) return answered;
      if (request.resource === 'configmaps') return list(ownId(request.context));
      return request.resource.includes('configurations.') ? list(configuration('hub')) : list();
    },
  };
  const contexts = clusters.map((cluster) => ({ cluster, context: cluster }));
  const reading = readLiveClusters(ports, { dumps: [], contexts }, { known: null, kinds: COMPARED_KINDS }, (it) => it);
  const result = await reading.then(
    (it) => (it.ok ? it.value : new Map<string, LiveCluster>()),
    (error: unknown) => error as { readonly refusal: object },
  );
  return { calls, most: () => most, result };
}

const ALL_KINDS = new Set(COMPARED_KINDS.map((it) => it.key));

const clusterOf = (result: Awaited<ReturnType<typeof readContexts>>['result'], name = 'rome'): LiveCluster => {
  const found = 'refusal' in result ? undefined : result.get(name);
  if (found === undefined) throw new Error(`${name} was not read`);
  return found;
};

describe('a cluster behind a context', () => {
  it('is read in few lists, all kinds with one selector together', async () => {
    const { calls, result } = await readContexts(['rome']);
    expect(calls.length).toBeLessThan(9);
    const { listed, forbidden, objects } = clusterOf(result);
    expect(listed).toEqual(ALL_KINDS);
    expect(forbidden.size).toBe(0);
    expect([...objects.keys()].filter((it) => it.startsWith('Configuration.'))).toHaveLength(1);
    // Secrets are listed by name alone, as a table.
    expect(calls.filter((it) => it.resource.split(',').includes('secrets')).map((it) => it.resource)).toEqual([
      'secrets',
      'secrets',
    ]);
  });

  it('is waited for twice: for its name, and for all lists together', async () => {
    let [rounds, isWaiting] = [0, false];
    const { calls } = await readContexts(['rome'], () => {
      // All lists that begin together are answered together.
      if (!isWaiting) {
        [rounds, isWaiting] = [rounds + 1, true];
        setImmediate(() => {
          isWaiting = false;
        });
      }
      return undefined;
    });
    expect(calls).toHaveLength(7);
    expect(rounds).toBe(2);
  });

  it('may forbid Secrets, whatever the list of public ones answers', async () => {
    const { result } = await readContexts(['rome'], ({ resource, namesOnly }) => {
      if (resource !== 'secrets') return undefined;
      return namesOnly === true
        ? failed('forbidden', 'Error from server (Forbidden): secrets is forbidden: User "u" cannot list')
        : failed('timed-out', 'no answer in 120 seconds');
    });
    expect(clusterOf(result).forbidden).toEqual(new Set(['Secret']));
  });

  it('has no objects of a kind that is not installed, without a list for each other kind', async () => {
    const missing = ['prometheusrules.monitoring.coreos.com', 'externalsecrets.external-secrets.io'];
    const { calls, result } = await readContexts(['rome'], ({ resource }) => {
      const found = missing.find((it) => resource.split(',').includes(it));
      return found === undefined
        ? undefined
        : failed('no-such-kind', `the server doesn't have a resource type "${found.split('.')[0]}"`);
    });
    expect(calls.length).toBeLessThan(11);
    expect(clusterOf(result).listed).toEqual(ALL_KINDS);
    expect(clusterOf(result).objects.size).toBeGreaterThan(0);
  });

  it('may forbid one kind, which is then the only one that is unknown', async () => {
    const { calls, result } = await readContexts(['rome'], ({ resource }) =>
      resource.split(',').includes('networks.ipam.liqo.io')
        ? failed('forbidden', 'Error from server (Forbidden): networks.ipam.liqo.io is forbidden: User "u" cannot list')
        : undefined,
    );
    expect(calls.length).toBeLessThan(10);
    expect(clusterOf(result).forbidden).toEqual(new Set(['Network.ipam.liqo.io']));
    expect(clusterOf(result).objects.size).toBeGreaterThan(0);
  });

  it('is read kind by kind where a list of all is too slow', async () => {
    const { result } = await readContexts(['rome'], ({ resource }) =>
      resource.includes(',') ? failed('timed-out', 'no answer in 120 seconds') : undefined,
    );
    expect(clusterOf(result).listed).toEqual(ALL_KINDS);
    expect(clusterOf(result).objects.size).toBeGreaterThan(0);
  });

  it('ends the run when it is gone', async () => {
    const { result } = await readContexts(['milan', 'rome'], ({ context }) =>
      context === 'milan' ? failed('unreachable', 'connection refused') : undefined,
    );
    expect(result).toMatchObject({ refusal: { kind: 'cluster-not-read', cluster: 'milan' } });
  });
});

describe('clusters behind contexts', () => {
  it('are read at once, with eight processes at most', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const { most, result, calls } = await readContexts(names);
    expect(most()).toBe(8);
    expect('refusal' in result ? [] : [...result.keys()].sort()).toEqual([...names].sort());
    expect(calls.length).toBeLessThan(30 * 9);
  });

  it('are read at once for their identities, too', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `c${index}`);
    const clusters = names.map((it, i) => `  ${it}: { podCIDR: 10.${i}.0.0/16 }`).join('\n');
    const topology = `version: 1\nname: europe\ndefaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto }\nclusters:\n${clusters}\n`;
    let [running, most] = [0, 0];
    const lists: string[] = [];
    const collected = await collectIdentities(
      {
        ...liveFiles({ 'topologies/topology.yaml': topology }).ports,
        list: async ({ context, resource }) => {
          lists.push(`${context} ${resource}`);
          most = Math.max(most, ++running);
          await new Promise((resolve) => setImmediate(resolve));
          running--;
          return resource === 'configmaps' ? list(ownId(context)) : list();
        },
        keys: { lock: () => Promise.reject(new Error('nothing is written')), prepareKeysFile: () => Promise.reject() },
        now: () => 0,
      },
      {
        ...{ topology: undefined, lock: undefined, dumps: [], check: true },
        contexts: names.map((it) => ({ cluster: it, context: it })),
      },
    );
    expect(collected).toMatchObject({ kind: 'collected', changes: false });
    expect(lists).toHaveLength(2 * names.length);
    expect(most).toBe(8);
  });
});
