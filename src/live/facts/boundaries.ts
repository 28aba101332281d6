import { by } from '../../base/core/collections.ts';
import { type Prefix, prefixAround } from '../../base/net/prefix.ts';
import { readAddress, readPrefix } from '../../base/net/text.ts';
import { FENCE_PREFIX } from '../../bundle/enforcement/lower-fence.ts';
import { POLICY_NAME } from '../../bundle/enforcement/lower-policies.ts';
import { type Json, jsonAt, listAt, numberAt, textAt, textMapAt } from '../dumps/json.ts';
import { type KubernetesObject, kindKeyOf, type Place, placeOf, remoteOf } from '../dumps/kubernetes-object.ts';

/** The fences and policies of weft in a live cluster. */
export interface ObservedBoundaries {
  /** `null` when FirewallConfigurations were not listed. */
  readonly fences: readonly ObservedFence[] | null;
  /** `null` when NetworkPolicies were not listed. */
  readonly policies: readonly ObservedPolicy[] | null;
}

/** A fence in the gateway towards a peer. */
interface ObservedFence extends Place {
  readonly peer: string;
  /** False for one without chains, which lets in everything. */
  readonly isClosed: boolean;
  readonly allowed: readonly AllowedByFence[];
}

/** Addresses of both ends as their own clusters have them. */
interface AllowedByFence extends ObservedPorts {
  readonly source: Prefix;
  readonly destination: Prefix;
}

/** One protocol with some of its ports. */
export interface ObservedPorts {
  /** `null` for every protocol. */
  readonly protocol: 'TCP' | 'UDP' | null;
  /** Empty for every port; each is a number, or first to last: `8000-8100`. */
  readonly ports: readonly string[];
}

/** A NetworkPolicy that weft wrote. */
export interface ObservedPolicy extends Place {
  readonly pods: PolicyPods;
  /** `null` for a direction that it does not limit. */
  readonly ingress: PolicySide | null;
  readonly egress: PolicySide | null;
}

/** The pods that a policy selects: those with all of these labels, in order of their keys. */
export type PolicyPods = Readonly<Record<string, string>> | 'all' | 'not-by-labels';

interface PolicySide {
  /** Networks of peers behind closed links, as the cluster sees them. */
  readonly excluded: readonly Prefix[];
  readonly allowed: readonly AllowedByPolicy[];
}

interface AllowedByPolicy extends ObservedPorts {
  readonly networks: readonly Prefix[];
}

export const FENCE_KIND = 'FirewallConfiguration.networking.liqo.io';
export const POLICY_KIND = 'NetworkPolicy.networking.k8s.io';

/** True for a fence or a policy with the names that weft gives them. */
export const isOfBoundaries = (it: KubernetesObject): boolean =>
  (kindKeyOf(it) === FENCE_KIND && it.metadata.name.startsWith(FENCE_PREFIX)) ||
  (kindKeyOf(it) === POLICY_KIND && `${it.metadata.name}-`.startsWith(`${POLICY_NAME}-`));

/** True for the name of a fence, an object that a bundle applies and Liqo does not make. */
export const isFence = ({ kind, name }: { readonly kind: string; readonly name: string }): boolean =>
  kind === 'FirewallConfiguration' && name.startsWith(FENCE_PREFIX);

export function observeBoundaries(
  objects: readonly KubernetesObject[],
  listed: ReadonlySet<string>,
): ObservedBoundaries {
  const ours = objects.filter(isOfBoundaries);
  const of = (kind: string): readonly KubernetesObject[] | null =>
    listed.has(kind) ? ours.filter((it) => kindKeyOf(it) === kind) : null;
  return {
    fences: of(FENCE_KIND)?.flatMap(observeFence) ?? null,
    policies: of(POLICY_KIND)?.map(observeBoundaryPolicy) ?? null,
  };
}

function observeFence(object: KubernetesObject): readonly ObservedFence[] {
  const peer = remoteOf(object);
  if (peer === null) return [];
  const chains = listAt(object['spec'], 'table', 'chains');
  const rules = chains.flatMap((it) => listAt(it, 'rules', 'natRules'));
  return [{ ...placeOf(object), peer, isClosed: chains.length > 0, allowed: rules.flatMap(allowedByRule) }];
}

/** The rule for checks of the tunnel has no source, and that which refuses the rest no destination: both are in every fence. */
function allowedByRule(rule: Json): readonly AllowedByFence[] {
  const matches = listAt(rule, 'match').filter((it) => textAt(it, 'op') !== 'neq');
  const [source, destination] = ['src', 'dst'].map((position) =>
    ruleNetwork(matches.find((it) => textAt(it, 'ip', 'position') === position)),
  );
  if (source === undefined || destination === undefined) return [];
  const protocol = protocolIn(matches.flatMap((it) => textAt(it, 'proto', 'value') ?? [])[0]);
  const ports = matches.flatMap((it) =>
    textAt(it, 'port', 'position') === 'dst' ? (textAt(it, 'port', 'value') ?? []) : [],
  );
  return [{ source, destination, protocol, ports }];
}

function ruleNetwork(match: Json | undefined): Prefix | undefined {
  const text = textAt(match, 'ip', 'value') ?? '';
  const address = readAddress(text);
  return address === undefined ? networksIn(text)[0] : prefixAround(address, 32);
}

const protocolIn = (text: string | undefined): 'TCP' | 'UDP' | null => {
  const name = text?.toUpperCase();
  return name === 'TCP' || name === 'UDP' ? name : null;
};

const observeBoundaryPolicy = (object: KubernetesObject): ObservedPolicy => ({
  ...placeOf(object),
  pods: selectedPods(jsonAt(object['spec'], 'podSelector')),
  ingress: policySide(object, 'ingress', 'from'),
  egress: policySide(object, 'egress', 'to'),
});

function selectedPods(selector: Json | undefined): PolicyPods {
  if (listAt(selector, 'matchExpressions').length > 0) return 'not-by-labels';
  const labels = Object.entries(textMapAt(selector, 'matchLabels')).sort(by(([key]) => key));
  return labels.length === 0 ? 'all' : Object.fromEntries(labels);
}

function policySide(
  { spec }: KubernetesObject & { readonly spec?: Json },
  side: 'ingress' | 'egress',
  peers: 'from' | 'to',
) {
  if (jsonAt(spec, side) === undefined) return null;
  const rules = listAt(spec, side);
  return {
    excluded: rules
      .flatMap((it) => listAt(it, peers))
      .flatMap((it) => listAt(it, 'ipBlock', 'except').flatMap(networksIn)),
    allowed: rules.flatMap((rule) => {
      const networks = listAt(rule, peers).flatMap((it) => {
        const isBase = listAt(it, 'ipBlock', 'except').length > 0;
        return isBase ? [] : networksIn(jsonAt(it, 'ipBlock', 'cidr')).filter(({ length }) => length > 0);
      });
      return networks.length === 0 ? [] : portsIn(rule).map((it) => ({ ...it, networks }));
    }),
  };
}

/** The network in a text; empty for one of IPv6, which Liqo does not connect. */
export function networksIn(text: Json | undefined): readonly Prefix[] {
  const read = readPrefix(typeof text === 'string' ? text : '');
  return read.ok ? [read.prefix] : [];
}

/** One for each protocol, of which weft writes at most one into a rule. */
function portsIn(rule: Json): readonly ObservedPorts[] {
  const listed = listAt(rule, 'ports');
  if (listed.length === 0) return [{ protocol: null, ports: [] }];
  return (['TCP', 'UDP'] as const).flatMap((protocol) => {
    const own = listed.filter((it) => (textAt(it, 'protocol') ?? 'TCP') === protocol);
    const ports = own.map((it) =>
      [numberAt(it, 'port'), numberAt(it, 'endPort')].filter((one) => one !== null).join('-'),
    );
    return own.length === 0 ? [] : [{ protocol, ports: ports.includes('') ? [] : ports }];
  });
}
