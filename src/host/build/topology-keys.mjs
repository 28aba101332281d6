// The keys of the topology with their words, as `weft explain KEY` shows them.
import { asWritten, isEmpty } from './json-values.mjs';

/** The path segment for a user-defined name. */
const NAME = 'NAME';

const TYPE_TEXTS = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

/**
 * Every key once, in the order of the schema, even if it occurs at several places. @param schema the schema of the
 * topology.
 */
export function topologyKeys(schema) {
  // The keys of a cluster are found below `clusters` first, where users look for them.
  const { defaults, ...others } = schema.properties;
  const found = new Map();
  for (const { path, node, required } of keysBelow(
    { ...schema, properties: { ...others, defaults } },
    [],
    schema.$defs,
  )) {
    const known = found.get(node);
    if (known) known.places.push(path.join('.'));
    else found.set(node, { path, node, required, places: [path.join('.')] });
  }
  return [...found.values()].map((it) => keyOf(it, schema.$defs));
}

function* keysBelow(node, path, defs) {
  const { properties = {}, required = [] } = node;
  for (const [name, it] of Object.entries(properties)) {
    const at = [...path, name];
    // A reference without its own words is replaced by its definition.
    const own = it.$ref && it.description === undefined ? defs[it.$ref.replace('#/$defs/', '')] : it;
    yield { path: at, node: own, required: required.includes(name) };
    yield* below(it, at, defs);
  }
}

/** The keys in a value: those of a map, of the entries of a list, and of the values of user-defined names. */
function* below(node, path, defs) {
  for (const it of partsOf(node, defs)) {
    yield* keysBelow(it, path, defs);
    if (it.items) yield* below(it.items, path, defs);
    if (typeof it.additionalProperties === 'object') yield* below(it.additionalProperties, [...path, NAME], defs);
  }
}

/** A node with all parts of which it consists. */
function partsOf(node, defs) {
  const others = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  const referred = node.$ref ? [defs[node.$ref.replace('#/$defs/', '')]] : [];
  return [node, ...[...others, ...referred].flatMap((it) => partsOf(it, defs))];
}

function keyOf({ path, node, required, places }, defs) {
  const parts = partsOf(node, defs);
  const [types, values] = [parts.flatMap((it) => it.type ?? []), parts.find((it) => it.enum)?.enum];
  const [since, until] = [node['x-weft-since'], node['x-weft-until']];
  return {
    path: path.join('.'),
    places: places.slice(1),
    description: node.description,
    type: values
      ? values.join(', ')
      : [...new Set(types)]
          .map((it) => TYPE_TEXTS[it])
          .filter(Boolean)
          .join(' or '),
    isRequired: required,
    ...(node.default === undefined || isEmpty(node.default) ? {} : { default: asWritten(node.default) }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    examples: node.examples.map((it) => `${path.at(-1)}: ${asWritten(it)}`),
  };
}
