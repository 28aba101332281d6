import schema from '../../../../schemas/topology.editor.schema.json' with { type: 'json' };
import { sortedUnique, valueAt } from '../../../base/core/collections.ts';
import { once } from '../../../base/core/once.ts';
import type { YamlPosition } from './yaml-position.ts';

/** The parts of the schema for editors that are read here. */
interface Node {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly allOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly oneOf?: readonly Node[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly defaultSnippets?: readonly { readonly label?: string; readonly type?: string }[];
}

const root = once(() => schema as unknown as Node & { readonly $defs: Readonly<Record<string, Node>> });

/** A node with all the nodes that describe the same value. */
function schemaParts(node: Node): readonly Node[] {
  const referred = node.$ref === undefined ? undefined : root().$defs[node.$ref.replace('#/$defs/', '')];
  const others = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  return [node, ...[...(referred === undefined ? [] : [referred]), ...others].flatMap(schemaParts)];
}

/** All parts of the schema that describe a value. */
function nodesAt(path: readonly string[]): readonly Node[] {
  return path.reduce<readonly Node[]>(
    (nodes, segment) => nodes.flatMap((it) => below(it, segment)),
    schemaParts(root()),
  );
}

function below({ properties, additionalProperties, items }: Node, segment: string): readonly Node[] {
  if (segment === '[]') return items === undefined ? [] : schemaParts(items);
  const named = valueAt(properties ?? {}, segment);
  if (named !== undefined) return schemaParts(named);
  return typeof additionalProperties === 'object' ? schemaParts(additionalProperties) : [];
}

/** A completion at a place. */
export interface TopologyOffer {
  readonly text: string;
  readonly kind: 'key' | 'value';
  readonly title: string;
  readonly description: string;
  /** The text to insert. */
  readonly insert: string;
}

/** The keys or values that are possible at a place; names of clusters are those of the fleet. */
export function offersAt({ path, kind }: YamlPosition, clusters: readonly string[]): readonly TopologyOffer[] {
  const nodes = nodesAt(path);
  const keys = kind === 'key' ? keysOf(nodes) : [];
  const isListed = kind === 'value' || path.at(-1) === '[]';
  return keys.length > 0 ? keys : isListed ? valuesOf(nodes, clusters) : [];
}

function keysOf(nodes: readonly Node[]): readonly TopologyOffer[] {
  const found = new Map<string, TopologyOffer>();
  for (const [name, node] of nodes.flatMap((it) => Object.entries(it.properties ?? {}))) {
    if (found.has(name)) continue;
    const { title, description, types } = schemaWords(schemaParts(node));
    const isOpened = !types.some((it) => SCALARS.has(it)) && types.length > 0;
    found.set(name, { text: name, kind: 'key', title, description, insert: isOpened ? `${name}:` : `${name}: ` });
  }
  return [...found.values()];
}

const SCALARS = new Set(['string', 'integer', 'number', 'boolean']);

function schemaWords(nodes: readonly Node[]) {
  return {
    title: nodes.find((it) => it.title !== undefined)?.title ?? '',
    description: nodes.find((it) => it.description !== undefined)?.description ?? '',
    types: nodes.flatMap((it) => it.type ?? []),
  };
}

/** The definition to which the value of every key refers that names clusters. */
const CLUSTER_NAMES = '#/$defs/clusterNames';

function valuesOf(nodes: readonly Node[], clusters: readonly string[]): readonly TopologyOffer[] {
  const { title, description, types } = schemaWords(nodes);
  const names = nodes.some((it) => it.$ref === CLUSTER_NAMES) ? clusters : [];
  const closed = nodes.flatMap((it) => [...(it.enum ?? []), ...(it.const === undefined ? [] : [it.const])]);
  const usual = nodes.flatMap((it) => [...(it.default === undefined ? [] : [it.default]), ...(it.examples ?? [])]);
  const truths = types.includes('boolean') ? [true, false] : [];
  const values = closed.length > 0 ? [...closed, ...truths] : [...names, ...truths, ...usual];
  return sortedUnique(values.flatMap((it) => (typeof it === 'object' ? [] : [scalarText(it)]))).map((text) => ({
    text,
    kind: 'value',
    title,
    description,
    insert: text,
  }));
}

/** A number in a text is written in quotes. */
const scalarText = (value: unknown): string =>
  typeof value === 'string' && (/^[\d.]+$/.test(value) || ['true', 'false', 'null', ''].includes(value))
    ? JSON.stringify(value)
    : String(value);

/** The description of a key or a value; `null` without any. */
export function describedAt(path: readonly string[]): Pick<TopologyOffer, 'title' | 'description'> | null {
  const { title, description } = schemaWords(nodesAt(path));
  return description === '' ? null : { title, description };
}
