import { describe, expect, it } from 'vitest';
import { placeAt } from '../../../src/base/source/source.ts';
import type { Compiled } from '../../../src/compile.ts';
import { compareCluster } from '../../../src/live/drift/compare-cluster.ts';
import { allowanceFor } from '../../../src/live/drift/compare-objects.ts';
import type { ClusterDrift, Finding } from '../../../src/live/drift/drift.ts';
import { type PromisedObjects, promisedObjects } from '../../../src/live/drift/promised-objects.ts';
import { groupOf, type KubernetesObject, kindKey, objectKey } from '../../../src/live/dumps/kubernetes-object.ts';
import { drawn } from '../../support/drawn.ts';
import { type LiveCluster, type Recording, recordings } from './recordings.ts';

const all = recordings();
const named = all.map((it) => [it.name, it] as const);

const liveObjects = ({ objects }: LiveCluster) => [...objects.values()] as unknown as readonly KubernetesObject[];

const promisedIn = ({ bundle }: Compiled, cluster: string) => promisedObjects(cluster, { bundle, root: 'out' });

const driftOf = (compiled: Compiled, cluster: string, found: readonly KubernetesObject[]): ClusterDrift =>
  compared(promisedIn(compiled, cluster), cluster, found);

function compared(promised: PromisedObjects, cluster: string, found: readonly KubernetesObject[]): ClusterDrift {
  return compareCluster(
    { promised, renewing: new Set(), unknownKeys: new Set() },
    {
      from: `dumps/${cluster}.json`,
      cluster,
      objects: new Map(found.map((it) => [objectKey(it), it])),
      listed: new Set(found.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
      forbidden: new Set(),
    },
  );
}

/** Only these rules of a table are compared. */
const isOpen = ({ apiVersion, kind }: KubernetesObject): boolean =>
  ['FirewallConfiguration', 'RouteConfiguration'].includes(kind) ||
  allowanceFor(kindKey(groupOf(apiVersion), kind), { isRenewed: false }).open.includes('spec');

/** One line for a finding, without its place. */
function lineOf(it: Finding): string {
  const object = `${it.object.kind} ${it.object.namespace ?? ''}/${it.object.name}`;
  return it.kind === 'different'
    ? `${object} ${it.path.join('.')}: ${JSON.stringify(it.promised)} is ${JSON.stringify(it.live)}`
    : `${it.kind} ${object}`;
}

/** The only one whose first cluster has gateways that do not run. */
const isWithoutPods = ([name]: (typeof named)[number]): boolean => name === 'warns-history 1.2';

/** No tunnel was up where these were recorded. */
const isTunnel = (it: Finding): boolean => it.kind === 'different' && it.live === 'Connecting';

const linesOf = ({ findings }: ClusterDrift): readonly string[] => findings.filter((it) => !isTunnel(it)).map(lineOf);

const recordingNamed = (name: string): Recording => {
  const found = all.find((it) => it.name === name);
  if (found === undefined) throw new Error(`there is no recording ${name}`);
  return found;
};

describe('drift of a recorded fleet', () => {
  it.each(named)('is nothing, for the network that a rollout from nothing gives: %s', (_, { rebuilt, clusters }) => {
    for (const live of clusters) {
      const drift = driftOf(rebuilt, live.name, liveObjects(live));
      expect(linesOf(drift)).toEqual([]);
      // The operator of the fork was not there either.
      const absent = ['Connection.networking.liqo.io', 'ForeignClusterConnection.networking.liqo.io'];
      expect(drift.uncompared.filter((it) => !absent.includes(it.key))).toEqual([]);
      expect(drift.compared).toBeGreaterThan(4);
    }
  });

  it.each(drawn(named, isWithoutPods))(
    'is what anybody changes, each thing alone: %s',
    (_, { rebuilt, clusters: [live] }) => {
      if (live === undefined) throw new Error('the recording has no cluster');
      const found = liveObjects(live);
      const promised = promisedIn(rebuilt, live.name);
      const before = new Set(linesOf(compared(promised, live.name, found)));
      for (const it of found.filter((one) => promised.has(objectKey(one)))) {
        const name = `${it.kind} ${it.metadata.namespace ?? ''}/${it.metadata.name}`;
        const others = found.filter((one) => one !== it);
        const now = (more: readonly KubernetesObject[]): readonly string[] =>
          linesOf(compared(promised, live.name, [...others, ...more])).filter((line) => !before.has(line));
        const sameKind = others.some((one) => one.kind === it.kind);
        expect(now([])).toEqual(sameKind ? [`missing ${name}`] : []);
        const leaving = { ...it, metadata: { ...it.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
        expect(now([leaving])).toEqual([`being-deleted ${name}`]);
        const [label] = Object.keys(it.metadata.labels ?? {});
        const [wanted] = Object.entries(promised.get(objectKey(it))?.object.metadata.labels ?? {});
        if (wanted !== undefined && label !== undefined) {
          const relabelled = {
            ...it,
            metadata: { ...it.metadata, labels: { ...it.metadata.labels, [wanted[0]]: 'other' } },
          };
          expect(now([relabelled])).toEqual([`${name} metadata.labels.${wanted[0]}: "${wanted[1]}" is "other"`]);
        }
        const more = {
          ...it,
          metadata: { ...it.metadata, labels: { ...it.metadata.labels, tool: 'flux' }, finalizers: ['x'] },
        };
        expect(now([{ ...more, status: { ...(it['status'] as object), observedGeneration: 7 } }])).toEqual([]);
        // Objects that Liqo creates may have more fields, and other kinds have no spec.
        if (Object.keys(it['spec'] ?? {}).length === 0 || it.kind === 'Namespace' || isOpen(it)) continue;
        const edited = { ...it, spec: { ...(it['spec'] as object), surprise: [1] } } as KubernetesObject;
        expect(now([edited])).toEqual([`${name} spec.surprise: undefined is [1]`]);
      }
    },
  );

  it('is what git does not have, of the kinds that weft writes', () => {
    const { rebuilt, clusters } = recordingNamed('overlap 1.2');
    const [live] = clusters;
    const found = live === undefined ? [] : liveObjects(live);
    const extra = found
      .filter((it) => ['Configuration', 'Namespace', 'Pod', 'IP', 'Network', 'Secret'].includes(it.kind))
      .map((it) => ({ ...it, metadata: { ...it.metadata, name: `${it.metadata.name}-of-before` } }));
    const lines = linesOf(driftOf(rebuilt, live?.name ?? '', [...found, ...extra]));
    expect(new Set(lines.map((it) => it.split(' ').slice(0, 2).join(' ')))).toEqual(
      new Set(['extra Configuration', 'extra Namespace', 'extra Network']),
    );
    // Namespaces of others are not weft's business.
    expect(lines.filter((it) => it.startsWith('extra Namespace') && !it.includes('liqo-tenant-'))).toEqual([]);
  });

  it('after another order of applying is the views that moved, and nothing else', () => {
    let moved = 0;
    for (const { rebuilt, after } of all) {
      for (const live of after.filter((it) => /^(reverse|atonce|shuffle-\d+)$/.test(it.what))) {
        // Recorded on another day, with other keys.
        const found = liveObjects(live).filter((it) => it.kind !== 'PublicKey');
        for (const line of linesOf(driftOf(rebuilt, live.name, found))) {
          expect(line).toMatch(
            /^(Configuration \S+ status\.remote\.cidr\.(pod|external)\.\d+|Network \S+ status\.cidr|(Firewall|Route)Configuration \S+ spec\.\S+): /,
          );
          moved++;
        }
      }
    }
    expect(moved).toBeGreaterThan(0);
  });

  it('after a Configuration was deleted and created again is its views', () => {
    const { rebuilt, after } = recordingNamed('overlap 1.2');
    const later = after.find((it) => it.name === 'hub' && it.what === 'del2');
    const lines = later === undefined ? [] : linesOf(driftOf(rebuilt, 'hub', liveObjects(later)));
    const isRule = (it: string): boolean => /^(Firewall|Route)Configuration /.test(it);
    // The rules follow from the views: two chains for each of both CIDRs, and that of the nodes; and the nodes' routes.
    expect(lines.filter(isRule)).toHaveLength(6);
    expect(lines.filter((it) => !isRule(it))).toEqual([
      'Configuration liqo-tenant-b/b status.remote.cidr.external.0: "10.64.0.0/16" is "10.85.0.0/16"',
      'Configuration liqo-tenant-b/b status.remote.cidr.pod.0: "10.71.128.0/17" is "10.64.0.0/17"',
      'Network liqo-tenant-b/b-external-10-70-0-0-16 status.cidr: "10.64.0.0/16" is "10.85.0.0/16"',
      'Network liqo-tenant-b/b-pod-10-244-0-0-17 status.cidr: "10.71.128.0/17" is "10.64.0.0/17"',
    ]);
  });

  it('names the line of the bundle that promises it', () => {
    const { rebuilt, clusters } = recordingNamed('overlap 1.2');
    const live = clusters.find((it) => it.name === 'a');
    const found = (live ? liveObjects(live) : []).map((it) =>
      it.kind === 'PublicKey' ? { ...it, spec: { publicKey: 'AAAA' } } : it,
    );
    const [finding] = driftOf(rebuilt, 'a', found).findings.filter((it) => it.object.kind === 'PublicKey');
    const at = finding !== undefined && 'at' in finding ? finding.at : undefined;
    const line = at?.source.text.split('\n')[placeAt(at.source, at.start).line - 1];
    expect(at?.source.path).toBe('out/a/peers/b/b.yaml');
    expect(line).toMatch(/^ {2}publicKey: /);
  });
});
