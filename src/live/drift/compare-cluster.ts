import { by, groupBy, sortedUnique } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { type AddressedCluster, type AddressedModel, remoteEnd } from '../../fleet/ipam/addressed-model.ts';
import {
  controlPlaneIdentity,
  type Share,
  type SharedModel,
  sharingOf,
  sliceIdentity,
} from '../../fleet/sharing/shared-model.ts';
import { type Json, jsonAt, textAt } from '../dumps/json.ts';
import {
  isTenantNamespace,
  type KubernetesObject,
  kindKeyOf,
  type LiveCluster,
  objectKey,
} from '../dumps/kubernetes-object.ts';
import { isOfBoundaries } from '../facts/boundaries.ts';
import { INTO_TUNNEL } from '../facts/routes.ts';
import { type PeerOf, peersByLabel } from './cluster-case.ts';
import { COMPARED_KINDS, compareObjects, isChosenAlready } from './compare-objects.ts';
import { type ClusterDrift, type Finding, GATEWAY_KINDS, type ObjectName, type Uncompared } from './drift.ts';
import { type PromisedObjects, promisedSpan, waveOf, withRoutesAsLines, withRulesAsLines } from './promised-objects.ts';

/** The compiled state of a cluster. */
interface CompiledCluster {
  readonly promised: PromisedObjects;
  /** Peers with which certificates are renewed, even in an Identity from git: both ends have a release that does so. */
  readonly renewing: ReadonlySet<string>;
  /** Objects that the bundle lacks because a key is unknown to git, by kind, peer and name: see `behindUnknownKeys`. */
  readonly unknownKeys: ReadonlySet<string>;
}

/** Compares the objects of a bundle with those of a cluster. */
export function compareCluster({ promised, renewing, unknownKeys }: CompiledCluster, live: LiveCluster): ClusterDrift {
  const peerOf = peersByLabel([...[...promised.values()].map((it) => it.object), ...live.objects.values()]);
  const isListed = (it: KubernetesObject): boolean => live.listed.has(kindKeyOf(it));
  const compared = [...promised.values()].filter((it) => isListed(it.object));
  const findings = compared.flatMap((it): readonly Finding[] => {
    const object = nameOf(it.object);
    const peer = peerOf(it.object);
    const found = live.objects.get(objectKey(it.object));
    if (found === undefined) {
      if (object.kind === 'RouteConfiguration' && !makesRoutes(live, object)) return [];
      const { isApplied } = it;
      return [{ kind: 'missing', object, peer, isApplied, wave: waveOf(it.object), at: promisedSpan(it, []) }];
    }
    const isRenewed = peer !== null && renewing.has(peer);
    const comparable = asLines(found);
    const differences = [...compareObjects(it.object, comparable, { isRenewed })].map(
      (one): Finding => ({
        ...{ kind: 'different', object, peer, ...one },
        isChosen: isChosenAlready(found, one),
        at: promisedSpan(it, one.path),
      }),
    );
    if (found.metadata['deletionTimestamp'] === undefined) return differences;
    return [{ kind: 'being-deleted', object, peer, at: promisedSpan(it, []) }, ...differences];
  });
  const isUnknown = ({ object: { kind, name }, peer }: Finding): boolean =>
    unknownKeys.has(`${kind} ${peer ?? ''}`) || unknownKeys.has(`${kind} ${peer ?? ''}/${name}`);
  // Only the bundle of a retired cluster promises nothing. Liqo, with its own Networks, stays there until it is uninstalled.
  const isLeft = ({ object, peer }: Finding): boolean =>
    promised.size === 0 && peer === null && object.kind === 'Network';
  const all = [...extras(promised, live, peerOf)].filter((it) => !isLeft(it));
  const unknown = groupBy(all.filter(isUnknown), (it) => [it.object.key]);
  const extra = all.filter((it) => !isUnknown(it));
  return {
    cluster: live.cluster,
    compared: compared.length,
    findings: [...findings, ...missingKeys(promised, live, peerOf), ...extra].sort(by(sortText)),
    uncompared: [
      ...uncomparedKinds(promised, live),
      ...[...unknown]
        .map(([key, some]) => ({ key, objects: some.length, why: 'unknown-key' as const }))
        .sort(by((it) => it.key)),
    ],
  };
}

/** In the form of the promises, which have the derived objects as lines. */
function asLines(it: KubernetesObject): KubernetesObject {
  if (it.kind === 'FirewallConfiguration') return withRulesAsLines(it);
  return it.kind === 'RouteConfiguration' ? withRoutesAsLines(it) : it;
}

/** Liqo creates the routes of a peer into the tunnel once there is its gateway, and those to the gateway once it runs. */
const makesRoutes = ({ objects }: LiveCluster, { name, namespace }: ObjectName): boolean =>
  [...objects.values()].some(
    ({ kind, metadata, status }: KubernetesObject & { readonly status?: Json }) =>
      GATEWAY_KINDS.includes(kind) &&
      metadata.namespace === namespace &&
      (name.endsWith(INTO_TUNNEL) || jsonAt(status, 'internalEndpoint') !== undefined),
  );

/** Reports missing key Secrets of gateways: they are not in the bundle, but no gateway starts without its own. */
function* missingKeys(promised: PromisedObjects, { listed, objects }: LiveCluster, peerOf: PeerOf): Iterable<Finding> {
  if (!listed.has('Secret')) return;
  for (const it of promised.values()) {
    const name = textAt(it.object['spec'], 'secretRef', 'name');
    if (!GATEWAY_KINDS.includes(it.object.kind) || name === undefined) continue;
    const namespace = it.object.metadata.namespace ?? '';
    if (objects.has(`Secret ${namespace}/${name}`)) continue;
    const object = { key: 'Secret', kind: 'Secret', namespace, name };
    const at = promisedSpan(it, ['spec', 'secretRef', 'name']);
    yield { kind: 'missing', object, peer: peerOf(it.object), isApplied: true, wave: waveOf(it.object), at };
  }
}

function* extras(promised: PromisedObjects, { objects }: LiveCluster, peerOf: PeerOf): Iterable<Finding> {
  for (const [key, object] of objects) {
    if (!promised.has(key) && belongsInGit(object))
      yield { kind: 'extra', object: nameOf(object), peer: peerOf(object) };
  }
}

function belongsInGit(object: KubernetesObject): boolean {
  switch (KINDS.get(kindKeyOf(object))?.extras) {
    case 'all':
      return true;
    case 'tenant-namespaces':
      return isTenantNamespace(object);
    case 'boundaries':
      return isOfBoundaries(object);
    default:
      return false;
  }
}

const KINDS = new Map(COMPARED_KINDS.map((it) => [it.key, it]));

function uncomparedKinds(
  promised: PromisedObjects,
  { listed, forbidden, isListedOnly }: LiveCluster,
): readonly Uncompared[] {
  const kinds = groupBy([...promised.values()], (it) => [kindKeyOf(it.object)]);
  return sortedUnique([...kinds.keys()].filter((it) => !listed.has(it))).map((key) => ({
    key,
    objects: kinds.get(key)?.length ?? 0,
    why: forbidden.has(key) ? 'forbidden' : isListedOnly === true ? 'not-asked' : 'not-in-dump',
  }));
}

const nameOf = (it: KubernetesObject): ObjectName => ({
  key: kindKeyOf(it),
  kind: it.kind,
  namespace: it.metadata.namespace ?? null,
  name: it.metadata.name,
});

/** Sorts objects of a namespace together, because they belong to one peer. */
const sortText = (it: Finding): string => {
  const { namespace, kind, name } = it.object;
  return [namespace ?? '', kind, name, ...(it.kind === 'different' ? it.path : [])].join('\0');
};

/** Clusters with which a cluster renews certificates: the provider signs again, the consumer copies the answer. */
export function renewingPeers({ traits }: AddressedCluster, model: AddressedModel): ReadonlySet<string> {
  return traits.renewsCertificates ? renewingClusters(model) : NONE;
}

const renewingClusters = oncePer(
  ({ clusters }: AddressedModel): ReadonlySet<string> =>
    new Set([...clusters.values()].filter((it) => it.traits.renewsCertificates).map((it) => it.name)),
);

const NONE: ReadonlySet<string> = new Set();

/**
 * Objects that the bundle of a cluster lacks because keys exist that are unknown to git: PublicKeys, of any name (`PublicKey
 * milan`), and the objects of loans at both ends (`Tenant milan/milan`).
 */
export function behindUnknownKeys({ name, peers }: AddressedCluster, model: SharedModel): ReadonlySet<string> {
  const { borrows, lends } = sharingOf(model, name);
  return new Set([
    ...[...peers.values()].flatMap((it) => (remoteEnd(it).hasUnknownKey ? [`PublicKey ${it.name}`] : [])),
    ...lends
      .filter(hasUnknownKey)
      .flatMap(({ consumer, slices }) => [
        `Tenant ${consumer.name}/${consumer.name}`,
        ...slices.map((it) => `ResourceSlice ${consumer.name}/${it.name}`),
      ]),
    ...borrows
      .filter(hasUnknownKey)
      .flatMap((it) => [
        `Identity ${it.provider.name}/${controlPlaneIdentity(it)}`,
        ...it.slices.flatMap((slice) => [
          `Identity ${it.provider.name}/${sliceIdentity(slice)}`,
          `ResourceSlice ${it.provider.name}/${slice.name}`,
          `VirtualNode ${it.provider.name}/${slice.name}`,
        ]),
      ]),
  ]);
}

const hasUnknownKey = (it: Share): boolean => it.hasUnknownKey;
