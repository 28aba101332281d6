import { by } from '../../base/core/collections.ts';
import { DEFAULT_INTERFACE, TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import type { DocumentScalar } from '../../base/source/document-node.ts';
import type { Source } from '../../base/source/source.ts';
import { isJsonMap, type Json, jsonAt, listAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';

/*
 * FirewallConfigurations that Liqo creates for a Configuration. The bundle documents them in `nftables/`, so both sides
 * are compared as lines of nft: the declaration of each chain, and its rules without their names, some of which are
 * random.
 */

/** Yields the FirewallConfigurations of a file in `nftables/`, each with the place of its table. */
export function* promisedRules(
  source: Source,
  { name, namespace }: KubernetesObject['metadata'],
): Iterable<{ readonly object: KubernetesObject; readonly node: DocumentScalar }> {
  for (const table of source.text.matchAll(/^table ip (\S+) \{\n([\s\S]*?)^\}$/gm)) {
    const [all, called = '', body = ''] = table;
    const kind = called.endsWith(BYPASS) ? BYPASS : called;
    const chains = [...body.matchAll(/^ {2}chain (\S+) \{\n([\s\S]*?)^ {2}\}$/gm)].map(
      ([, chain = '', lines = '']) => [chain, linesOf(lines)] as const,
    );
    yield {
      object: {
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'FirewallConfiguration',
        metadata: { name: `${name}-${kind}`, ...(namespace === undefined ? {} : { namespace }) },
        spec: Object.fromEntries(chains),
      },
      node: {
        kind: 'scalar',
        span: { source, start: table.index, end: table.index + all.indexOf('\n') },
        value: null,
      },
    };
  }
}

/** The suffix of the nodes' table, whose name contains that of the Configuration. */
const BYPASS = 'masquerade-bypass';

const linesOf = (text: string): readonly string[] =>
  text.split('\n').flatMap((it) => {
    const line = it.trim().replace(/ comment "[^"]*"$/, '');
    if (line === '' || line.startsWith('type ')) return line === '' ? [] : [line];
    return [sortedRule(line.match(CONDITION) ?? [], line.replaceAll(CONDITION, '').trim())];
  });

const CONDITION = /(ip [sd]addr (!= )?\S+|[io]ifname (!= )?"[^"]*")/g;

/** Sorts the conditions of a rule: Liqo writes those about several own Networks in any order. */
const sortedRule = (conditions: readonly string[], action: string): string =>
  [...[...conditions].sort(by((it) => `${ORDER.findIndex((start) => it.startsWith(start))} ${it}`)), action].join(' ');

/** The order in which weft prints conditions. */
const ORDER = ['oifname "', 'oifname !=', 'ip daddr', 'ip saddr', 'iifname "', 'iifname !='];

/** Converts a live FirewallConfiguration into promised form. Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/firewall. */
export function withRulesAsLines(object: KubernetesObject): KubernetesObject {
  const chains = listAt(object['spec'], 'table', 'chains').map((it) => {
    const [name, type, hook, policy] = ['name', 'type', 'hook', 'policy'].map((key) => textAt(it, key) ?? '');
    const rules = ['natRules', 'filterRules', 'routeRules'].flatMap((key) => listAt(it, 'rules', key));
    const priority = JSON.stringify(jsonAt(it, 'priority') ?? 0);
    const lines = [`type ${type} hook ${hook} priority ${priority}; policy ${policy};`, ...rules.map(lineOf)];
    return [name ?? '', lines] as const;
  });
  return { ...object, spec: Object.fromEntries(chains) };
}

function lineOf(rule: Json): string {
  const [type, to] = [textAt(rule, 'natType'), textAt(rule, 'to')];
  const action =
    type === undefined
      ? JSON.stringify(rule)
      : `${type}${to === undefined ? '' : ` ${to.includes('/') ? 'ip prefix ' : ''}to ${to}`}`;
  return sortedRule(listAt(rule, 'match').map(conditionIn), action);
}

function conditionIn(match: Json): string {
  const not = textAt(match, 'op') === 'neq' ? '!= ' : '';
  const [ip, device] = [jsonAt(match, 'ip'), jsonAt(match, 'dev')];
  if (isJsonMap(ip)) return `ip ${textAt(ip, 'position') === 'src' ? 's' : 'd'}addr ${not}${textAt(ip, 'value')}`;
  if (!isJsonMap(device)) return JSON.stringify(match);
  // The name of the other interface depends on the cluster and is unknown to git.
  const name = textAt(device, 'value') === TUNNEL_INTERFACE ? TUNNEL_INTERFACE : DEFAULT_INTERFACE;
  return `${textAt(device, 'position') === 'in' ? 'i' : 'o'}ifname ${not}"${name}"`;
}
