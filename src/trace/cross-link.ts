import { bug } from '../diagnostics/bug.ts';
import type { AddressedCluster, AddressedModel, Peer } from '../ipam/addressed-model.ts';
import { clusterNamed } from '../ipam/cluster-named.ts';
import type { Chain } from '../nftables/ruleset.ts';
import { TUNNEL_INTERFACE } from '../releases/interfaces.ts';
import { type Address, known, sameAddress } from './address.ts';
import { applyRuleset, type Translated } from './apply-ruleset.ts';
import type { Packet } from './packet.ts';
import type { AppliedRule, Did, PacketHop } from './packet-hop.ts';
import { type Device, rulesetOf } from './rulesets.ts';

/** Stands for a Geneve interface; the real names end in letters of chance. */
const GENEVE = 'liqo.geneve';

/** What the CNI gave the packet to the node by, and what the node sends it on by; no rule of a node asks for them. */
const CNI = 'cni';

/** A single address that a cluster maps, known or not. */
export interface Mapping {
  readonly cluster: string;
  readonly external: Address;
  /** What it stands for, as the cluster itself sees it. */
  readonly real: number;
}

/** What connection tracking of a device remembers of the first packet. */
export interface Tracked {
  readonly before: Packet;
  readonly after: Packet;
}

/** A packet's way from a node of one cluster into the gateway of another, over their tunnel. */
export interface Crossing {
  readonly here: AddressedCluster;
  readonly peer: Peer;
  readonly far: AddressedCluster;
  readonly farPeer: Peer;
  readonly node: Tracked;
  readonly gateway: Tracked;
  readonly farGateway: Tracked;
  /** Whether the far gateway mapped a single address. */
  readonly mapped: boolean;
  readonly steps: readonly PacketHop[];
}

/** Through the tunnel to a peer that the destination belongs to. Always comes out: what happens there is another matter. */
export function crossLink(
  model: AddressedModel,
  here: AddressedCluster,
  peer: Peer,
  packet: Packet,
  mappings: readonly Mapping[],
): Crossing {
  const far = clusterNamed(model, peer.name);
  const farPeer = far.peers.get(here.name) ?? bug(`"${far.name}" does not know its peer "${here.name}"`);
  const steps: PacketHop[] = [];
  const add = (cluster: AddressedCluster, { source, destination }: Packet, did: Did) =>
    steps.push({ cluster: cluster.name, source, destination, did });

  const left = nat(here, peer, 'node', packet, ['postrouting', CNI, GENEVE]);
  add(here, left.packet, { kind: 'left-node', peer: peer.name, rule: left.rule });
  add(here, left.packet, { kind: 'overlay', to: 'gateway', peer: peer.name, route: nodeToGateway(peer.name) });

  const restored = nat(here, peer, 'gateway', left.packet, ['prerouting', GENEVE, null]);
  add(here, restored.packet, { kind: 'prerouting', peer: peer.name, rule: restored.rule });
  const out = nat(here, peer, 'gateway', restored.packet, ['postrouting', GENEVE, TUNNEL_INTERFACE]);
  if (out.rule) add(here, out.packet, { kind: 'postrouting', peer: peer.name, rule: out.rule });
  add(far, out.packet, { kind: 'tunnel', link: peer.link, to: far.name, route: intoTunnel(peer.name) });

  const met = nat(far, farPeer, 'gateway', out.packet, ['prerouting', TUNNEL_INTERFACE, null]);
  if (met.rule) add(far, met.packet, { kind: 'prerouting', peer: here.name, rule: met.rule });
  const mapping = mappings.find((it) => it.cluster === far.name && sameAddress(it.external, met.packet.destination));
  const meant = mapping ? { ...met.packet, destination: known(mapping.real) } : met.packet;
  if (mapping) add(far, meant, { kind: 'mapped', peer: here.name });
  const disguised = nat(far, farPeer, 'gateway', meant, ['postrouting', TUNNEL_INTERFACE, GENEVE]);
  add(far, disguised.packet, { kind: 'postrouting', peer: here.name, rule: disguised.rule });
  return {
    here,
    peer,
    far,
    farPeer,
    node: { before: packet, after: left.packet },
    gateway: { before: left.packet, after: out.packet },
    farGateway: { before: out.packet, after: disguised.packet },
    mapped: mapping !== undefined,
    steps,
  };
}

type Hook = readonly [hook: Chain['hook'], iifname: string, oifname: string | null];

function nat(
  cluster: AddressedCluster,
  peer: Peer,
  device: Device,
  packet: Packet,
  [hook, iifname, oifname]: Hook,
): { readonly packet: Packet; readonly rule: AppliedRule | null } {
  const done: Translated = applyRuleset(rulesetOf(cluster, peer, device), packet, { hook, iifname, oifname });
  return { packet: done.packet, rule: done.by && { cluster: cluster.name, peer: peer.name, device, ...done.by } };
}

// Names of the RouteConfigurations that carry a packet on; `<node>` is whichever node it concerns.
// Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/{external-network/route,internal-network/route}.

export const nodeToGateway = (peer: string): string => `${peer}-node-gw`;

export const intoTunnel = (peer: string): string => `${peer}-gw-ext`;

export const GATEWAY_TO_POD = '<node>-gw-node';

/** For addresses of other clusters, which the gateway hands to any node. */
export const GATEWAY_TO_TRANSIT = '<node>-extcidr';

/** For answers to the unknown source, which go to the node that began. */
export const GATEWAY_TO_SENDER = '<node>-service-nodeport-routing';
