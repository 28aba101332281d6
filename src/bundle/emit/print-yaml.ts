import { withFewestEscapes } from '../../base/core/words.ts';

/** A value of a manifest. Members that are `undefined` are left out. */
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined };

/**
 * One YAML document in block style, in the layout of Prettier and of yamllint's defaults: two spaces per level, list
 * dashes two columns behind their key. Maps keep their order. It ends with one line break and has no `---`. Any value
 * has the same meaning in YAML 1.1 and in YAML 1.2.
 */
export const printYaml = (value: YamlValue): string => nodeText(value, '', '');

/** Several documents in one file, separated by `---`. */
export function printYamlDocuments(values: readonly YamlValue[]): string {
  let text = '';
  for (const it of values) text += text === '' ? printYaml(it) : `---\n${printYaml(it)}`;
  return text;
}

type YamlMap = { readonly [key: string]: YamlValue | undefined };

/** A node whose first line has begun: `pad` indents its further lines, `outer` those of its parent. */
function nodeText(value: YamlValue, outer: string, pad: string): string {
  if (value === null || typeof value !== 'object') return `${scalarText(value, outer)}\n`;
  return isList(value) ? listText(value, pad) : mapText(value, pad);
}

function listText(list: readonly YamlValue[], pad: string): string {
  if (list.length === 0) return '[]\n';
  const below = `${pad}  `;
  let text = '';
  for (const item of list) text += `${text === '' ? '' : pad}- ${nodeText(item, pad, below)}`;
  return text;
}

function mapText(map: YamlMap, pad: string): string {
  let text = '';
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (value !== undefined) text += `${text === '' ? '' : pad}${keyText(key, pad)}${memberText(value, pad)}`;
  }
  return text === '' ? EMPTY_MAP : text;
}

/** The value of a key: a scalar or an empty collection on the line of the key, any other value below it. */
function memberText(value: YamlValue, pad: string): string {
  if (value === null || typeof value !== 'object') return ` ${scalarText(value, pad)}\n`;
  const below = `${pad}  `;
  if (isList(value)) return value.length === 0 ? ' []\n' : `\n${below}${listText(value, below)}`;
  const text = mapText(value, below);
  return text === EMPTY_MAP ? ` ${text}` : `\n${below}${text}`;
}

const EMPTY_MAP = '{}\n';

function isList(value: readonly YamlValue[] | YamlMap): value is readonly YamlValue[] {
  return Array.isArray(value);
}

type Scalar = string | number | boolean | null;

/** A scalar in a line that begins with `pad`. */
function scalarText(value: Scalar, pad: string): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value !== 'string') return String(value);
  return value.includes('\n') && BLOCK.test(value) && !COMMAND.test(value) ? blockText(value, pad) : lineText(value);
}

function numberText(value: number): string {
  if (Number.isSafeInteger(value)) return String(value);
  if (!Number.isFinite(value)) throw new RangeError(`a manifest cannot contain ${value}`);
  // YAML 1.1 requires a dot before an exponent: 1e+21 is a string there.
  return String(value).replace(/^(-?\d+)e/, '$1.0e');
}

/**
 * Longest key that is printed without `?`: a parser need not accept an implicit key of more than 1024 characters.
 * Source: YAML 1.2.2, 7.4.2 "Flow Mappings".
 */
const LONGEST_IMPLICIT_KEY = 1000;

/** A key with its colon. */
function keyText(key: string, pad: string): string {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const text = lineText(key);
  // Parsers count escapes as they are written, so the limit applies to the printed length.
  if (text.length > LONGEST_IMPLICIT_KEY) return `? ${text}\n${pad}:`;
  // Manifests have few different keys. Labels and annotations can have any number of keys, so the cache is limited.
  if (knownKeys.size < 4096) knownKeys.set(key, `${text}:`);
  return `${text}:`;
}

const knownKeys = new Map<string, string>();

/** A string on one line. */
function lineText(value: string): string {
  return isPlain(value) ? value : quoted(value);
}

/** Addresses and networks: no YAML version reads a text with three dots as a number. */
const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}(?:\/\d{1,2})?$/;

const NAME = /^[A-Za-z][A-Za-z0-9._/-]*$/;

/**
 * Names that a parser does not read as strings, in upper or lower case: booleans and null of YAML 1.1, and an exponent
 * alone, which the npm package `yaml` reads as a number in its 1.1 mode.
 * Source: yaml.org/type/bool.html, yaml.org/type/null.html.
 */
const NOT_A_STRING = /^(?:y|n|yes|no|on|off|true|false|null|e-?\d+)$/i;

function isPlain(value: string): boolean {
  return NAME.test(value) ? !NOT_A_STRING.test(value) : IPV4.test(value);
}

/** Characters that must be escaped in some YAML version. Those outside of the BMP are escaped, too. */
const REQUIRED = '\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff\\ufeff\\ufffe\\uffff';

/**
 * Characters that a reader of a manifest does not see: marks that reorder or join text, fillers, variation selectors,
 * and unusual spaces. Escaped, they can be reviewed. Source: Unicode 16, PropList.txt and DerivedCoreProperties.txt.
 */
const HIDDEN =
  '\\xa0\\xad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f' +
  '\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u206f\\u2800\\u3000\\u3164\\ufdd0-\\ufdef\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufffb';

const UNPRINTABLE = REQUIRED + HIDDEN;

/** In the log of a job, `##[error]` anywhere and `::error` at the start of a line are commands. Source: actions/runner ActionCommand.cs. */
const OLD_COMMAND = '(?<=#)#(?=\\w*\\[)';
const COMMAND = new RegExp(`${OLD_COMMAND}|::[\\w-]`);

const ESCAPED = new RegExp(`["\\\\\\t\\n${UNPRINTABLE}]|${OLD_COMMAND}`);

// With the flag `u`, a pair of surrogates is one character, which the last range of the class matches.
const EVERY_ESCAPED = new RegExp(`["\\\\\\t\\n${UNPRINTABLE}\\u{10000}-\\u{10ffff}]|${OLD_COMMAND}`, 'gu');

function quoted(value: string): string {
  return ESCAPED.test(value) ? withFewestEscapes(`"${value.replace(EVERY_ESCAPED, escaped)}"`) : `"${value}"`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function escaped(character: string): string {
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) as number;
  if (code <= 0xff) return `\\x${hex(code, 2)}`;
  return code <= 0xffff ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/**
 * Strings that may be a literal block. The first line with text begins without white space, which would need
 * an indentation indicator; no line begins with a tab or ends in white space, which editors trim; the string ends with
 * at most one line break, because a file ends with one; no character needs an escape.
 */
const BLOCK = new RegExp(
  `^\\n*[^\\s${UNPRINTABLE}](?:[^\\n${UNPRINTABLE}]*[^\\s${UNPRINTABLE}])?(?:\\n+(?!\\t)(?:[^\\n${UNPRINTABLE}]*[^\\s${UNPRINTABLE}]))*\\n?$`,
);

/** A literal block, two spaces deeper than `pad`. */
function blockText(value: string, pad: string): string {
  const ended = value.endsWith('\n');
  const text = ended ? value.slice(0, -1) : value;
  const lines = text.replace(/^(?=.)/gm, `${pad}  `);
  return `${ended ? '|' : '|-'}\n${lines}`;
}
