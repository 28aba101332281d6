// The completions that a language server offers for a value of the topology, from the examples in its schema.
import { asWritten } from './as-written.mjs';
import { isEmpty, isMap, isScalar } from './kinds.mjs';

/**
 * The offers of a node: for a key the first example; for a value all examples and the default. A map becomes a snippet,
 * which is also offered inside that map for its missing keys. The language server itself begins a list with a dash.
 * @param place the place of the node, as for `editorNode`
 */
export function offersOf(node, defs, place) {
  const { enum: values = [], examples = [] } = node;
  const [first] = examples;
  const snippet = (it, isOnOneLine = false) => snippetOf(it, { node, defs, isOnOneLine });
  const offered = new Set([first, ...values]);
  const texts = new Set([...examples, node.default].filter((it) => isText(it) && !offered.has(it)));
  // The language server would not indent the lines of a map like a key after a dash.
  const isBlock = (it) => isMap(it) && place !== 'below-item';
  const forms = node.type === 'array' ? [] : examples.filter((it) => !isScalar(it) && !(it === first && isMap(it)));
  return {
    ofKey: offerOfKey(first, snippet),
    ofValue: [
      ...(texts.size === 0 ? [] : [{ defaultSnippets: [...texts].map((it) => snippet(it)) }]),
      ...offersOfForms(
        forms.filter(isBlock).map((it) => snippet(it)),
        forms.filter((it) => !isBlock(it)).map((it) => snippet(it, true)),
      ),
    ],
  };
}

const isText = (it) => typeof it === 'string' || typeof it === 'number';

function offerOfKey(first, snippet) {
  if (first === undefined || Array.isArray(first)) return {};
  return isMap(first) ? { defaultSnippets: [snippet(first)] } : { examples: [first] };
}

/**
 * The longer forms of a value that may also be a text. This schema accepts everything: the branches only decide where a
 * language server offers them. Blocks are offered inside a map, too. One-line forms are offered neither inside a map
 * nor inside a list, only at an item that is still empty.
 */
function offersOfForms(blocks, oneLiners) {
  const branches = [
    ...(blocks.length === 0 ? [] : [{ type: 'object', defaultSnippets: blocks }]),
    ...(oneLiners.length === 0 ? [] : [{ maxItems: 0, propertyNames: { maxLength: 0 }, defaultSnippets: oneLiners }]),
  ];
  return branches.length === 0 ? [] : [{ anyOf: [...branches, {}] }];
}

/** The longest label of a snippet in characters; a longer one is replaced by the names of the map's keys. */
const LONGEST_LABEL = 60;

function snippetOf(example, { node, defs, isOnOneLine }) {
  const text = asWritten(example);
  const label = text.length <= LONGEST_LABEL ? text : `${node.title}: ${Object.keys(example).join(', ')}`;
  // A body that is not a map is text. Without a type, the language server would split it according to the type of the
  // schema.
  return isMap(example) && !isOnOneLine
    ? { label, body: blockWithStops(example, { node, defs, stops: { next: 1 } }) }
    : { label, type: 'string', body: lineWithStops(example, { next: 1 }) };
}

/** A map in which every value is a tab stop, and every key that is a user-defined name. */
function blockWithStops(example, { node, defs, stops }) {
  const { properties, additionalProperties } = resolved(node, defs);
  const entries = Object.entries(example).map(([key, value]) => {
    const name = properties === undefined ? stopOf(key, stops) : key;
    const below = { node: properties?.[key] ?? additionalProperties, defs, stops };
    return [name, isMap(value) && !isEmpty(value) ? blockWithStops(value, below) : lineWithStops(value, stops)];
  });
  return Object.fromEntries(entries);
}

/** The definition to which a node refers, also beside other keywords; the node itself if it refers to none. */
export function resolved(node, defs) {
  const { $ref } = [node, ...(node.allOf ?? []), ...(node.anyOf ?? [])].find((it) => '$ref' in it) ?? {};
  return $ref === undefined ? node : defs[$ref.replace('#/$defs/', '')];
}

function lineWithStops(value, stops) {
  // The text is printed in a list, so that one with a comma or a brace is quoted.
  if (isScalar(value)) return stopOf(asWritten([value]).slice(1, -1), stops);
  if (Array.isArray(value)) return `[${value.map((it) => lineWithStops(it, stops)).join(', ')}]`;
  const entries = Object.entries(value).map(([key, it]) => `${key}: ${lineWithStops(it, stops)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const stopOf = (text, stops) => `\${${stops.next++}:${text.replace(/[\\$}]/g, '\\$&')}}`;
