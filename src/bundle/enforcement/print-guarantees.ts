import { listOf, quoted } from '../../base/core/words.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { policiesOf } from '../../base/releases/platforms.ts';
import { firstLineWith } from '../../base/releases/traits.ts';
import {
  type BoundedModel,
  type BoundedNamespace,
  isClosedTowards,
  type Opening,
  openingsBetween,
  portsText,
} from '../../fleet/boundaries/bounded-model.ts';
import { type AddressedCluster, type Peer, unknownSource } from '../../fleet/ipam/addressed-model.ts';

/*
 * Comments in the files of fences and policies: who reads a bundle, or is paged, finds there what they limit and what they do not.
 * They contain facts of this cluster and of its entries only, so that no file changes when another cluster joins.
 */

const PAGE = 'What may cross a link, and why: docs/boundaries.md of weft.';

/** The comment of a fence. */
export function printFenceGuarantee(cluster: AddressedCluster, peer: Peer, model: BoundedModel): string {
  const [from, to] = [quoted(peer.name), quoted(cluster.name)];
  if (!isClosedTowards(peer, cluster))
    return comment([`The fence is empty, because the link is open: all that ${from} sends enters ${to}.`, PAGE]);
  const openings = openingsBetween(model, peer.name, cluster.name) ?? [];
  const masqueraded = openings.filter((it) => it.isMasqueraded);
  const senders = `${peer.cluster.fabric.fullMasquerade ? 'its pods, ' : ''}its nodes and the clusters behind it`;
  return comment([
    `The fence: new connections from ${from} enter ${to} only by an entry of \`boundaries\`. Not limited:`,
    '- connections that are open already, and those that begin before a gateway that has just started has loaded it;',
    `- connections to ${printPrefix(cluster.externalCIDR)}, the external CIDR, whose addresses are mapped at run time.`,
    `From ${printAddress(unknownSource(peer.cluster))} ${from} sends for ${senders}: ${opened(masqueraded)}.`,
    PAGE,
  ]);
}

/** The comment of the policies of a namespace. */
export function printPolicyGuarantee(cluster: AddressedCluster, namespace: BoundedNamespace): string {
  const { name, limitsIngress, limitsEgress } = namespace;
  const ways = [...(limitsIngress ? ['reach them'] : []), ...(limitsEgress ? ['leave them'] : [])];
  const { cni, platform, traits } = cluster;
  const enforcement = policiesOf(platform?.value ?? null, cni?.value ?? null);
  return comment([
    `Pods of namespace ${quoted(name)}: new connections over closed links ${listOf(ways)} only by an entry of \`boundaries\`. Not limited:`,
    `- connections inside ${quoted(cluster.name)}, and with networks that are no cluster of the fleet;`,
    '- connections that are open already, unless the network plugin ends them;',
    ...(limitsEgress
      ? ['- what they send to the external CIDRs of other clusters, whose addresses are mapped at run time;']
      : []),
    ...(limitsIngress && !traits.hasFences
      ? [
          `- namespaces without a policy: gateways have no fence before Liqo ${firstLineWith('hasFences')}, and this one runs ${cluster.release.version};`,
        ]
      : []),
    ...(limitsIngress
      ? ['- which cluster behind a hub it is: what a hub forwards arrives from one address of the hub.']
      : []),
    `${cni === null ? 'The network plugin must enforce NetworkPolicies' : `${cni.value} ${ENFORCEMENT[enforcement]}`}.`,
    PAGE,
  ]);
}

const ENFORCEMENT = {
  enforced: 'enforces NetworkPolicies',
  optional: 'enforces NetworkPolicies only if that is turned on',
  ignored: 'enforces no NetworkPolicy: without another controller these limit nothing',
} as const;

/** The connections that masqueraded openings let in. */
function opened(openings: readonly Opening[]): string {
  if (openings.length === 0) return 'nothing of that enters';
  const ports = openings.map((it) => [it.protocol ?? 'everything', ...it.ports.map(portsText)].join(' '));
  return `of that enters ${[...new Set(ports)].sort().join(', ')}`;
}

const comment = (lines: readonly string[]): string => lines.map((it) => `# ${it}\n`).join('');
