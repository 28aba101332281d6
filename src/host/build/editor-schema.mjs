// The editor version of a schema: the same rules, with words and examples where language servers look for them. The
// effect of each keyword was observed in yaml-language-server 1.25.0: yamlCompletion.js, yamlHover.js,
// baseValidator.js.
import { stringify } from 'yaml';
import { asWritten, isEmpty, isMap, isScalar } from './json-values.mjs';

/**
 * Keywords that are not rules. `type` is a rule, but is kept beside the words because it decides how examples are
 * written.
 */
const OUTSIDE = ['title', 'description', 'examples', 'default', 'tsType', 'type'];

const TYPE_TEXTS = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

const typesOf = (node) => [node.type ?? []].flat();

/** @param schema the schema of the topology, as in `schemas/topology.schema.json`. */
export function editorSchema(schema) {
  const { $schema, $id, $defs: ofTopology, ...root } = schema;
  const $defs = { ...ofTopology, included: includedFile(schema) };
  const items = itemRefs(schema);
  const belowItems = closureOf(items, $defs);
  const placeOf = (ref) => (items.has(ref) ? 'item' : belowItems.has(ref) ? 'below-item' : 'key');
  const defs = Object.entries($defs).flatMap(([name, it]) => {
    const { allOf, ...words } = editorNode(it, $defs, placeOf(refTo(name)));
    const [rules, ...offers] = allOf;
    return [
      [name, { ...words, allOf: [{ $ref: rulesOfRef(refTo(name)) }, ...offers] }],
      [rulesOfRef(name), rules],
    ];
  });
  return {
    $schema,
    $id: $id.replace(/schema\.json$/, 'editor.schema.json'),
    $comment: 'Made for editors by weft; "weft init --schema" writes it again.',
    ...editorNode(root, $defs, 'key'),
    $defs: { ...Object.fromEntries(defs), clusterNames: CLUSTER_NAMES },
  };
}

/**
 * The names of clusters that editors offer: those of the examples, until weft writes those of a fleet in their place.
 * Every value is accepted, because weft itself reports unknown names, with what they may mean. An `enum` would be listed
 * as a whole in each hover.
 */
const CLUSTER_NAMES = { defaultSnippets: ['europe', 'milan', 'rome'].map((name) => ({ label: name, body: name })) };

const namesCluster = (node) => node['x-weft-names-cluster'] === true;

/**
 * The schema of a file that a topology includes: the keys that are marked for it. Its name is its place in the schema
 * of topologies, `$schema=schemas/topology.schema.json#/$defs/included`.
 */
function includedFile({ properties }) {
  const included = Object.entries(properties).filter(([, it]) => it['x-weft-included']);
  return {
    title: 'included file',
    description:
      'A file that a topology includes: clusters, links, loans, offloaded namespaces, assertions and acceptances.',
    type: 'object',
    required: ['version'],
    additionalProperties: false,
    properties: Object.fromEntries(included),
    examples: [{ version: 1, clusters: { rome: { podCIDR: '10.202.0.0/16' } } }],
  };
}

const refTo = (name) => `#/$defs/${name}`;

/** The rules of a definition without its words, for a key that has its own words. */
const rulesOfRef = (ref) => `${ref}.rules`;

function* nodesBelow(node) {
  if (isScalar(node)) return;
  yield node;
  for (const it of Object.values(node)) yield* nodesBelow(it);
}

const itemRefs = (schema) => new Set([...nodesBelow(schema)].flatMap((it) => it.items?.$ref ?? []));

/** The definitions to which these refer, directly or indirectly. */
function closureOf(refs, defs) {
  const all = new Set(refs);
  for (const ref of all) for (const it of nodesBelow(defs[ref.replace(refTo(''), '')])) if (it.$ref) all.add(it.$ref);
  return all;
}

/**
 * Puts words and offers outside, rules inside. If `properties` or `items` were beside them, a language server would
 * complete a key with all defaults below it, and a list with `[]`. Words outside an item would be offered for its list
 * without the dash, and the lines of a map would not be indented like a key after a dash.
 * @param place 'key', 'item' for an item of a list, or 'below-item'
 */
function editorNode(node, defs, place) {
  if ('$ref' in node || node.type === 'null') return node;
  const { ofKey, ofValue } = offersOf(node, defs, place);
  const isInside = place === 'item' ? !isEmpty(ofKey) : place === 'below-item' && 'defaultSnippets' in ofKey;
  const [outside, inside] = isInside ? [{}, [{ ...typeOf(node), ...ofKey }]] : [ofKey, []];
  return {
    ...wordsOf(node),
    ...typeOf(node.allOf === undefined ? node : resolved(node, defs)),
    ...outside,
    allOf: [
      rulesOf(node, defs, place),
      ...inside,
      ...ofValue,
      ...(namesCluster(node) ? [{ $ref: refTo('clusterNames') }] : []),
    ],
  };
}

const wordsOf = (node) => ({
  ...(node.title === undefined ? {} : { title: node.title }),
  ...(node.description === undefined ? {} : descriptionsOf(node)),
});

function descriptionsOf(node) {
  const markdown = markdownOf(node);
  return { description: node.description, ...(markdown !== node.description && { markdownDescription: markdown }) };
}

/** The message for values of another type. */
function typeOf(node) {
  if (node.type === undefined) return {};
  const isText = typesOf(node).every((it) => !['array', 'object', 'boolean'].includes(it));
  const advice = isText && node.patternErrorMessage !== undefined ? `; ${node.patternErrorMessage}` : '';
  return {
    type: node.type,
    errorMessage: `must be ${typesOf(node)
      .map((it) => TYPE_TEXTS[it])
      .join(' or ')}${advice}`,
  };
}

/**
 * The keywords that accept and refuse values, with the nodes below. The title is that of the offer with all required
 * keys.
 */
function rulesOf(node, defs, place) {
  const below = (it, there = place === 'key' ? 'key' : 'below-item') => editorNode(it, defs, there);
  const rules = Object.entries(node).filter(([keyword]) => !OUTSIDE.includes(keyword) && !isOfWeft(keyword));
  const rewritten = {
    allOf: (them) => them.map(({ $ref }) => ({ $ref: rulesOfRef($ref) })),
    properties: (them) => Object.fromEntries(Object.entries(them).map(([name, it]) => [name, below(it)])),
    items: (it) => below(withExamples(it, (node.examples ?? []).filter(Array.isArray).flat()), 'item'),
    additionalProperties: (it) => (isMap(it) ? below(it) : it),
    // The name is user-defined, and the snippets of the map contain one.
    propertyNames: (it) => ({ ...withoutWeft(it), doNotSuggest: true }),
  };
  const title = node.required === undefined ? {} : { title: node.title };
  // A language server names all values instead, however many there are.
  const message =
    node.enum !== undefined && node.patternErrorMessage !== undefined ? { errorMessage: node.patternErrorMessage } : {};
  return {
    ...title,
    ...message,
    ...Object.fromEntries(rules.map(([keyword, it]) => [keyword, rewritten[keyword]?.(it) ?? it])),
  };
}

const isOfWeft = (keyword) => keyword.startsWith('x-weft-');
const withoutWeft = (node) => Object.fromEntries(Object.entries(node).filter(([keyword]) => !isOfWeft(keyword)));

/** Items without their own examples get those of their list. */
const withExamples = (node, examples) =>
  '$ref' in node || node.examples !== undefined || examples.length === 0 ? node : { ...node, examples };

/** The hover text, which is also shown beside a completion. Language servers add the `examples` that are scalars. */
function markdownOf({ description, default: fallback, examples = [], ...node }) {
  const [since, until] = [node['x-weft-since'], node['x-weft-until']];
  return [
    description,
    ...(since === undefined ? [] : [`Since Liqo ${since}.`]),
    ...(until === undefined ? [] : [`Until Liqo ${until}.`]),
    ...(fallback === undefined || isEmpty(fallback) ? [] : [`Default: \`${asWritten(fallback)}\``]),
    ...examples
      .filter((it) => !isScalar(it))
      .map((it) => `Example:\n\n\`\`\`yaml\n${stringify(it, { lineWidth: 0 }).trimEnd()}\n\`\`\``),
  ].join('\n\n');
}

/**
 * The offers of a node: for a key the first example; for a value all examples and the default. A map becomes a snippet,
 * which is also offered inside that map for its missing keys. The language server itself begins a list with a dash.
 * @param place the place of the node, as for `editorNode`
 */
function offersOf(node, defs, place) {
  const { enum: values = [] } = node;
  const { first, examples } = examplesOf(node);
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

/** The examples that are offered, and the one that is inserted with its key. Names in examples are not those of the fleet. */
function examplesOf(node) {
  const { examples = [] } = node;
  const isName = (it) => namesCluster(node) && isText(it) && !KEYWORDS.test(it);
  return { first: isName(examples[0]) ? undefined : examples[0], examples: examples.filter((it) => !isName(it)) };
}

/** The values beside the names of clusters. */
const KEYWORDS = /^any-/;

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
function resolved(node, defs) {
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
