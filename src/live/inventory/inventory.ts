import { once } from '../../base/core/once.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { TOPOLOGY_KEYS } from '../../base/generated/topology-keys.js';
import { isIPv6 } from '../../base/net/text.ts';
import type { DocumentEntry, DocumentMap, DocumentNode } from '../../base/source/document-node.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';

/** The kind of an inventory, in the words of messages. */
export type InventoryKind = 'Cluster API' | 'Argo CD' | 'Terraform' | 'CSV';

export interface InventoryCluster {
  readonly kind: InventoryKind;
  readonly name: Located<string>;
  /** Its keys as in a topology; each value has its place in the inventory. */
  readonly keys: DocumentMap;
}

/** The clusters in one text. */
export interface InventoryReading {
  readonly clusters: readonly InventoryCluster[];
  readonly found: readonly Diagnostic[];
}

export const unreadableInventory = (at: Span, why: string, hint?: string): Diagnostic =>
  diagnostic('inventory/unreadable', at, `this inventory cannot be read: ${why}`, {
    hint: hint ?? 'export it again; "weft explain inventory/unreadable" lists what is read',
  });

/** A text of which messages show only the parts that were read: others may be secrets. */
export interface ShownText {
  /** The place of a part that messages may show. */
  readonly shown: (start: number, end: number) => Span;
  /** The place of a part that is hidden in messages, unless it is shown otherwise. */
  readonly hidden: (start: number, end: number) => Span;
}

/**
 * @param hide replaces what must not be shown, character by character, so that places stay
 * @param before the number of characters that were put in front of the text before it was read
 */
export function shownText({ path, text }: Source, hide: (text: string) => string, before = 0): ShownText {
  const parts: { readonly start: number; readonly end: number }[] = [];
  const masked = once(() => {
    const pieces: string[] = [];
    const hiddenText = hide(text);
    let at = 0;
    for (const { start, end } of parts.sort((a, b) => a.start - b.start)) {
      pieces.push(hiddenText.slice(at, start), text.slice(Math.max(at, start), end));
      at = Math.max(at, end);
    }
    return [...pieces, hiddenText.slice(at)].join('');
  });
  // The text is needed for messages only, which are printed after everything is read.
  const source: Source = {
    path,
    get text() {
      return masked();
    },
  };
  const hidden = (start: number, end: number): Span => ({
    source,
    start: Math.max(0, start - before),
    end: Math.max(0, end - before),
  });
  return {
    hidden,
    shown: (start, end) => {
      const span = hidden(start, end);
      parts.push(span);
      return span;
    },
  };
}

export const scalarNode = (value: string | number | boolean, span: Span): DocumentNode => ({
  kind: 'scalar',
  value,
  span,
});

export const listNode = (items: readonly DocumentNode[], span: Span): DocumentNode => ({ kind: 'list', items, span });

/** The items of a list, without the IPv6 networks of a dual-stack cluster: Liqo connects IPv4 networks only. */
export function withoutIPv6<T>(items: readonly T[], textOf: (item: T) => string): readonly T[] {
  const others = items.filter((it) => !isIPv6(textOf(it)));
  return others.length === 0 ? items : others;
}

/** A map of keys as in a topology, which is filled by the path of each key. */
export class KeyTree {
  readonly #span: Span;
  readonly #entries = new Map<string, DocumentEntry>();
  readonly #below = new Map<string, KeyTree>();

  constructor(span: Span) {
    this.#span = span;
  }

  /** Sets the value at a path. An address beside further keys of the same map takes its place among them. */
  set([first = '', ...rest]: readonly string[], value: DocumentNode, key: Span): void {
    if (rest.length === 0 && !this.#below.has(first)) {
      this.#entries.set(first, { key, value });
      return;
    }
    const below = this.#below.get(first) ?? new KeyTree(key);
    const [short, long] = [this.#entries.get(first), LONG_FORMS.get(first)];
    this.#below.set(first, below);
    this.#entries.delete(first);
    if (short !== undefined && long !== undefined) below.set([long.key], long.inFull(short.value), short.key);
    if (rest.length > 0) below.set(rest, value, key);
    else if (long !== undefined) below.set([long.key], long.inFull(value), key);
  }

  get root(): DocumentMap {
    const below = [...this.#below].map(([name, it]) => [name, { key: it.#span, value: it.root }] as const);
    return { kind: 'map', span: this.#span, entries: new Map([...this.#entries, ...below]) };
  }
}

/** Keys with a short form, a text, and where that text is in the long form. */
export const LONG_FORMS: ReadonlyMap<
  string,
  { readonly key: string; readonly inFull: (short: DocumentNode) => DocumentNode }
> = new Map([
  ['gateway', { key: 'addresses', inFull: (it) => listNode([it], it.span) }],
  ['apiServer', { key: 'address', inFull: (it) => it }],
]);

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
