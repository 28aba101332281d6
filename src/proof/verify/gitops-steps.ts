import type { GitOps } from '../../fleet/topology/declaration.ts';
import type { ReadBundle } from './read-bundle.ts';
import { isRemapped, type RebuiltCluster, type RebuiltPeer } from './rebuild-network.ts';

/** The step of a cluster that one Kustomization of Flux applies. */
export interface FluxStep {
  readonly kind: 'network' | 'link' | 'sharing' | 'offloading' | 'conformance' | 'boundaries';
  readonly folder: string;
  /** The peer of a link step; `null` for other steps. */
  readonly peer: RebuiltPeer | null;
  /** Indexes of the steps of the cluster that it waits for. */
  readonly after: readonly number[];
}

/**
 * The steps of a cluster. Flux has no waves: a Kustomization applies all its objects without an order. So there is one
 * Kustomization per ordered link, which waits for the one before, and one each for sharing, offloading, the prober and policies. Sharing
 * waits for the last link with a partner, because a virtual kubelet reads the status of its Configuration once, when it
 * starts. Objects without an order have a folder of their own in every cluster: the path of a Kustomization must not
 * change with the first ordered link, whose objects the former folder would apply. Source: fluxcd/kustomize-controller
 * docs/spec/v1/kustomizations.md, liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go.
 */
export function fluxSteps({ filesIn }: ReadBundle, cluster: RebuiltCluster): readonly FluxStep[] {
  const { name } = cluster;
  const ordered = orderedPeers(cluster);
  const partners = filesIn(`${name}/sharing`).map((it) => it.slice(it.lastIndexOf('/') + 1, -'.yaml'.length));
  const shared = (['sharing', 'offloading', 'conformance', 'boundaries'] as const).filter(
    (it) => filesIn(`${name}/${it}`).length > 0,
  );
  const lastPartner = ordered.findLastIndex((it) => partners.includes(it.name)) + 1;
  const afterFirstAnd = (other: number): readonly number[] => (other === 0 ? [0] : [0, other]);
  return [
    { kind: 'network', folder: `${name}/unordered`, peer: null, after: [] },
    ...ordered.map(
      (peer, i) => ({ kind: 'link', folder: `${name}/peers/${peer.name}`, peer, after: afterFirstAnd(i) }) as const,
    ),
    ...shared.map((kind) => ({
      kind,
      folder: `${name}/${kind}`,
      peer: null,
      after: kind === 'sharing' ? afterFirstAnd(lastPartner) : [],
    })),
  ];
}

/** The peers whose links need a remap in the cluster, in the order in which they join and are applied. */
export const orderedPeers = (cluster: RebuiltCluster): readonly RebuiltPeer[] =>
  byJoin(cluster).filter((it) => isRemapped(it));

/** The other peers, whose Configurations are applied together, also by join number. */
export const freePeers = (cluster: RebuiltCluster): readonly RebuiltPeer[] =>
  byJoin(cluster).filter((it) => !isRemapped(it));

function byJoin({ peers, expected }: RebuiltCluster): readonly RebuiltPeer[] {
  const join = (it: RebuiltPeer): number => expected.ends.get(it.name)?.link.join ?? 0;
  return [...peers.values()].sort((a, b) => join(a) - join(b));
}

/** A path below the folder of the bundles, relative to the root of the repository. */
export const folderInRepository = ({ path }: GitOps, ...below: readonly string[]): string =>
  [...path.split('/').filter((it) => it !== '' && it !== '.'), ...below].join('/');

/**
 * The name of an object of a GitOps tool, from the fleet down: the tools show it, and a Kustomization waits for others by
 * name. Nothing is required of a name that is too long for a label, which weft cuts.
 */
export function nameParts(
  parts: readonly string[],
  path: readonly string[],
): readonly (readonly [path: readonly string[], name: string])[] {
  const name = `weft-${parts.join('.')}`;
  return name.length > LONGEST_LABEL ? [] : [[path, name]];
}

/** Flux labels what it applies with the name of the Kustomization. */
const LONGEST_LABEL = 63;
