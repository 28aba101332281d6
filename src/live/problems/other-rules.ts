import { by, byCodeUnit } from '../../base/core/collections.ts';
import type { Prefix } from '../../base/net/prefix.ts';
import { printPrefix, readAddress, readPrefix } from '../../base/net/text.ts';
import { DEFAULT_INTERFACE, TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { lowerGatewayRuleset, lowerNodeRuleset } from '../../bundle/nftables/lower-rulesets.ts';
import { ANY, type Chain, type Match, type NftRule, type Ruleset, type Table } from '../../bundle/nftables/ruleset.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { isJsonMap, type Json, jsonAt, listAt, numberAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject, LiveCluster } from '../dumps/kubernetes-object.ts';
import { observeCluster } from '../facts/cluster.ts';

type Device = 'gateway' | 'node';

/** The FirewallConfigurations that Liqo creates for a Configuration: its name, and one of these endings. */
const TABLES: Readonly<Record<Device, readonly string[]>> = {
  gateway: ['remap-podcidr', 'remap-externalcidr'],
  node: ['masquerade-bypass'],
};

const KIND = 'FirewallConfiguration.networking.liqo.io';

/**
 * Returns the rules of live gateways and nodes that are not those which follow from the views of the model, by cluster,
 * peer and device. Clusters whose rules were not read count as having the right ones.
 */
export function rulesUnlikeViews(
  { clusters }: AddressedModel,
  live: readonly LiveCluster[],
): (cluster: string, peer: string, device: Device) => Ruleset | undefined {
  const found = new Map<string, Ruleset>();
  for (const it of live.filter(({ listed }) => listed.has(KIND))) {
    const cluster = clusters.get(it.cluster);
    const { peers } = observeCluster(it);
    for (const peer of cluster?.peers.values() ?? []) {
      const [configuration, ...others] = peers.get(peer.name)?.configurations ?? [];
      // Before the Configuration has its views there are no rules, and of several it is unknown whose rules count.
      if (cluster === undefined || configuration === undefined || others.length > 0 || configuration.seen === null)
        continue;
      const { namespace, name } = configuration;
      for (const device of ['gateway', 'node'] as const) {
        const objects = TABLES[device].map((kind) => it.objects.get(`${KIND} ${namespace}/${name}-${kind}`));
        const tables = objects.flatMap((one) => (one === undefined ? [] : [tableIn(one)]));
        const derived = device === 'gateway' ? lowerGatewayRuleset(cluster, peer) : lowerNodeRuleset(cluster, peer);
        if (rulesText({ tables }) !== rulesText(derived)) found.set(keyOf(it.cluster, peer.name, device), { tables });
      }
    }
  }
  return (...place) => found.get(keyOf(...place));
}

const keyOf = (...parts: readonly [cluster: string, peer: string, device: Device]): string => parts.join(' ');

/** Names of rules mean nothing, and Liqo writes rules of several own Networks in any order: no packet matches two. */
function rulesText({ tables }: Ruleset): string {
  const ruleText = ({ kind, match, to }: NftRule): string => JSON.stringify([kind, orderedMatch(match), to]);
  const chains = tables.flatMap((it) => it.chains);
  return chains
    .map(({ rules, ...chain }) => JSON.stringify([chain, rules.map(ruleText).sort(byCodeUnit)]))
    .sort(byCodeUnit)
    .join('\n');
}

const orderedMatch = (match: Match): Match => ({
  ...match,
  saddrNot: [...match.saddrNot].sort(by(printPrefix)),
  iifnameNot: [...match.iifnameNot].sort(byCodeUnit),
});

/** Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/firewall. */
const tableIn = ({ spec }: KubernetesObject & { readonly spec?: Json }): Table => ({
  family: 'ip',
  name: textAt(spec, 'table', 'name') ?? '',
  chains: listAt(spec, 'table', 'chains').flatMap(chainIn),
});

/** Empty for a chain that translates nothing. */
function chainIn(chain: Json): readonly Chain[] {
  const hook = textAt(chain, 'hook');
  if (textAt(chain, 'type') !== 'nat' || (hook !== 'prerouting' && hook !== 'postrouting')) return [];
  const rules = listAt(chain, 'rules', 'natRules').flatMap(ruleIn);
  const priority = numberAt(chain, 'priority') ?? 0;
  return [{ name: textAt(chain, 'name') ?? '', type: 'nat', hook, priority, policy: 'accept', rules }];
}

/** Empty for a rule with a condition that no rule of Liqo for views has: weft does not know what it matches. */
function ruleIn(rule: Json): readonly NftRule[] {
  const match = listAt(rule, 'match').reduce<Match | undefined>(withCondition, ANY);
  const to = textAt(rule, 'to') ?? '';
  const [network, address] = [readTarget(to), readAddress(to)];
  const base = { name: textAt(rule, 'name') ?? '', origin: null };
  if (match === undefined || network === undefined) return [];
  if (textAt(rule, 'natType') === 'dnat') return [{ ...base, match, kind: 'dnat-prefix', to: network }];
  if (textAt(rule, 'natType') !== 'snat') return [];
  return [
    address === undefined
      ? { ...base, match, kind: 'snat-prefix', to: network }
      : { ...base, match, kind: 'snat-address', to: address },
  ];
}

function withCondition(match: Match | undefined, condition: Json): Match | undefined {
  if (match === undefined) return undefined;
  const isNot = textAt(condition, 'op') === 'neq';
  const [ip, device] = [jsonAt(condition, 'ip'), jsonAt(condition, 'dev')];
  if (isJsonMap(ip)) {
    const network = readTarget(textAt(ip, 'value') ?? '');
    if (network === undefined) return undefined;
    if (textAt(ip, 'position') === 'dst') return isNot || match.daddr ? undefined : { ...match, daddr: network };
    if (isNot) return { ...match, saddrNot: [...match.saddrNot, network] };
    return match.saddr ? undefined : { ...match, saddr: network };
  }
  if (!isJsonMap(device)) return undefined;
  // The name of the other interface depends on the cluster.
  const name = textAt(device, 'value') === TUNNEL_INTERFACE ? TUNNEL_INTERFACE : DEFAULT_INTERFACE;
  if (textAt(device, 'position') === 'in')
    return isNot ? { ...match, iifnameNot: [...match.iifnameNot, name] } : { ...match, iifname: name };
  return isNot ? { ...match, oifnameNot: [...match.oifnameNot, name] } : { ...match, oifname: name };
}

function readTarget(text: string): Prefix | undefined {
  const read = readPrefix(text);
  if (read.ok) return read.prefix;
  const address = readAddress(text);
  return address === undefined ? undefined : { base: address, length: 32 };
}
