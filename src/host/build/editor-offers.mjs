// What a language server offers for a value of the topology, from the examples in its schema.
import { asWritten } from './as-written.mjs';
import { isEmpty, isMap, isScalar } from './kinds.mjs';

/**
 * For a key the first example; for a value all of them, and the default. A map is a snippet, which is also offered inside of
 * that map, for the keys that are missing there. A list is begun by the language server itself, with a dash.
 * @param place of the node, as for `editorNode`
 */
export function offersOf(node, defs, place) {
  const { enum: values = [], examples = [] } = node;
  const [first] = examples;
  const snippet = (it, isOnOneLine = false) => snippetOf(it, { node, defs, isOnOneLine });
  const offered = new Set([first, ...values]);
  const texts = new Set([...examples, node.default].filter((it) => isText(it) && !offered.has(it)));
  // The lines of a map would not be indented as a key after a dash is.
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
 * The longer forms of a value that may also be a text. This accepts everything: the branches decide only where a language server
 * offers them. Blocks are offered inside of a map, too; what is on one line is not, nor inside of a list, but at an item that is
 * not yet begun.
 */
function offersOfForms(blocks, oneLiners) {
  const branches = [
    ...(blocks.length === 0 ? [] : [{ type: 'object', defaultSnippets: blocks }]),
    ...(oneLiners.length === 0 ? [] : [{ maxItems: 0, propertyNames: { maxLength: 0 }, defaultSnippets: oneLiners }]),
  ];
  return branches.length === 0 ? [] : [{ anyOf: [...branches, {}] }];
}

/** Longest label of a snippet in characters; a longer one names the keys of its map instead. */
const LONGEST_LABEL = 60;

function snippetOf(example, { node, defs, isOnOneLine }) {
  const text = asWritten(example);
  const label = text.length <= LONGEST_LABEL ? text : `${node.title}: ${Object.keys(example).join(', ')}`;
  // A body that is no map is text. Without a type, that of the schema would take it apart.
  return isMap(example) && !isOnOneLine
    ? { label, body: blockWithStops(example, { node, defs, stops: { next: 1 } }) }
    : { label, type: 'string', body: lineWithStops(example, { next: 1 }) };
}

/** A map whose every value is a tab stop, and every key that is a name of the user's own. */
function blockWithStops(example, { node, defs, stops }) {
  const { properties, additionalProperties } = resolved(node, defs);
  const entries = Object.entries(example).map(([key, value]) => {
    const name = properties === undefined ? stopOf(key, stops) : key;
    const below = { node: properties?.[key] ?? additionalProperties, defs, stops };
    return [name, isMap(value) && !isEmpty(value) ? blockWithStops(value, below) : lineWithStops(value, stops)];
  });
  return Object.fromEntries(entries);
}

/** The definition that a node refers to, also beside other keywords; the node itself where it refers to none. */
export function resolved(node, defs) {
  const { $ref } = [node, ...(node.allOf ?? []), ...(node.anyOf ?? [])].find((it) => '$ref' in it) ?? {};
  return $ref === undefined ? node : defs[$ref.replace('#/$defs/', '')];
}

function lineWithStops(value, stops) {
  // In a list, so that a text with a comma or a brace is in quotes.
  if (isScalar(value)) return stopOf(asWritten([value]).slice(1, -1), stops);
  if (Array.isArray(value)) return `[${value.map((it) => lineWithStops(it, stops)).join(', ')}]`;
  const entries = Object.entries(value).map(([key, it]) => `${key}: ${lineWithStops(it, stops)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const stopOf = (text, stops) => `\${${stops.next++}:${text.replace(/[\\$}]/g, '\\$&')}}`;
