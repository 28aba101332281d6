import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ReleaseTraits } from '../../../base/releases/traits.ts';
import type { DocumentMap, DocumentPath } from '../../../base/source/document-node.ts';
import type { ExpectedCluster, OwnNetworks, OwnRequest } from '../expectation.ts';
import { type FoundText, nearestKey, textAt, textsAt } from '../kube-object.ts';
import { cidrText } from '../networks.ts';
import { type OwnNetwork, ownOfType, type RebuiltCluster } from '../rebuild-network.ts';
import { type CheckContext, compareParts, compareText, forEachCluster, type Part } from './bundle-check.ts';

/**
 * Helm's values contain the ID of the cluster; they and the Networks of the install contain the own networks of the
 * topology.
 */
export const ownAddressesAgree = forEachCluster(function* (context, cluster) {
  const { bundle } = context;
  if (cluster.expected.retired) return;
  const values = bundle.maps.get(`${cluster.name}/helm-values.yaml`);
  if (values) yield* checkHelmValues(values, cluster);
  if (bundle.objects.has(`${cluster.name}/expected/networks.yaml`)) yield* checkOwnNetworks(context, cluster, values);
});

function* checkHelmValues(
  values: DocumentMap,
  { name, blocks, expected: { own, traits } }: RebuiltCluster,
): Iterable<Diagnostic> {
  const what = (key: string): string => `ipam.${key} of "${name}"`;
  const one = (key: string, wanted: string | null) =>
    compareText({ code: 'verify/own-addresses', what: what(key), found: textAt(values, ['ipam', key]), wanted });
  const many = (key: string, wanted: readonly string[]) => listIs(values, ['ipam', key], what(key), wanted);
  const [pod = ''] = own.pods;
  // The chart generates an ID when there is none. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates.
  yield* compareText({
    code: 'verify/own-addresses',
    what: `discovery.config.clusterID of "${name}"`,
    found: textAt(values, ['discovery', 'config', 'clusterID']),
    wanted: name,
  });
  yield* many('pools', own.pools);
  yield* own.pods.length === 1 ? one('podCIDR', pod) : many('podCIDRs', own.pods);
  yield* one('serviceCIDR', own.service);
  yield* many('reservedSubnets', own.reserved);
  for (const kind of ['external', 'internal'] as const) {
    // Another check proves that an announced block is valid; the chart must get the same block.
    const key = `${kind}CIDR`;
    const carved = blocks[kind]?.text ?? textAt(values, ['ipam', key]).text ?? 'a carved block';
    yield* one(key, own[kind].kind === 'auto' ? carved : helmValueOf(own[kind], traits));
  }
}

/** The value for the chart. Since 1.2 a value pins the network, so Liqo's own default is left out. */
const helmValueOf = ({ kind, cidr }: OwnRequest, { pinsExplicitOwnCIDRs }: ReleaseTraits): string | null =>
  kind === 'default' && pinsExplicitOwnCIDRs ? null : cidr;

function* listIs(node: DocumentMap, path: DocumentPath, what: string, wanted: readonly string[]): Iterable<Diagnostic> {
  const found = textsAt(node, path);
  const missing: FoundText = { text: undefined, at: nearestKey(node, path) };
  for (let i = 0; i < Math.max(found.length, wanted.length); i++) {
    const item = found[i] ?? missing;
    yield* compareText({
      code: 'verify/own-addresses',
      what: `entry ${i + 1} of ${what}`,
      found: item,
      wanted: wanted[i] ?? null,
    });
  }
}

function* checkOwnNetworks(
  context: CheckContext,
  cluster: RebuiltCluster,
  values: DocumentMap | undefined,
): Iterable<Diagnostic> {
  const { own } = cluster.expected;
  yield* checkFixedNetworks(cluster, 'pod-cidr', own.pods);
  yield* checkFixedNetworks(cluster, 'service-cidr', [own.service]);
  yield* checkFixedNetworks(cluster, 'reserved', own.reserved);
  for (const kind of ['external', 'internal'] as const) yield* movable(context, { cluster, kind, values });
  for (const it of cluster.own) yield* checkNetworkNames(it, cluster);
}

/** Networks that Liqo must not move: the assigned CIDR equals the requested one. */
function* checkFixedNetworks(cluster: RebuiltCluster, type: string, wanted: readonly string[]): Iterable<Diagnostic> {
  const found = ownOfType(cluster, type);
  const what = `the ${type} Network of "${cluster.name}"`;
  if (found.length < wanted.length) yield missingNetwork(cluster, what);
  for (const [i, it] of found.entries()) {
    const value = wanted[i] ?? null;
    yield* compareText({ code: 'verify/own-addresses', what, found: it.wanted, wanted: value });
    yield* compareText({ code: 'verify/own-addresses', what: `the status of ${what}`, found: it.given, wanted: value });
  }
}

function missingNetwork(cluster: RebuiltCluster, what: string): Diagnostic {
  const [some] = cluster.own;
  return diagnostic('verify/own-addresses', some?.object.at ?? cluster.expected.at, `${what} is missing`);
}

interface Movable {
  readonly cluster: RebuiltCluster;
  readonly kind: 'external' | 'internal';
  readonly values: DocumentMap | undefined;
}

/** Checks the external and internal Networks, which Liqo may move. */
function* movable({ addresses }: CheckContext, { cluster, kind, values }: Movable): Iterable<Diagnostic> {
  const [it, ...more] = ownOfType(cluster, `${kind}-cidr`);
  const what = `the ${kind}-cidr Network of "${cluster.name}"`;
  if (!it) {
    yield missingNetwork(cluster, what);
    return;
  }
  for (const extra of more)
    yield diagnostic('verify/own-addresses', extra.object.at, `"${cluster.name}" has a second ${kind}-cidr Network`);
  const { own } = cluster.expected;
  const inValues = values && textAt(values, ['ipam', `${kind}CIDR`]);
  const wanted = own[kind].cidr ?? inValues?.text;
  if (wanted !== undefined) {
    const phrase = own[kind].kind === 'auto' ? "Helm's values contain" : undefined;
    yield* compareText({
      code: 'verify/own-addresses',
      what,
      found: it.wanted,
      wanted,
      other: inValues,
      ...(phrase ? { phrase } : {}),
    });
  }
  const given = addresses.get(cluster.name)?.[kind];
  if (!given) return;
  yield* compareText({
    code: 'verify/own-addresses',
    what: `the status of ${what}`,
    found: it.given,
    wanted: cidrText(given),
    // Before 1.2, and without a value, Liqo moves a Network that collides.
    phrase: cidrText(given) === it.wanted.text ? 'its spec requests' : 'the IPAM assigns',
    other: it.wanted,
  });
}

/**
 * Checks the names in Liqo's chart. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-ipam-networks.yaml.
 */
function* checkNetworkNames({ type, object, wanted }: OwnNetwork, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const name = networkNameOf(type, wanted.text ?? '', cluster.expected);
  const found = textAt(object.node, ['metadata', 'name']);
  if (name !== null)
    yield* compareText({
      code: 'verify/identity',
      what: `the name of a ${type} Network of "${cluster.name}"`,
      found,
      wanted: name,
      phrase: 'Liqo names it',
    });
  yield* compareParts(
    { code: 'verify/identity', what: `the ${type} Network of "${cluster.name}"`, node: object.node },
    networkLabels(type, cluster.expected),
  );
  yield* compareText({
    code: 'verify/identity',
    what: `the namespace of a ${type} Network of "${cluster.name}"`,
    found: textAt(object.node, ['metadata', 'namespace']),
    wanted: cluster.expected.liqoNamespace,
    phrase: 'Liqo runs in',
  });
}

type WantedPart = readonly [path: readonly string[], value: Part];

/** Expected objects are compared with live ones by kind. Source: liqotech/liqo@v1.0.3 and @v1.2.0 apis/ipam/v1alpha1. */
export const KIND_OF_NETWORKS: readonly WantedPart[] = [
  [['apiVersion'], 'ipam.liqo.io/v1alpha1'],
  [['kind'], 'Network'],
];

/**
 * Labels that mark Networks which Liqo must not move or which share addresses, and the number of addresses that are
 * reserved at the start of the external CIDR. Source: liqotech/liqo@v1.2.0 and @v1.1.2
 * deployments/liqo/templates/liqo-ipam-networks.yaml.
 */
function networkLabels(type: string, { own, traits }: ExpectedCluster): readonly WantedPart[] {
  const kind = type === 'external-cidr' ? 'external' : type === 'internal-cidr' ? 'internal' : null;
  const isPinned = kind === null || (traits.pinsExplicitOwnCIDRs && own[kind].kind !== 'default');
  const isShared = kind === null && traits.labelsSharedNetworks;
  return [
    ...KIND_OF_NETWORKS,
    [['metadata', 'labels', 'ipam.liqo.io/network-not-remapped'], isPinned ? 'true' : undefined],
    [['metadata', 'labels', 'ipam.liqo.io/network-shared'], isShared ? 'true' : undefined],
    [['metadata', 'annotations', 'liqo.io/preinstalled'], 'true'],
    [['spec', 'preAllocated'], kind === 'external' ? 1 : undefined],
  ];
}

function networkNameOf(
  type: string,
  cidr: string,
  { own, traits }: { readonly own: OwnNetworks; readonly traits: ReleaseTraits },
): string | null {
  const inName = cidr.replace(/[./]/g, '-');
  if (type === 'pod-cidr' && own.pods.length > 1) return `pod-cidr-${inName}`;
  if (type !== 'reserved') return type;
  if (traits.namesReservedNetworksByCIDR) return `reserved-${inName}`;
  const index = own.reserved.indexOf(cidr);
  return index === -1 ? null : `reserved-${index + 1}`;
}
