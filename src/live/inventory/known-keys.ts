import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { TOPOLOGY_KEYS } from '../../base/generated/topology-keys.js';
import type { DocumentNode } from '../../base/source/document-node.ts';
import type { Span } from '../../base/source/source.ts';
import { listNode, scalarNode, withoutIPv6 } from './inventory.ts';

/** A key of a cluster that an inventory may have, under whatever name. */
export interface InventoryKey {
  /** Its path below the cluster; empty for the name of the cluster. */
  readonly path: readonly string[];
  /** The node for a text; lists are separated by blanks, commas or semicolons. */
  readonly nodeOf: (text: string, span: Span) => DocumentNode;
}

/** Finds the key of a name like podCIDR, pod_cidr, Pod CIDR or labels.site; `undefined` for any other name. */
export function knownKey(name: string): InventoryKey | undefined {
  const [, label] = /^labels?[._](.+)$/i.exec(name.trim()) ?? [];
  if (label !== undefined) return { path: ['labels', label], nodeOf: scalarNode };
  const plain = plainName(name);
  if (NAMES.has(plain)) return { path: [], nodeOf: scalarNode };
  return KEYS.get(OTHER_NAMES[plain] ?? plain);
}

/** The key that an unknown name may mean. */
export const meantKey = (name: string): string | undefined => {
  const meant = didYouMean(plainName(name), ['name', ...KEYS.keys()]);
  return meant === undefined ? undefined : (KEYS.get(meant)?.path.join('.') ?? meant);
};

const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9.]/g, '');

const NAMES: ReadonlySet<string> = new Set(['name', 'cluster', 'clustername', 'clusterid']);

/** Names of the same networks in other programs. Sources: kubeadm, Terraform's providers for GKE, AKS and EKS, NetBox. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...named('podcidr', [
    'podcidrs',
    'podscidr',
    'podscidrs',
    'podnetwork',
    'podnetworkcidr',
    'podsubnet',
    'clustercidr',
  ]),
  ...named('podcidr', ['clusteripv4cidr', 'podipv4cidr', 'podcidrblock', 'podcidrblocks']),
  ...named('servicecidr', ['servicescidr', 'servicecidrs', 'servicenetwork', 'servicenetworkcidr', 'servicesubnet']),
  ...named('servicecidr', ['servicesipv4cidr', 'serviceipv4cidr', 'servicecidrblock', 'servicecidrblocks']),
  ...named('reserved', ['reservedcidr', 'reservedcidrs', 'nodecidr', 'nodecidrs', 'nodesubnet', 'nodesubnets']),
  ...named('gateway', ['gatewayaddress', 'gatewayip']),
  ...named('apiserver', ['apiserverurl', 'apiserveraddress', 'server', 'endpoint', 'clusterendpoint']),
  ...named('liqo.version', ['liqoversion', 'liqorelease']),
};

function named(key: string, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map((it) => [it, key]));
}

/** The keys of a cluster by their plain name: those that are a text, a number, a truth value, or a list of texts. */
const KEYS: ReadonlyMap<string, InventoryKey> = new Map(
  TOPOLOGY_KEYS.flatMap(({ path, type }) => {
    const [, below] = /^clusters\.NAME\.((?!.*NAME|gateway\.tolerations).+)$/.exec(path) ?? [];
    if (below === undefined || type === 'a map') return [];
    return [[plainName(below), { path: below.split('.'), nodeOf: readerOf(type) }] as const];
  }),
);

function readerOf(type: string): InventoryKey['nodeOf'] {
  if (type.startsWith('true or false'))
    return (text, span) => scalarNode(/^(true|false)$/i.test(text) ? /^true$/i.test(text) : text, span);
  if (type === 'a whole number') return (text, span) => scalarNode(/^\d{1,9}$/.test(text) ? Number(text) : text, span);
  return type.includes('a list') ? listReader(type === 'a list') : scalarNode;
}

/** Splits a text into the items of a list; one item alone is a text where that is allowed. */
function listReader(isAlwaysList: boolean): InventoryKey['nodeOf'] {
  return (text, span) => {
    const texts = text.split(/[\s,;]+/).filter((it) => it !== '');
    const items = withoutIPv6(texts, (it) => it).map((it) => scalarNode(it, span));
    const [only] = items;
    return only !== undefined && items.length === 1 && !isAlwaysList ? only : listNode(items, span);
  };
}
