import { groupBy } from '../../../base/core/collections.ts';
import { listOf, someOf } from '../../../base/core/words.ts';
import { TENANT_NAMESPACE_LABEL } from '../../../base/releases/labels.ts';
import type { LiveLink } from '../../facts/links.ts';
import { NETWORKS_CONDITION } from '../../facts/peer.ts';
import type { LinkProblem, NamedObject, ProblemOf } from '../../problems/link-problems.ts';
import { cidrText, dumpText, type FindingRule, IMPORT_AGAIN, type ImportFinding, objectText } from '../finding.ts';
import { gatewayKeys } from '../gateway-keys.ts';

/** Reports the problems of live links for an import, with the value that the topology has, and a remedy. */
export const linksAreWhole: FindingRule = function* (live) {
  const { problems, clusters, links } = live;
  const keyed = new Set(
    [...clusters.values()].flatMap(({ cluster, peers }) =>
      [...peers.values()].some((it) => it.publicKeys.length > 0) ? [cluster] : [],
    ),
  );
  const served = new Set(live.served.map((it) => it.link.id));
  const inTopology = new Set(live.served.flatMap(({ link }) => link.ends.map((it) => `${it.cluster} ${it.remote}`)));
  // Another rule reports a cluster of which no Configuration was dumped, once for all its peers.
  const missing = problems
    .filter(isMissing)
    .filter((it) => it.kind !== 'no-configuration' || it.isKnown || it.isRemnant);
  for (const [end, ofEnd] of groupBy(missing, ({ cluster, peer }) => [`${cluster} ${peer}`]))
    yield* missingFinding(ofEnd, { keyed, isInTopology: inTopology.has(end), isDumped: (it) => clusters.has(it) });
  for (const it of allOf(problems, 'several')) yield severalFinding(it);
  const ofGateways = groupBy(problems, ({ cluster, peer }) => [`${cluster} ${peer}`]);
  for (const link of links) {
    if (!served.has(link.id)) yield linkLeftOut(link);
    const [{ cluster, remote }] = link.ends;
    const ofFirst = ofGateways.get(`${cluster} ${remote}`) ?? [];
    for (const it of allOf(ofFirst, 'same-role')) yield sameRole(it, link);
    for (const it of allOf(ofFirst, 'mtu-differs')) yield mtuDiffers(it);
  }
  for (const it of allOf(problems, 'dials-another-port')) yield dialsElsewhere(it);
  for (const it of problems) yield* configuration(it);
};

const allOf = <K extends LinkProblem['kind']>(problems: readonly LinkProblem[], kind: K): readonly ProblemOf<K>[] =>
  problems.filter((it): it is ProblemOf<K> => it.kind === kind);

const namedObjectText = (it: NamedObject): string =>
  it.kind === 'Namespace' ? `Namespace ${dumpText(it.name)}` : objectText(it.kind, it);

const MISSING = {
  'no-objects': 'object',
  'no-namespace': 'tenant namespace',
  'no-configuration': 'Configuration',
  'no-gateway': 'gateway',
  'no-public-key': 'PublicKey',
} as const;

const RESOURCES: Readonly<Record<keyof typeof MISSING, readonly string[]>> = {
  'no-objects': [],
  'no-namespace': ['namespaces'],
  'no-configuration': ['configurations.networking.liqo.io'],
  'no-gateway': ['gatewayservers.networking.liqo.io', 'gatewayclients.networking.liqo.io'],
  'no-public-key': ['publickeies.networking.liqo.io'],
};

type MissingProblem = ProblemOf<keyof typeof MISSING>;

const isMissing = (it: LinkProblem): it is MissingProblem => Object.hasOwn(MISSING, it.kind);

interface MissingContext {
  /** The clusters with a PublicKey of some peer, whose dumps have all of them. */
  readonly keyed: ReadonlySet<string>;
  /** True if the topology has the link, and the bundles what belongs to it. */
  readonly isInTopology: boolean;
  readonly isDumped: (cluster: string) => boolean;
}

/** Reports the missing objects of one end as one finding. */
function* missingFinding(
  ofEnd: readonly MissingProblem[],
  { keyed, isInTopology, isDumped }: MissingContext,
): Iterable<ImportFinding> {
  const [first] = ofEnd;
  if (first === undefined) return;
  const { cluster, peer } = first;
  if (first.kind === 'no-objects') {
    yield {
      code: 'import/one-side-missing',
      cluster,
      message: `"${peer}" has objects for "${cluster}", and "${cluster}" has none for "${peer}"`,
      hint: `remove what "${peer}" has left of a former peering${isInTopology ? `, or apply the bundle of "${cluster}"` : ''}`,
    };
    return;
  }
  const unread = ofEnd.filter((it) => 'isKnown' in it && !it.isKnown).flatMap((it) => RESOURCES[it.kind]);
  const isKeyAlone = ofEnd.every((it) => it.kind === 'no-public-key');
  const former = 'remove what is left of a former peering';
  // A cluster's PublicKey is where the key of its peer is read from, so the bundle lacks it as well.
  const isKey = ofEnd.some((it) => it.kind === 'no-public-key');
  // A dump of the peer shows whether its gateway has a key.
  const complete =
    isKey && !isDumped(peer)
      ? `dump "${peer}" as well and ${IMPORT_AGAIN}`
      : isKey
        ? `run "weft keys generate", which makes a new pair for the gateway of "${peer}", and apply the bundle of "${cluster}"`
        : `apply the bundle of "${cluster}", which has it`;
  yield {
    code: 'import/missing-object',
    cluster,
    message: `"${cluster}" has no ${listOf(ofEnd.map((it) => MISSING[it.kind]))} for "${peer}"${unread.length === 0 ? '' : ' in what was read'}`,
    hint:
      unread.length > 0 || (isKeyAlone && !keyed.has(cluster))
        ? `dump them as well, if there are any: kubectl get ${(unread.length > 0 ? unread : RESOURCES['no-public-key']).join(',')} -A -o json`
        : isInTopology
          ? `${complete}, or ${former}`
          : former,
  };
}

const severalFinding = ({ cluster, peer, what, objects, kept }: ProblemOf<'several'>): ImportFinding => ({
  code: 'import/several-objects',
  cluster,
  message: `"${cluster}" has ${objects.length} ${what} for "${peer}", and Liqo needs exactly one: ${someOf(objects.map(namedObjectText), 3)}`,
  hint:
    what === 'tenant namespaces'
      ? `remove the label "${TENANT_NAMESPACE_LABEL}" from those that are not in use, then ${IMPORT_AGAIN}`
      : kept === null
        ? `delete those that are not in use, then ${IMPORT_AGAIN}`
        : `delete those that are not in use; the topology describes ${namedObjectText(kept)}`,
});

function linkLeftOut({ ends: [a, b] }: LiveLink): ImportFinding {
  // Another rule reports a cluster that has nothing for its peer.
  const [known, other] = a.isDumped ? [a, b] : [b, a];
  const isUnknown = !other.isDumped && known.configuration === null;
  const why = isUnknown
    ? `there is no dump of "${other.cluster}", and no Configuration shows its networks`
    : 'no gateway of it shows where its client finds its server';
  return {
    code: 'import/link-left-out',
    cluster: known.cluster,
    message: `the topology leaves out the link between "${known.cluster}" and "${other.cluster}": ${why}`,
    hint: isUnknown
      ? `remove what "${known.cluster}" has left of a former peering, or dump "${other.cluster}" as well and ${IMPORT_AGAIN}`
      : `connect the two with "liqoctl network connect" and ${IMPORT_AGAIN}, or add the link to the topology`,
  };
}

const sameRole = (
  { cluster, peer, gateway, peerGateway }: ProblemOf<'same-role'>,
  { server }: LiveLink,
): ImportFinding => ({
  code: 'import/same-role',
  cluster,
  message: `both ends of the link between "${cluster}" and "${peer}" are ${gateway.kind}s: ${namedObjectText(gateway)} in "${cluster}" and ${namedObjectText(peerGateway)} in "${peer}"`,
  hint: `delete the one that is wrong; the topology has "${server.cluster}" as the server`,
});

const mtuDiffers = ({
  cluster,
  peer,
  gateway,
  peerGateway,
  mtu,
  peerMtu,
}: ProblemOf<'mtu-differs'>): ImportFinding => ({
  code: 'import/mtu-differs',
  cluster,
  message: `the link between "${cluster}" and "${peer}" has two MTUs: ${mtu ?? 'none'} in ${namedObjectText(gateway)} of "${cluster}", ${peerMtu ?? 'none'} in ${namedObjectText(peerGateway)} of "${peer}"`,
  hint: 'keep the smaller one, which the topology has; the gateway with the other one restarts when the bundle is applied',
});

const dialsElsewhere = (it: ProblemOf<'dials-another-port'>): ImportFinding => ({
  code: 'import/dials-elsewhere',
  cluster: it.cluster,
  message: `${namedObjectText(it.gateway)} of "${it.cluster}" dials ${dumpText(it.address)}:${it.dials}, and ${namedObjectText(it.peerGateway)} of "${it.peer}" listens at port ${it.offers}`,
  hint: 'check that something between the two maps the port; if nothing does, correct `port` in the topology',
});

/** Reports a Configuration that contradicts the peer's networks or its own, or lacks a view of one. */
function* configuration(it: LinkProblem): Iterable<ImportFinding> {
  const { cluster, peer } = it;
  switch (it.kind) {
    case 'stale-view':
      yield {
        code: 'import/stale-view',
        cluster,
        message: `${namedObjectText(it.object)} of "${cluster}" has ${cidrText(it.named)} as ${it.cidr} CIDR of "${peer}", which has ${cidrText(it.has)}`,
        hint: `delete the Configuration and apply the bundle of "${cluster}": its view of "${peer}" is then given again`,
      };
      return;
    case 'stale-local':
      yield {
        code: 'import/stale-local',
        cluster,
        message: `${namedObjectText(it.object)} of "${cluster}" has ${cidrText(it.named)} as ${it.cidr} CIDR of its own cluster, which has ${cidrText(it.has)}`,
        hint: 'remove `spec.local` from it and restart the controller manager of Liqo, which writes it once',
      };
      return;
    case 'no-view':
      yield {
        code: 'import/not-ready',
        cluster,
        message: `${namedObjectText(it.object)} of "${cluster}" is not ready: its status does not have a network for each CIDR of "${peer}"`,
        hint: 'read the log of the controller manager of Liqo; the lock has no view that is not there yet',
      };
      return;
    case 'unconfirmed':
      if (it.isReady || !it.hasViews || (it.condition !== null && it.condition.type !== NETWORKS_CONDITION)) return;
      yield {
        code: 'import/not-ready',
        cluster,
        message: `${namedObjectText(it.object)} of "${cluster}" is not ready: Liqo has not confirmed its networks for "${peer}"`,
        hint: `wait and ${IMPORT_AGAIN}; if it stays, read the log of the controller manager of Liqo, and apply the CRDs of its release again`,
      };
      return;
    case 'other-network':
      yield {
        code: 'import/other-view',
        cluster,
        message: `${namedObjectText(it.network)} of "${cluster}" is ${cidrText([it.given])}, and ${namedObjectText(it.object)} has ${cidrText([it.view])} for it`,
        hint: `restart the controller manager of Liqo and ${IMPORT_AGAIN}; the lock has what the Configuration has`,
      };
  }
}

/** Each gateway has its own key of 32 bytes. */
export const keysCanBeUsed: FindingRule = function* (live) {
  for (const { holder, of, why, place } of gatewayKeys(live).unusable) {
    const object = `PublicKey ${place.namespace}/${place.name} of "${holder}"`;
    yield {
      code: 'import/unusable-key',
      cluster: holder,
      message:
        why === 'not-a-key'
          ? `${object}, for the gateway of "${of}", is not 32 bytes in base64`
          : `${object}, for the gateway of "${of}", is the key of another gateway as well`,
      hint: `give the gateway of "${of}" a key pair of its own; the keys file has none for it`,
    };
  }
};
