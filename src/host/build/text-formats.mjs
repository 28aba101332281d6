// The formats of texts in a topology: the schema without all else, and without the parts below which no text has one.

/** The format of a text that may be any text, so that nothing checks it. */
const ANY = 'text';

const PART_TYPE = `/** A part of a topology in which texts have formats. */
export interface FormattedPart {
  /** The format of the text here, of each text of a list, or of a map or a list as a whole. */
  readonly format?: FormatName;
  /** The words that follow the keys of this part in messages: \`of a taint\`. The path to it is not repeated before them. */
  readonly owner?: string;
  readonly keys?: Readonly<Record<string, FormattedPart>>;
  /** Every item of a list. */
  readonly items?: FormattedPart;
  /** The values of user-defined names. */
  readonly values?: FormattedPart;
}
`;

/** The module with the table. @param schema the schema of the topology. */
export function formatsOfTexts(schema) {
  const { root, names } = readFormats(schema);
  const union = names.map((it) => `'${it}'`).join(' | ');
  return {
    js: `export const TEXT_FORMATS = ${JSON.stringify(root)};\n`,
    dts: `export type FormatName = ${union};\n\n${PART_TYPE}\nexport declare const TEXT_FORMATS: FormattedPart;\n`,
  };
}

/** The part for the whole topology, and the names of all formats. */
function readFormats(schema) {
  const names = new Set();
  const root = partOf(schema);
  return { root, names: [...names].sort() };

  function partOf(node) {
    const { properties = {}, ...words } = Object.assign({}, ...piecesOf(node));
    const keys = Object.entries(properties).flatMap(([name, it]) => withPart(name, it));
    const below = [...withPart('items', words.items), ...withPart('values', words.additionalProperties)];
    const format = words['x-weft-format'] === ANY ? undefined : words['x-weft-format'];
    if (format === undefined && keys.length === 0 && below.length === 0) return undefined;
    if (format !== undefined) names.add(format);
    const ofKeys = keys.length === 0 ? {} : { keys: Object.fromEntries(keys) };
    return { format, owner: words['x-weft-owner'], ...ofKeys, ...Object.fromEntries(below) };
  }

  /** A list of a name and its part; empty where no text below has a format. */
  function withPart(name, node) {
    const part = typeof node === 'object' ? partOf(node) : undefined;
    return part === undefined ? [] : [[name, part]];
  }

  /** The parts of a node. Its own words come last, and replace those of what it refers to. */
  function piecesOf(node) {
    const referred = node.$ref ? [schema.$defs[node.$ref.replace('#/$defs/', '')]] : [];
    return [...[...referred, ...(node.allOf ?? []), ...(node.anyOf ?? [])].flatMap(piecesOf), node];
  }
}
