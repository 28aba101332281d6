import { type DocumentNode, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { printYaml, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import { isJsonMap, type Json, type JsonMap } from '../dumps/json.ts';

/** A part of a live object that is not as promised. */
export interface LiveDifference {
  readonly path: readonly string[];
  /** `undefined` for a part that is not promised. */
  readonly promised: Json | undefined;
  /** `undefined` for a part that is not there. */
  readonly live: Json | undefined;
}

/**
 * The text of a document with the live values of what differs in it; `undefined` if nothing does. Of several documents about
 * one object each has its own parts, and the first one also what none of them promises.
 */
export function documentAsLive(
  node: DocumentNode,
  differences: readonly LiveDifference[],
  isFirst: boolean,
): string | undefined {
  const own = differences.filter(({ path, promised }) =>
    promised === undefined ? isFirst : nodeAt(node, path) !== undefined,
  );
  if (own.length === 0) return undefined;
  const edited = own.reduce<Json>((value, it) => withValue(value, it.path, it.live), plainOf(node) as Json);
  return printYaml(edited as YamlValue);
}

function withValue(value: Json | undefined, [key, ...rest]: readonly string[], live: Json | undefined): Json {
  if (key === undefined) return live ?? null;
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list.map((it, index) => (String(index) === key ? withValue(it, rest, live) : it));
  }
  const map: JsonMap = isJsonMap(value) ? value : {};
  if (rest.length > 0 || live !== undefined) return { ...map, [key]: withValue(map[key], rest, live) };
  return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key)) as JsonMap;
}
