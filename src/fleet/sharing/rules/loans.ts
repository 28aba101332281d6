import { countOf, firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { AddressedCluster, View } from '../../ipam/addressed-model.ts';
import type { OffloadedNamespace, Share, SharedModel } from '../shared-model.ts';
import { pairsInWords, type SharingRule, subjectsOf } from './sharing-rule.ts';

/** Largest number of namespaces in the warning. */
const SHOWN_NAMESPACES = 3;

/**
 * Consumer and provider have a tunnel. Without one, Liqo ignores the network: the virtual node is ready, and endpoints
 * are passed on unchanged, with addresses that the other cluster cannot reach. Source: liqotech/liqo@v1.2.0
 * pkg/utils/foreigncluster (IsNetworkingEstablishedOrDisabled).
 */
export const loansHaveALink: SharingRule = function* ({ model }) {
  const unlinked = model.shares.filter((it) => it.link === null);
  const [first] = unlinked;
  if (first === undefined) return;
  const affected = namespacesOver(unlinked, model);
  const names = firstOf(affected, SHOWN_NAMESPACES);
  yield diagnostic(
    'sharing/without-link',
    first.at,
    `${unlinked.length} of ${model.shares.length} loans ${unlinked.length === 1 ? 'has' : 'have'} no link, so no Service and no pod reaches the other cluster, though all looks ready: ${pairsInWords(unlinked)}${affected.length > 0 ? ` (offloaded there: ${names})` : ''}`,
    {
      about: subjectsOf(unlinked),
      hint: 'add the pairs to `peerings`, or lend only to pods that need no network between the two clusters',
    },
  );
};

/** The chart of a cluster that lends or borrows installs what loans need. */
export const loansHaveTheirParts: SharingRule = function* ({ model }) {
  for (const name of model.sharing.keys()) {
    for (const { path, value, key } of model.clusters.get(name)?.helmValues ?? []) {
      if (value !== false || !/^(authentication|offloading)\.enabled$/.test(path.join('.'))) continue;
      const message = `\`${path.join('.')}\` in \`helmValues\` of ${quoted(name)} is false, but ${quoted(name)} lends, borrows or offloads`;
      yield diagnostic('topology/decided-value', key, message, {
        hint: 'remove it, or the entries of `sharing` and `offloading` with this cluster',
      });
    }
  }
};

/** The namespaces with a provider that has no link. */
function namespacesOver(unlinked: readonly Share[], { offloadings }: SharedModel): readonly string[] {
  const pairs = new Set(unlinked.map((it) => `${it.consumer.name}/${it.provider.name}`));
  return offloadings
    .filter(({ cluster, providers }) => providers.some((it) => pairs.has(`${cluster.name}/${it.name}`)))
    .map(({ cluster, namespace }) => `${quoted(namespace)} of ${cluster.name}`);
}

/**
 * The effects of the other conditions of a Tenant, with their adjectives. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/{tenant-controller,remoteresourceslice-controller}.
 */
const CONSEQUENCES = [
  ['Cordoned', 'cordoned', 'new pods and slices are refused, and what runs goes on'],
  ['Drained', 'drained', 'virtual nodes take no pods, and remote namespaces are deleted with all that is in them'],
] as const;

/** A reminder of loans that are not active: one note for each condition. */
export const loansAreActive: SharingRule = function* ({ model }) {
  for (const [condition, adjective, consequence] of CONSEQUENCES) {
    const loans = model.shares.filter((it) => it.condition === condition);
    const [first] = loans;
    if (first === undefined) continue;
    const are = loans.length === 1 ? 'is' : 'are';
    yield diagnostic(
      'sharing/not-active',
      first.at,
      `${countOf(loans.length, 'loan')} ${are} ${adjective}, so ${consequence}: ${pairsInWords(loans)}`,
      {
        about: subjectsOf(loans),
        hint: 'remove `condition` to lend again, or the entry once nothing of the consumer is left there',
      },
    );
  }
};

/**
 * A Service with the annotation for direct connections needs a link between every two providers of its namespace,
 * without remaps of their pods in the consumer; a provider without such a link drops the whole Service. Namespaces
 * without any linked providers are left out, because direct connections are not expected there. Source:
 * liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller,
 * pkg/virtualKubelet/reflection/exposition/endpointslice.go.
 */
export const directConnectionsNeedEveryLink: SharingRule = function* ({ model }) {
  for (const it of model.offloadings) {
    // When the topology declares the annotation, a missing link is an error; see `directConnectionsNeedLinks`.
    if (!it.cluster.traits.hasDirectConnections || it.directConnections || it.pods === 'Local') continue;
    const why = directConnectionObstacle(it);
    if (why === undefined) continue;
    yield diagnostic(
      'sharing/no-direct-connections',
      it.at,
      `Services of namespace ${quoted(it.namespace)} of ${quoted(it.cluster.name)} cannot use direct connections: ${why}`,
      {
        about: [[it.cluster.name]],
        hint: 'leave the annotation "liqo.io/use-direct-connections" away there: through the consumer every Service works',
      },
    );
  }
};

function directConnectionObstacle({ cluster, providers }: OffloadedNamespace): string | undefined {
  const linked = linksAmong(providers);
  if (linked === 0) return undefined;
  const pairs = (providers.length * (providers.length - 1)) / 2;
  if (linked < pairs)
    return `${pairs - linked} of ${pairs} pairs of its providers ${pairs - linked === 1 ? 'has' : 'have'} no link`;
  const moved = providers.find((it) => cluster.peers.get(it.name)?.podViews.some((view) => isMoved(view)) === true);
  return moved && `${quoted(cluster.name)} sees the pods of ${quoted(moved.name)} under other addresses`;
}

function linksAmong(providers: readonly AddressedCluster[]): number {
  const names = new Set(providers.map((it) => it.name));
  const ends = providers.flatMap((it) => [...it.peers.keys()].filter((peer) => names.has(peer)));
  return ends.length / 2;
}

const isMoved = ({ cidr, seenAs }: View): boolean => cidr.base !== seenAs.base;

/** A consumer with credentials may read the metrics of its pods, which older providers allow only after a handshake. */
export const consumersReadMetrics: SharingRule = function* ({ model }) {
  const loans = model.shares.filter(
    (it) => it.auth === 'credentials' && !it.provider.traits.bindsMetricsWithoutHandshake,
  );
  const [first] = loans;
  if (first === undefined) return;
  yield diagnostic(
    'sharing/metrics-not-bound',
    first.at,
    `in ${countOf(loans.length, 'loan')} with credentials the consumer may not read the metrics of its pods: ${pairsInWords(loans)}`,
    {
      about: subjectsOf(loans),
      hint: `run Liqo ${firstLineWith('bindsMetricsWithoutHandshake')} in the providers, or bind the ClusterRole "liqo-virtual-kubelet-remote-clusterwide" to the group named like the consumer yourself`,
    },
  );
};
