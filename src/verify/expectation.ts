import type { Cluster, Link, NetworkModel, TemplateRef } from '../model/network-model.ts';
import type { Span } from '../source/source.ts';
import { cidrText } from './cidr-text.ts';

/** What the topology asks for, in the words of the files: the only thing that a proof takes from the compiler's side. */
export interface Expectation {
  readonly fleet: string;
  readonly at: Span;
  /** Name of the Secret with the WireGuard pair. */
  readonly keySecretName: string;
  readonly emitConnections: boolean;
  /** Paths of the entry points below `out/`. */
  readonly entryPoints: readonly string[];
  readonly hasFlux: boolean;
  /** Clusters that the top folder of `_flux/` lists, in order of name. */
  readonly remoteByFlux: readonly string[];
  /** By name, in order of name (code units). */
  readonly clusters: ReadonlyMap<string, ExpectedCluster>;
}

export interface ExpectedCluster {
  readonly name: string;
  readonly at: Span;
  readonly retired: boolean;
  /** Since 1.2 Liqo reads all pod CIDRs, names Networks by CIDR, and leaves out NAT that changes nothing. */
  readonly isNew: boolean;
  readonly liqoNamespace: string;
  readonly own: OwnNetworks;
  /** By the peer's name. */
  readonly ends: ReadonlyMap<string, ExpectedEnd>;
  /** Shortcuts for which this cluster, a hub, carries a ForeignClusterConnection. */
  readonly shortcuts: readonly Link[];
}

/** As the topology writes them: networks as text. */
export interface OwnNetworks {
  readonly pools: readonly string[];
  readonly pods: readonly string[];
  readonly service: string;
  readonly reserved: readonly string[];
  readonly external: OwnWish;
  readonly internal: OwnWish;
}

/** `cidr` is `null` for a block that weft carves, which the topology does not say. */
export interface OwnWish {
  readonly kind: 'explicit' | 'default' | 'auto';
  readonly cidr: string | null;
}

/** One end of a link. */
export interface ExpectedEnd {
  readonly cluster: string;
  readonly peer: string;
  readonly role: 'server' | 'client';
  readonly link: Link;
  /** Of the gateway at the other end; `null` while the keys file has none. */
  readonly remoteKey: string | null;
  /** A gateway template that the link names. */
  readonly template: TemplateRef | null;
}

export function expectationOf(model: NetworkModel): Expectation {
  const { fleet, clusters, links } = model;
  return {
    fleet: fleet.name,
    at: fleet.at,
    keySecretName: fleet.keySecretName,
    emitConnections: fleet.emitConnections,
    entryPoints: entryPointsOf(model),
    hasFlux: fleet.gitops?.flux != null,
    remoteByFlux: [...clusters.values()].filter((it) => it.gitops.kubeConfigSecret !== null).map((it) => it.name),
    clusters: expectedClusters(model, endsOf(links), fleet.shortcutOperator ? shortcutsOf(links) : new Map()),
  };
}

function expectedClusters(
  { clusters }: NetworkModel,
  ends: ReadonlyMap<string, readonly ExpectedEnd[]>,
  shortcuts: ReadonlyMap<string, readonly Link[]>,
): ReadonlyMap<string, ExpectedCluster> {
  const expected = [...clusters.values()].map(
    (it): ExpectedCluster => ({
      name: it.name,
      at: it.at,
      retired: it.retired,
      isNew: it.traits.namesPeerNetworksByCIDR,
      liqoNamespace: it.liqoNamespace,
      own: ownOf(it),
      ends: new Map((ends.get(it.name) ?? []).map((end) => [end.peer, end])),
      shortcuts: it.retired ? [] : (shortcuts.get(it.name) ?? []),
    }),
  );
  return new Map(expected.map((it) => [it.name, it]));
}

const wishOf = (wish: Cluster['external']): OwnWish => ({
  kind: wish.kind,
  cidr: wish.kind === 'auto' ? null : cidrText(wish.prefix),
});

const ownOf = (it: Cluster): OwnNetworks => ({
  pools: it.pools.map((pool) => cidrText(pool.value)),
  pods: it.podCIDRs.map((pod) => cidrText(pod.value)),
  service: cidrText(it.serviceCIDR.value),
  reserved: it.reserved.map((one) => cidrText(one.value)),
  external: wishOf(it.external),
  internal: wishOf(it.internal),
});

/** Both ends of every link, by cluster. */
function endsOf(links: readonly Link[]): ReadonlyMap<string, readonly ExpectedEnd[]> {
  const ends = new Map<string, ExpectedEnd[]>();
  const put = (end: ExpectedEnd): void => {
    const known = ends.get(end.cluster);
    if (known) known.push(end);
    else ends.set(end.cluster, [end]);
  };
  for (const link of links) {
    const { server, client, publicKeys, templates } = link;
    put({
      cluster: server,
      peer: client,
      role: 'server',
      link,
      remoteKey: publicKeys.client,
      template: templates.server,
    });
    put({
      cluster: client,
      peer: server,
      role: 'client',
      link,
      remoteKey: publicKeys.server,
      template: templates.client,
    });
  }
  return ends;
}

function shortcutsOf(links: readonly Link[]): ReadonlyMap<string, readonly Link[]> {
  const byHub = new Map<string, Link[]>();
  for (const link of links.filter((it) => it.kind === 'shortcut')) {
    for (const hub of link.commonHubs) byHub.set(hub, [...(byHub.get(hub) ?? []), link]);
  }
  return byHub;
}

/** `default` is a project that every Argo CD has, `flux-system` a source that `flux bootstrap` makes. */
function entryPointsOf({ fleet: { gitops }, clusters }: NetworkModel): readonly string[] {
  const argo = gitops?.argo
    ? [
        'kustomization',
        'applicationset',
        'argocd-cm-patch',
        ...(gitops.argo.project === 'default' ? [] : ['appproject']),
      ]
    : [];
  const flux = gitops?.flux
    ? [
        'kustomization',
        ...(gitops.flux.source === 'flux-system' ? [] : ['source/kustomization', 'source/gitrepository']),
        ...[...clusters.keys()].flatMap((it) => [`clusters/${it}/kustomization`, `clusters/${it}/${it}`]),
      ]
    : [];
  return [...argo.map((it) => `_argocd/${it}.yaml`), ...flux.map((it) => `_flux/${it}.yaml`)];
}
