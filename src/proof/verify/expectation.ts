import { by } from '../../base/core/collections.ts';
import type { ReleaseTraits } from '../../base/releases/traits.ts';
import type { Span } from '../../base/source/source.ts';
import type { Decisions } from '../../fleet/lock/lock.ts';
import type { CidrRequest, ClusterDeclaration, Declaration } from '../../fleet/topology/declaration.ts';
import type { IdentitiesDocument, KeysDocument } from '../../fleet/topology/parse-recorded.ts';
import { type ExpectedLink, expectLinks } from './expected/expect-links.ts';
import {
  type ExpectedOffloading,
  type ExpectedShare,
  expectOffloadings,
  expectShares,
} from './expected/expect-shares.ts';
import { type ExpectedNames, usualNamespace } from './expected/names-of-end.ts';
import {
  answersOfProviders,
  type DecidedBefore,
  decidedBefore,
  keyPairsIn,
  keysOfConsumers,
  type RecordedKeyPair,
} from './expected/recorded.ts';
import { cidrText } from './networks.ts';

/** The inputs that a bundle is compiled from. */
export interface VerifySources {
  readonly declaration: Declaration;
  readonly keys: KeysDocument | undefined;
  readonly identities: IdentitiesDocument | undefined;
  /** The decisions of the lock file before this compile. */
  readonly decisions: Decisions;
}

/**
 * The content that the topology requires of the files. It is derived here from the checked topology, the keys and the
 * lock, and shares no code with the compiler: a wrong decision of the compiler must not become the expectation.
 */
export interface Expectation {
  readonly declaration: Declaration;
  readonly before: DecidedBefore;
  readonly fleet: string;
  readonly at: Span;
  readonly emitConnections: boolean;
  /** Paths of the entry points below `out/`. */
  readonly entryPoints: readonly string[];
  readonly hasFlux: boolean;
  /** Clusters that the top folder of `_flux/` lists, in order of name. */
  readonly remoteByFlux: readonly string[];
  /** Clusters by name, in order of name (code units). */
  readonly clusters: ReadonlyMap<string, ExpectedCluster>;
  /** Links in join order. */
  readonly links: readonly ExpectedLink[];
  /** Shares by consumer, then by provider. */
  readonly shares: readonly ExpectedShare[];
  /** Offloaded namespaces by cluster, then by namespace. */
  readonly offloadings: readonly ExpectedOffloading[];
}

export interface ExpectedCluster {
  readonly name: string;
  readonly at: Span;
  readonly retired: boolean;
  readonly declared: ClusterDeclaration;
  readonly traits: ReleaseTraits;
  readonly liqoNamespace: string;
  readonly own: OwnNetworks;
  /** Ends of links by the peer's name. */
  readonly ends: ReadonlyMap<string, ExpectedEnd>;
  /** Shortcuts for which this cluster, a hub, has a ForeignClusterConnection. */
  readonly shortcuts: readonly ExpectedLink[];
}

/** Own networks as texts, as in the topology. */
export interface OwnNetworks {
  readonly pools: readonly string[];
  readonly pods: readonly string[];
  readonly service: string;
  readonly reserved: readonly string[];
  readonly external: OwnRequest;
  readonly internal: OwnRequest;
}

/** `cidr` is `null` for a block that weft carves, which the topology does not contain. */
export interface OwnRequest {
  readonly kind: 'explicit' | 'default' | 'auto';
  readonly cidr: string | null;
}

/** One end of a link. */
export interface ExpectedEnd {
  readonly cluster: string;
  readonly peer: string;
  readonly role: 'server' | 'client';
  readonly link: ExpectedLink;
  readonly names: ExpectedNames;
  /** The key pair of the own gateway: suffixes of the names for the one in use and, if there is one, the next. */
  readonly keyPair: Pick<RecordedKeyPair, 'suffix' | 'nextSuffix'>;
  /** Public key of the gateway at the other end; `null` while the keys file does not contain it. */
  readonly remoteKey: string | null;
  /** True when the gateway at the other end has a key, known or unknown. */
  readonly hasRemoteKey: boolean;
  /** A gateway template that the link names. */
  readonly template: { readonly name: string; readonly namespace: string } | null;
}

/** The name of the Secret with the next key of a gateway; `null` without one. */
export function nextSecretOf({ names: { secret }, keyPair: { suffix, nextSuffix } }: ExpectedEnd): string | null {
  if (secret === null || nextSuffix === null) return null;
  return `${secret.slice(0, secret.length - suffix.length)}${nextSuffix}`;
}

export function expectationOf({ declaration, keys, identities, decisions }: VerifySources): Expectation {
  const before = decidedBefore(decisions);
  const links = expectLinks(declaration, before);
  const declared = [...declaration.clusters].sort(by((it) => it.name));
  const ends = endsOf(links, keyPairsIn(keys));
  const shares = expectShares(declaration, {
    keyOf: keysOfConsumers(keys),
    answerOf: answersOfProviders(identities),
    namespaceIn: namespacesOf([...ends.values()].flat()),
  });
  const shortcuts = declaration.shortcutOperator.value ? shortcutsByHub(links) : new Map<string, ExpectedLink[]>();
  const clusters = declared.map((it) => expectedCluster(it, ends.get(it.name) ?? [], shortcuts.get(it.name) ?? []));
  return {
    declaration,
    before,
    fleet: declaration.name.value,
    at: declaration.name.at,
    emitConnections: declaration.emitConnections,
    entryPoints: entryPointsOf(declaration),
    hasFlux: declaration.gitops?.flux != null,
    remoteByFlux: declared.filter((it) => it.gitops.kubeConfigSecret !== null).map((it) => it.name),
    clusters: new Map(clusters.map((it) => [it.name, it])),
    links,
    shares,
    offloadings: expectOffloadings(declaration, shares),
  };
}

function expectedCluster(
  declared: ClusterDeclaration,
  ends: readonly ExpectedEnd[],
  shortcuts: readonly ExpectedLink[],
): ExpectedCluster {
  const { name, at, retired, traits, liqoNamespace } = declared;
  return {
    name,
    at,
    retired,
    declared,
    traits,
    liqoNamespace,
    own: ownOf(declared),
    ends: new Map(ends.map((it) => [it.peer, it])),
    shortcuts: retired ? [] : shortcuts,
  };
}

const requestOf = (request: CidrRequest): OwnRequest => ({
  kind: request.kind,
  cidr: request.kind === 'auto' ? null : cidrText(request.prefix),
});

const ownOf = (it: ClusterDeclaration): OwnNetworks => ({
  pools: it.pools.map((pool) => cidrText(pool.value)),
  pods: it.podCIDRs.map((pod) => cidrText(pod.value)),
  service: cidrText(it.serviceCIDR.value),
  reserved: it.reserved.map((one) => cidrText(one.value)),
  external: requestOf(it.external),
  internal: requestOf(it.internal),
});

/** The tenant namespace in a cluster for another cluster: the namespace of their link, if there is one. */
function namespacesOf(ends: readonly ExpectedEnd[]): (cluster: string, remote: string) => string {
  const known = new Map(ends.map((it) => [`${it.cluster}/${it.peer}`, it.names.namespace]));
  return (cluster, remote) => known.get(`${cluster}/${remote}`) ?? usualNamespace(remote);
}

/** Both ends of every link, by cluster, in join order. */
function endsOf(
  links: readonly ExpectedLink[],
  pairOf: (cluster: string, peer: string) => RecordedKeyPair,
): ReadonlyMap<string, readonly ExpectedEnd[]> {
  const ends = new Map<string, ExpectedEnd[]>();
  for (const link of links) {
    for (const role of ['server', 'client'] as const) {
      const [own, other] = role === 'server' ? [link.server, link.client] : [link.client, link.server];
      const named = link.templates[role];
      const { key } = pairOf(other.name, own.name);
      const keyPair = pairOf(own.name, other.name);
      const names = link.names[role];
      const end: ExpectedEnd = {
        cluster: own.name,
        peer: other.name,
        role,
        link,
        names: { ...names, secret: names.secret === null ? null : `${names.secret}${keyPair.suffix}` },
        keyPair,
        remoteKey: key === 'unknown' ? null : key,
        hasRemoteKey: key !== null,
        template: named && { name: named.name, namespace: named.namespace ?? own.liqoNamespace },
      };
      const known = ends.get(own.name);
      if (known) known.push(end);
      else ends.set(own.name, [end]);
    }
  }
  return ends;
}

function shortcutsByHub(links: readonly ExpectedLink[]): ReadonlyMap<string, readonly ExpectedLink[]> {
  const byHub = new Map<string, ExpectedLink[]>();
  for (const link of links.filter((it) => it.kind === 'shortcut')) {
    for (const hub of link.commonHubs) {
      const known = byHub.get(hub);
      if (known) known.push(link);
      else byHub.set(hub, [link]);
    }
  }
  return byHub;
}

/**
 * The layout of the entry points, intentionally repeated here: verify must not compare the compiler's table with
 * itself. `default` is a project that every Argo CD has, `flux-system` a source that `flux bootstrap` creates.
 */
function entryPointsOf({ gitops, clusters }: Declaration): readonly string[] {
  const argo = gitops?.argo
    ? [
        'kustomization',
        'applicationset',
        'application',
        'argocd-cm-patch',
        ...(gitops.argo.project === 'default' ? [] : ['appproject']),
      ]
    : [];
  const flux = gitops?.flux
    ? [
        'kustomization',
        ...(gitops.flux.source === 'flux-system' ? [] : ['source/kustomization', 'source/gitrepository']),
        ...['clusters', 'clusters/kustomization'],
        ...clusters.flatMap(({ name }) => [
          ...[`clusters/${name}`, `clusters/${name}/kustomization`, `clusters/${name}/${name}`],
        ]),
      ]
    : [];
  return [...argo.map((it) => `_argocd/${it}.yaml`), ...flux.map((it) => `_flux/${it}.yaml`)];
}

/**
 * True when every packet to a peer gets the unknown source, including those of pods. liqoctl sets this on EKS because
 * of its CNI. Source: liqotech/liqo@v1.2.0 pkg/liqoctl/install/eks/provider.go (`fullMasquerade`).
 */
export const masqueradesEverything = ({ platform, cni }: Pick<ClusterDeclaration, 'platform' | 'cni'>): boolean =>
  platform?.value === 'eks' || cni?.value === 'aws-vpc';
