import { type Prefix, prefixAround } from '../../base/net/prefix.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { FIREWALL_LABELS } from '../../base/releases/labels.ts';
import { type Json, jsonAt, listAt, numberAt, textAt } from '../dumps/json.ts';
import { type KubernetesObject, kindKeyOf, type Place, placeOf } from '../dumps/kubernetes-object.ts';
import { FENCE_KIND, isOfBoundaries, networksIn, POLICY_KIND } from './boundaries.ts';

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
