import { isKustomization, parseBundlePath } from '../../base/core/bundle-path.ts';
import { by, byCodeUnit, groupBy, valueAt } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import { DEFAULT_INTERFACE, TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { type DocumentNode, type DocumentScalar, keySpanAt, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import type { Source, Span } from '../../base/source/source.ts';
import { PROBER_NAMESPACE } from '../../fleet/model/network-model.ts';
import { isJsonMap, type Json, jsonAt, listAt, textAt, textsAt } from '../dumps/json.ts';
import { type KubernetesObject, objectKey, remoteOf } from '../dumps/kubernetes-object.ts';
import { INTO_TUNNEL, observeRoutes, TO_GATEWAY, tunnelEndOf } from '../facts/routes.ts';

/** By `objectKey`. */
export type PromisedObjects = ReadonlyMap<string, PromisedObject>;

interface CompiledFiles {
  /** Path below `out/` to text. */
  readonly bundle: ReadonlyMap<string, string>;
  /** The folder in messages. */
  readonly root: string;
}

/** Returns all objects that the bundle of a cluster promises, applied or expected. */
export function promisedObjects(cluster: string, { bundle, root }: CompiledFiles): PromisedObjects {
  const files = filesByFolder(bundle).get(cluster) ?? [];
  const promised = new Map<string, PromisedObject>();
  const configurations = new Map<string, KubernetesObject['metadata']>();
  // Liqo adds to applied objects, so these are read first.
  for (const part of ['applied', 'expected'] as const) {
    for (const path of files.filter((it) => partOf(it) === part)) {
      for (const node of documentsOf(`${root}/${path}`, bundle.get(path) ?? '')) {
        const it: PromisedObject = {
          object: withFenceAsLines(withReadyProber(plainOf(node) as KubernetesObject)),
          nodes: [node],
          isApplied: part === 'applied',
        };
        const key = objectKey(it.object);
        const earlier = promised.get(key);
        promised.set(key, earlier === undefined ? it : bothPromises(earlier, it));
        const where = parseBundlePath(path);
        if (where?.part === 'peer' && it.object.kind === 'Configuration')
          configurations.set(where.peer, it.object.metadata);
      }
    }
  }
  for (const path of files) {
    const where = parseBundlePath(path);
    if (where?.part !== 'gateway-rules' && where?.part !== 'node-rules') continue;
    const of = configurations.get(where.peer);
    if (of === undefined) continue;
    for (const { object, node } of promisedRules({ path: `${root}/${path}`, text: bundle.get(path) ?? '' }, of))
      promised.set(objectKey(object), { object, nodes: [node], isApplied: false });
  }
  const all = [...promised.values()];
  for (const { object, nodes } of all.filter((it) => it.object.kind === 'Configuration'))
    for (const it of promisedRoutes(object, all)) promised.set(objectKey(it), { object: it, nodes, isApplied: false });
  return promised;
}

/** A prober that has no ready pod is not there, whatever its Deployment is. */
const withReadyProber = (it: KubernetesObject): KubernetesObject =>
  it.kind === 'Deployment' && it.metadata.namespace === PROBER_NAMESPACE ? { ...it, status: { readyReplicas: 1 } } : it;

/** A fence, which the bundle applies, in the form of the rules that Liqo creates itself. */
const withFenceAsLines = (it: KubernetesObject): KubernetesObject =>
  it.kind === 'FirewallConfiguration' ? withRulesAsLines(it) : it;

/** `undefined` for files without objects: values, rules, kustomizations. */
function partOf(text: string): 'applied' | 'expected' | undefined {
  const path = parseBundlePath(text);
  if (path === undefined || !text.endsWith('.yaml')) return undefined;
  if (path.part === 'expected') return 'expected';
  return isKustomization(path) || path.part === 'helm-values' ? undefined : 'applied';
}

function documentsOf(path: string, text: string): readonly DocumentNode[] {
  const reading = readYamlDocuments({ path, text });
  if (!reading.ok) return bug(`${path} is not YAML: ${reading.problem.message}`);
  return reading.documents.filter((it) => it.kind === 'map');
}

/** An object that a bundle promises: the applied fields, merged with those that controllers add. */
interface PromisedObject {
  readonly object: KubernetesObject;
  /** Its places in the bundle: applied ones first, then expected ones. */
  readonly nodes: readonly [DocumentNode, ...DocumentNode[]];
  /** False for an object that Liqo creates from applied ones. */
  readonly isApplied: boolean;
}

/** Source: argoproj/argo-cd docs/user-guide/sync-waves.md: 0 without the annotation. */
export const waveOf = ({ metadata }: KubernetesObject): number =>
  Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0) || 0;

/** Merges two promises about one object: the later one adds to the earlier one, and replaces its values. */
const bothPromises = (earlier: PromisedObject, later: PromisedObject): PromisedObject => ({
  object: merged(earlier.object, later.object) as KubernetesObject,
  nodes: [...earlier.nodes, ...later.nodes],
  isApplied: earlier.isApplied || later.isApplied,
});

function merged(under: object, over: object): object {
  const both = Object.entries(over).map(([key, value]: [string, Json | undefined]) => {
    const below = valueAt(under as Readonly<Record<string, Json | undefined>>, key);
    return [key, isJsonMap(below) && isJsonMap(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

/** The place of a part: its key, preferably in the expected object; the kind when the part is absent. */
export function promisedSpan({ nodes }: PromisedObject, path: readonly string[]): Span {
  for (let length = path.length; length > 0; length--) {
    const part = path.slice(0, length);
    const node = nodes.findLast((it) => nodeAt(it, part) !== undefined);
    if (node !== undefined) return keySpanAt(node, part);
  }
  const [first] = nodes;
  return nodeAt(first, ['kind'])?.span ?? first.span;
}

export type Files = ReadonlyMap<string, string>;
/** The paths of a bundle by their first folder, sorted. Cached, because it is called for each cluster. */
const filesByFolder = oncePer((bundle: Files) =>
  groupBy([...bundle.keys()].sort(byCodeUnit), (it) => [it.split('/', 1)[0] ?? '']),
);

/**
 * Yields the RouteConfigurations that follow from a Configuration with its views: into the tunnel for the networks of
 * the peer, and to the gateway for the views of them. Those about nodes contain addresses that are known at run time only.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/route/k8s.go,
 * .../internal-network/internalfabric-controller/route.go.
 */
function* promisedRoutes(configuration: KubernetesObject, all: readonly PromisedObject[]): Iterable<KubernetesObject> {
  const { name, namespace } = configuration.metadata;
  const remote = remoteOf(configuration);
  const gateway = all.find(({ object: it }) => GATEWAYS.has(it.kind) && it.metadata.namespace === namespace)?.object;
  if (remote === null || gateway === undefined) return;
  const far = tunnelEndOf(gateway.kind === 'GatewayServer' ? gateway.kind : 'GatewayClient');
  const cidrs = (part: 'spec' | 'status'): readonly string[] =>
    ['pod', 'external'].flatMap((kind) => textsAt(configuration[part] as Json, 'remote', 'cidr', kind));
  const routes = (of: string, lines: readonly string[]): KubernetesObject => ({
    apiVersion: 'networking.liqo.io/v1beta1',
    kind: 'RouteConfiguration',
    metadata: { name: of, ...(namespace === undefined ? {} : { namespace }) },
    spec: { routes: lines },
  });
  yield routes(
    `${name}${INTO_TUNNEL}`,
    cidrs('spec').map((it) => `to ${it} via ${far}`),
  );
  yield routes(
    `${remote}${TO_GATEWAY}`,
    cidrs('status').map((it) => `to ${it} via the gateway`),
  );
}

const GATEWAYS = new Set(['GatewayServer', 'GatewayClient']);

/** Converts a live RouteConfiguration into promised form. Routes that some nodes do not have are marked. */
export function withRoutesAsLines(object: KubernetesObject): KubernetesObject {
  const isIntoTunnel = object.metadata.name.endsWith(INTO_TUNNEL);
  const { routes, overlay } = observeRoutes(object);
  const rules = routes.map(({ to, dst, via, from }) => {
    const isToGateway = !isIntoTunnel && (overlay === null || via === overlay);
    return { from, line: `to ${to}${dst === to ? '' : `: ${dst}`} via ${isToGateway ? 'the gateway' : via}` };
  });
  const byNode = groupBy(rules, (it) => [it.from]);
  const lines = [...groupBy(rules, (it) => [it.line])].map(([line, those]) =>
    those.length < byNode.size ? `${line}, not from each node` : line,
  );
  return { ...object, spec: { routes: lines } };
}

/*
 * FirewallConfigurations that Liqo creates for a Configuration. The bundle documents them in `nftables/`, so both sides
 * are compared as lines of nft: the declaration of each chain, and its rules without their names, some of which are
 * random.
 */

/** Yields the FirewallConfigurations of a file in `nftables/`, each with the place of its table. */
function* promisedRules(
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
