import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Prefix } from '../../../base/net/prefix.ts';
import { type DocumentNode, nodeAt } from '../../../base/source/document-node.ts';
import type { ExpectedEnd } from '../expectation.ts';
import { type ExpectedOpening, expectOpenings, hasFence, isClosedInto } from '../expected/expect-boundaries.ts';
import { type KubeObject, nearestKey, textAt } from '../kube-object.ts';
import { addressText, cidrText } from '../networks.ts';
import { type CheckContext, forEachEnd, type Part } from './bundle-check.ts';
import { compareObject } from './compare-object.ts';

/**
 * The fence of a gateway lets in what the topology opens and nothing else, and what Liqo's webhook refuses is not in it: a
 * refused object would leave the gateway without a fence. Checks of links know whether it must be there, and its labels.
 */
export const fencesMatchBoundaries = forEachEnd(function* (context, cluster, peer) {
  const end = cluster.expected.ends.get(peer.name);
  if (end === undefined || !hasFence(end, context.expected)) return;
  for (const it of peer.objects.filter(({ kind }) => kind === 'FirewallConfiguration')) {
    yield* refusedByWebhook(it);
    const wanted = fenceOf(context, end);
    if (wanted === undefined) continue;
    const what = `the fence of "${cluster.name}" towards "${peer.name}"`;
    const isOthers = ([first]: readonly (string | number)[]): boolean => first !== 'spec';
    yield* compareObject({ what, node: it.node, isOthers, codeOf: () => 'verify/boundary' }, { spec: wanted });
  }
});

/** The required rules; `undefined` while an address is unknown, which other checks report. */
function fenceOf({ expected: fleet, addresses }: CheckContext, end: ExpectedEnd): Part | undefined {
  const name = `weft-fence-${end.peer}`;
  if (!isClosedInto(end, fleet)) return { table: { chains: [], family: 'IPV4', name } };
  const [own, others] = [addresses.get(end.cluster)?.external, addresses.get(end.peer)?.external];
  if (!own || !others) return undefined;
  const rules = new Map<string, Part>();
  const allow = (source: string | null, destination: string, transport: Transport): void => {
    const { protocol, ports } = transport;
    const words = [source ?? 'any', 'to', destination, protocol, ports].filter((it) => it !== undefined);
    const rule = words.map((it) => it.replace(/[./]/g, '-')).join('-');
    rules.set(rule, {
      match: [
        INSIDE_TUNNEL,
        ...(source === null ? [] : [{ ip: { position: 'src', value: source }, op: 'eq' }]),
        { ip: { position: 'dst', value: destination }, op: 'eq' },
        ...(protocol === undefined ? [] : [{ op: 'eq', proto: { value: protocol } }]),
        ...(ports === undefined ? [] : [{ op: 'eq', port: { position: 'dst', value: ports } }]),
      ],
      name: rule,
      natType: 'dnat',
      to: destination,
    });
  };
  // The ping between the gateways. Source: liqotech/liqo@v1.2.0 pkg/gateway/tunnel/netlink.go.
  allow(null, '169.254.18.0/30', {});
  for (const it of expectOpenings(fleet, end.peer, end.cluster)) {
    const sources = it.sources === 'external address' ? [`${addressText(others.base)}/32`] : texts(it.sources);
    for (const source of sources)
      for (const destination of texts(it.destinations))
        for (const transport of transportsOf(it)) allow(source, destination, transport);
  }
  const sorted = [...rules.keys()].sort().flatMap((it) => rules.get(it) ?? []);
  const deny: Part = {
    match: [INSIDE_TUNNEL, { ip: { position: 'dst', value: cidrText(own) }, op: 'neq' }],
    name: 'deny',
    natType: 'dnat',
    to: '127.0.0.1',
  };
  return { table: { chains: [natChain('allow', -120, sorted), natChain('deny', -110, [deny])], family: 'IPV4', name } };
}

const INSIDE_TUNNEL: Part = { dev: { position: 'in', value: 'liqo-tunnel' }, op: 'eq' };

const natChain = (name: string, priority: number, natRules: readonly Part[]): Part => ({
  ...{ hook: 'prerouting', name, policy: 'accept', priority, rules: { natRules }, type: 'nat' },
});

interface Transport {
  readonly protocol?: string;
  readonly ports?: string;
}

function transportsOf({ protocol, ports }: ExpectedOpening): readonly Transport[] {
  if (ports.length === 0) return [protocol === null ? {} : { protocol: protocol.toLowerCase() }];
  return ports.map(({ first, last }) => ({
    protocol: (protocol ?? 'TCP').toLowerCase(),
    ports: first === last ? `${first}` : `${first}-${last}`,
  }));
}

const texts = (networks: readonly Prefix[]): readonly string[] => networks.map(cidrText);

/**
 * The rules of Liqo's webhook, and what its gateway reads wrongly without being refused: an unmasked network never matches, and
 * a negated protocol or range of ports is not negated. Source: liqotech/liqo@v1.2.0
 * pkg/webhooks/firewallconfiguration, pkg/firewall/utils/match.go.
 */
function* refusedByWebhook({ node }: KubeObject): Iterable<Diagnostic> {
  const chains = itemsAt(node, ['spec', 'table', 'chains']);
  const names = new Set<string>();
  for (const chain of chains) {
    const name = textAt(chain, ['name']);
    if (name.text === undefined || names.has(name.text))
      yield diagnostic('verify/boundary', name.at, 'each chain of a table needs a name of its own');
    names.add(name.text ?? '');
    const ruleNames = new Set<string>();
    for (const rule of itemsAt(chain, ['rules', 'natRules'])) {
      const its = textAt(rule, ['name']);
      if (its.text === undefined || ruleNames.has(its.text))
        yield diagnostic(
          'verify/boundary',
          its.at,
          'each rule of a chain needs a name of its own: Liqo finds it by that',
        );
      ruleNames.add(its.text ?? '');
      for (const match of itemsAt(rule, ['match'])) yield* misread(match);
    }
    for (const kind of ['filterRules', 'routeRules']) {
      if (nodeAt(chain, ['rules', kind]) === undefined) continue;
      yield diagnostic(
        'verify/boundary',
        nearestKey(chain, ['rules', kind]),
        'a chain of type nat has only rules of that type',
      );
    }
  }
}

function* misread(match: DocumentNode): Iterable<Diagnostic> {
  const isNegated = textAt(match, ['op']).text === 'neq';
  const port = textAt(match, ['port', 'value']);
  if (isNegated && (nodeAt(match, ['proto']) !== undefined || port.text?.includes('-')))
    yield diagnostic(
      'verify/boundary',
      textAt(match, ['op']).at,
      'Liqo does not negate a protocol or a range of ports',
    );
  const network = textAt(match, ['ip', 'value']);
  const [, a = '', b = '', c = '', d = '', length = ''] =
    /^(\d+)\.(\d+)\.(\d+)\.(\d+)\/(\d+)$/.exec(network.text ?? '') ?? [];
  if (length === '') return;
  const address = [a, b, c, d].reduce((sum, it) => sum * 256 + Number(it), 0);
  if (address % 2 ** (32 - Number(length)) !== 0)
    yield diagnostic(
      'verify/boundary',
      network.at,
      'a network with host bits matches no packet in the gateways of Liqo',
    );
}

function itemsAt(node: DocumentNode, path: readonly string[]): readonly DocumentNode[] {
  const found = nodeAt(node, path);
  return found?.kind === 'list' ? found.items : [];
}
