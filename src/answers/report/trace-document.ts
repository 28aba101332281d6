import { printAddress, printPrefix } from '../../base/net/text.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { type GatewayOfLink, keylessGateways } from '../../fleet/model/network-model.ts';
import { type Address, printTraced } from '../../reach/trace/address.ts';
import { type AppliedRule, type Packet, type PacketHop, rulePlace } from '../../reach/trace/packet.ts';
import type { PairFate } from '../../reach/trace/pair-fates.ts';
import type { NextHop, Trace } from '../../reach/trace/trace.ts';

/** A trace as data. Programs rely on it: keys are added, never removed or given another meaning. */
interface TraceDocument {
  readonly from: EndRow & { readonly isNode: boolean };
  readonly to: EndRow;
  readonly fate: string;
  readonly why: string;
  readonly change: string | null;
  readonly route: RouteRow;
  /** Gateways without a public key: of the link of the two, which carries nothing, or of the link at which the packet ends. */
  readonly keyless: readonly GatewayOfLink[];
  readonly sent: PacketRow | null;
  readonly received: PacketRow | null;
  readonly mapping: { readonly hub: string; readonly real: string; readonly external: AddressRow } | null;
  /** Sentences about other clusters that use the dialled address, and what to dial for them. */
  readonly others: readonly string[];
  /** Sentences about the entries of `boundaries` that let it in, and about policies that would refuse it. */
  readonly policies: readonly string[];
  readonly there: readonly StepRow[];
  readonly back: readonly StepRow[];
}

interface EndRow {
  readonly cluster: string | null;
  readonly address: AddressRow;
  readonly port: number | null;
}

type RouteRow =
  | { readonly kind: 'local' | 'none' }
  | { readonly kind: 'direct'; readonly link: 'hub' | 'peering' | 'shortcut' }
  | { readonly kind: 'through'; readonly hub: string; readonly hubs: readonly string[] };

interface AddressRow {
  /** For people: an address, or what is known of it. */
  readonly text: string;
  /** `null` when it is known only at run time. */
  readonly address: string | null;
  /** The network of an address that is known only at run time, if the network is known before. */
  readonly network: string | null;
}

interface PacketRow {
  readonly source: AddressRow;
  readonly destination: AddressRow;
}

interface StepRow extends PacketRow {
  readonly cluster: string;
  readonly step: PacketHop['did']['kind'];
  /** The peer whose gateway it is, or whose rules the node applies. */
  readonly peer: string | null;
  /** The RouteConfiguration that sends the packet on. */
  readonly route: string | null;
  readonly rule: RuleRow | null;
}

interface RuleRow {
  readonly table: string;
  readonly chain: string;
  readonly name: string;
  /** Below the folder of the bundles; `null` for a rule that was read from a cluster. */
  readonly path: string | null;
  readonly line: number | null;
}

export function traceDocument(model: AddressedModel, trace: Trace): TraceDocument {
  const { from, to, fate, mapping } = trace;
  const step = (it: PacketHop) => stepRow(model, it);
  return {
    from: { cluster: from.cluster, address: addressRow(from.address), port: from.port, isNode: from.isNode },
    to: { cluster: to.cluster, address: addressRow(to.address), port: to.port },
    fate: fate.kind,
    why: fate.why,
    change: fate.change,
    route: routeRow(trace.route),
    keyless: trace.idle ? keylessGateways(trace.idle) : [],
    sent: trace.sent && packetRow(trace.sent),
    received: trace.received && packetRow(trace.received),
    mapping: mapping && {
      hub: mapping.cluster,
      real: printAddress(mapping.real),
      external: addressRow(mapping.external),
    },
    others: trace.others,
    policies: trace.policies,
    there: trace.there.map(step),
    back: trace.back.map(step),
  };
}

interface PairRow {
  readonly from: string;
  readonly to: string;
  readonly fate: PairFate['fate'];
  /** Gateways without a public key, of the first link at which packets end. */
  readonly keyless: readonly GatewayOfLink[];
  readonly route: {
    readonly kind: RouteRow['kind'];
    readonly link?: 'hub' | 'peering' | 'shortcut';
    readonly hub?: string;
    readonly hubs?: readonly string[];
  };
}

export const pairRow = ({ from, to, fate, way, keyless }: PairFate): PairRow => ({
  from,
  to,
  fate,
  keyless: keyless ? keylessGateways(keyless) : [],
  route: way.kind === 'direct' ? { kind: 'direct', link: way.link.kind } : way,
});

const routeRow = (route: NextHop): RouteRow =>
  route.kind === 'direct' ? { kind: 'direct', link: route.link.kind } : route;

export function addressRow(address: Address): AddressRow {
  return {
    text: printTraced(address),
    address: address.kind === 'known' ? printAddress(address.value) : null,
    network: address.kind === 'allocated' ? printPrefix(address.network) : null,
  };
}

const packetRow = ({ source, destination }: Packet): PacketRow => ({
  source: addressRow(source),
  destination: addressRow(destination),
});

function stepRow(model: AddressedModel, step: PacketHop): StepRow {
  const { did, cluster } = step;
  const rule = 'rule' in did ? did.rule : null;
  return {
    cluster,
    step: did.kind,
    peer: 'peer' in did ? did.peer : null,
    route: 'route' in did ? did.route : null,
    ...packetRow(step),
    rule: rule && ruleRow(model, rule),
  };
}

function ruleRow(model: AddressedModel, applied: AppliedRule): RuleRow {
  const { table, chain, rule } = applied;
  const place = rulePlace(model, applied);
  return { table, chain, name: rule.name, path: place?.file ?? null, line: place?.line ?? null };
}
