import { by } from '../../base/core/collections.ts';
import { type Prefix, prefixAround } from '../../base/net/prefix.ts';
import { readAddress, readPrefix } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { FIREWALL_LABELS } from '../../base/releases/labels.ts';
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

const FENCE_KIND = 'FirewallConfiguration.networking.liqo.io';
const POLICY_KIND = 'NetworkPolicy.networking.k8s.io';

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

/** Objects that may limit or translate connections between clusters, and that neither Liqo nor weft made. */
export interface LimitsOfOthers {
  readonly firewalls: readonly OtherFirewall[];
  readonly policies: readonly OtherPolicy[];
  /** The kinds of these that may not be listed. */
  readonly unread: readonly string[];
}

/** A FirewallConfiguration that gateways or nodes load. */
export interface OtherFirewall extends Place {
  /** The gateways towards a peer, those of every link, or the nodes. */
  readonly loadedBy: { readonly peer: string } | 'gateways' | 'nodes';
  readonly table: string;
  readonly chains: readonly OtherChain[];
}

export interface OtherChain {
  readonly type: string;
  readonly hook: string;
  readonly priority: number;
  /** Its greatest effect on packets from the tunnel. */
  readonly does: 'drops' | 'translates' | 'nothing';
}

/** A NetworkPolicy that names networks, or allows all of them. */
export interface OtherPolicy extends Place {
  readonly blocks: readonly PolicyBlock[];
}

export interface PolicyBlock {
  readonly side: 'ingress' | 'egress';
  readonly network: Prefix;
  readonly except: readonly Prefix[];
}

export const observeLimits = (
  objects: readonly KubernetesObject[],
  forbidden: ReadonlySet<string>,
): LimitsOfOthers => ({
  firewalls: objects.filter((it) => kindKeyOf(it) === FENCE_KIND && !isOfBoundaries(it)).flatMap(observeFirewall),
  policies: objects.filter((it) => kindKeyOf(it) === POLICY_KIND && !isOfWeft(it)).flatMap(observeOtherPolicy),
  unread: [FENCE_KIND, POLICY_KIND].filter((it) => forbidden.has(it)),
});

const isOfWeft = ({ metadata }: KubernetesObject): boolean => metadata.labels?.['app.kubernetes.io/part-of'] === 'weft';

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking, deployments/liqo/templates (gw-mss-clamping). */
const OF_LIQO =
  /(-remap-(pod|external)cidr|-masquerade-bypass|-remap-ipmapping-(gw|fabric)|^service-nodeport-routing|^gw-mss-clamping)$/;

/** Objects without these labels are loaded by nothing. Source: liqotech/liqo@v1.2.0 cmd/gateway/main.go, cmd/fabric/main.go. */
function observeFirewall(object: KubernetesObject): readonly OtherFirewall[] {
  if (OF_LIQO.test(object.metadata.name)) return [];
  const labels = object.metadata.labels ?? {};
  const category = labels[FIREWALL_LABELS.category];
  const isForAll = labels[FIREWALL_LABELS.subcategory] !== undefined;
  const peer = labels[FIREWALL_LABELS.unique];
  const loadedBy =
    category === 'gateway' ? (isForAll ? 'gateways' : peer && { peer }) : category === 'fabric' ? 'nodes' : undefined;
  if (loadedBy === undefined || loadedBy === '') return [];
  const table = textAt(object['spec'], 'table', 'name') ?? '';
  return [{ ...placeOf(object), loadedBy, table, chains: listAt(object['spec'], 'table', 'chains').map(observeChain) }];
}

function observeChain(chain: Json): OtherChain {
  const [type = '', hook = '', policy] = ['type', 'hook', 'policy'].map((it) => textAt(chain, it));
  const filters = listAt(chain, 'rules', 'filterRules').filter(mayBeFromTunnel);
  const drops = policy === 'drop' || filters.some((it) => ['drop', 'reject'].includes(textAt(it, 'action') ?? ''));
  const translates = listAt(chain, 'rules', 'natRules').some(mayBeFromTunnel);
  const does = drops ? 'drops' : translates ? 'translates' : 'nothing';
  return { type, hook, priority: numberAt(chain, 'priority') ?? 0, does };
}

/** False for a rule about another interface. */
const mayBeFromTunnel = (rule: Json): boolean =>
  listAt(rule, 'match').every((it) => {
    if (textAt(it, 'dev', 'position') !== 'in') return true;
    return (textAt(it, 'dev', 'value') === TUNNEL_INTERFACE) === (textAt(it, 'op') !== 'neq');
  });

function observeOtherPolicy(object: KubernetesObject): readonly OtherPolicy[] {
  const blocks = [...blocksOf(object, 'ingress', 'from'), ...blocksOf(object, 'egress', 'to')];
  return blocks.length === 0 ? [] : [{ ...placeOf(object), blocks }];
}

/** A rule without peers allows every address. */
function blocksOf({ spec }: KubernetesObject, side: PolicyBlock['side'], peers: 'from' | 'to'): readonly PolicyBlock[] {
  return listAt(spec, side).flatMap((rule) => {
    const named = listAt(rule, peers);
    if (named.length === 0) return [{ side, network: prefixAround(0, 0), except: [] }];
    return named.flatMap((it) =>
      networksIn(jsonAt(it, 'ipBlock', 'cidr')).map((network) => {
        return { side, network, except: listAt(it, 'ipBlock', 'except').flatMap(networksIn) };
      }),
    );
  });
}
