import type { KeyPage } from '../../answers/report/explained.ts';
import { shortened } from '../../base/core/words.ts';
import { CODES, type Code } from '../../base/diagnostics/codes.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { EXPLAIN_PAGES } from '../../base/generated/explain-pages.js';
import { TOPOLOGY_KEYS, type TopologyKey } from '../../base/generated/topology-keys.js';
import { CHART, type ChartPart, chartPartBelow, resolvedPart } from '../../base/releases/chart-values.ts';
import { isFormerKey } from '../../fleet/topology/replaced-keys.ts';
import type { Refusal } from './refusal.ts';

interface ExplainedCode {
  readonly kind: 'explained';
  readonly code: Code;
  /** The page in Markdown. */
  readonly page: string;
}

export const knownCodes = Object.keys(CODES) as readonly Code[];

/** The page of a diagnostic. The part of its code after the slash is enough if it is unique. */
export function explainCode(name: string): ExplainedCode | undefined {
  const matches = knownCodes.filter((it) => it === name || slugOf(it) === name);
  const [code] = matches;
  if (code === undefined || matches.length > 1) return undefined;
  return { kind: 'explained', code, page: pageOf(code) ?? `# ${code}\n` };
}

function similarCode(name: string): string | undefined {
  const slug = didYouMean(name, knownCodes.map(slugOf));
  return didYouMean(name, knownCodes) ?? knownCodes.find((it) => slugOf(it) === slug);
}

/** All codes in the order of their list, each with one sentence. */
export const explainedCodes = (): readonly { readonly code: Code; readonly summary: string }[] =>
  knownCodes.map((code) => ({ code, summary: describeCode(code) }));

/** One sentence about a code: the first one of its page, below the heading. */
export function describeCode(code: Code): string {
  const body = (pageOf(code) ?? '').replace(/^#.*\n+/, '').split(/\n\s*\n/, 1)[0] ?? '';
  const plain = body.replace(/\s+/g, ' ').replaceAll('`', '').trim();
  const sentence = /^.*?[.!?](?= |$)/.exec(plain)?.[0] ?? plain;
  return sentence === '' ? slugOf(code).replaceAll('-', ' ') : sentence;
}

/**
 * The length to which descriptions are shortened. Code scanning accepts 1,024 characters. Source: docs.github.com,
 * "SARIF support for code scanning".
 */
const MAX_DESCRIPTION_CHARACTERS = 1000;

/** Descriptions of a code in three lengths: one sentence; its meaning and cause; and the whole page in Markdown. */
export function describeRule(code: Code): {
  readonly summary: string;
  readonly description: string;
  readonly page: string;
} {
  const summary = describeCode(code);
  const page = pageOf(code) ?? summary;
  const [lead = ''] = page.split(/^## (?!When$)/m, 1);
  const plain = lead.replace(/^#.*$/gm, '').replace(/\s+/g, ' ').replaceAll('`', '').trim();
  return { summary, description: shortened(plain, MAX_DESCRIPTION_CHARACTERS), page };
}

const pageOf = (code: Code): string | undefined =>
  Object.hasOwn(EXPLAIN_PAGES, code) ? EXPLAIN_PAGES[code] : undefined;

const slugOf = (code: string): string => code.split('/')[1] ?? code;

interface ExplainedKey extends KeyPage {
  readonly kind: 'key';
}

/** Finds a key of the topology by its path, with or without a cluster name, in any case; `undefined` if unknown. */
export function keyAtPath(typed: string): ExplainedKey | undefined {
  const wanted = withoutNames(typed).toLowerCase();
  const path = typed.replace(/^clusters\.[^.]+/, 'clusters.NAME').toLowerCase();
  const found = keysNamed((it) => it === wanted);
  if (found.length === 0 && wanted.startsWith(CHART_KEYS)) return chartValueAt(wanted.slice(CHART_KEYS.length));
  return explained(found.find((it) => it.key.path.toLowerCase() === path) ?? found[0], found);
}

/** The beginning of the names of values of Liqo's chart. */
const CHART_KEYS = 'helmvalues.';

/** Finds a value of Liqo's chart by its path in lower case. */
function chartValueAt(wanted: string): ExplainedKey | undefined {
  const path: string[] = [];
  let part: ChartPart = CHART;
  for (const segment of wanted.split('.')) {
    const name = Object.keys(part.properties ?? {}).find((it) => it.toLowerCase() === segment);
    const below = name === undefined ? undefined : chartPartBelow(part, name);
    if (name === undefined || below === undefined) return undefined;
    path.push(name);
    part = below;
  }
  const name = ['helmValues', ...path].join('.');
  const { 'x-weft-since': since, 'x-weft-until': until } = part;
  const key: TopologyKey = {
    path: `clusters.NAME.${name}`,
    places: [`defaults.${name}`],
    description: part.description ?? "A value of Liqo's chart, whose documentation explains it.",
    type: part.enum?.join(', ') ?? [part.type ?? []].flat().map(typeWords).join(' or '),
    isRequired: false,
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    examples: [`${path.at(-1)}: ${exampleOf(part)}`],
  };
  const below = Object.entries(part.properties ?? {}).map(([it, { description }]) => ({
    name: it,
    summary: description === undefined ? "a value of Liqo's chart" : firstSentence(description),
  }));
  return { kind: 'key', name, key, below, others: [], codes: codesAbout(key) };
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
};

const typeWords = (type: string): string => TYPE_WORDS[type] ?? `a ${type}`;

function exampleOf(part: ChartPart): string {
  const { enum: values, type, minimum = 0, items, properties } = resolvedPart(part);
  const [first] = Object.entries(properties ?? {});
  if (values) return values.at(-1) ?? '';
  if (first && type === 'object') return `{ ${first[0]}: ${exampleOf(first[1])} }`;
  if (type === 'array') return `[${exampleOf(items ?? {})}]`;
  return type === 'object'
    ? '{}'
    : type === 'boolean'
      ? 'false'
      : type === 'integer'
        ? String(Math.max(minimum, 2))
        : '...';
}

/** Finds the key whose path ends with the typed text; a refusal if there are several. */
export function keyWithEnd(
  typed: string,
): ExplainedKey | { readonly kind: 'refused'; readonly refusal: Refusal } | undefined {
  const end = `.${withoutNames(typed).toLowerCase()}`;
  const found = keysNamed((it) => it.endsWith(end));
  if (found.length < 2) return explained(found[0], found);
  return { kind: 'refused', refusal: { kind: 'several-keys', name: typed, keys: found.map((it) => it.name) } };
}

interface NamedKey {
  readonly key: TopologyKey;
  readonly name: string;
}

/** Keys whose name matches, ignoring case. */
const keysNamed = (matches: (name: string) => boolean): readonly NamedKey[] =>
  TOPOLOGY_KEYS.flatMap((key) => {
    const name = shortNames(key).find((it) => matches(it.toLowerCase()));
    return name === undefined ? [] : [{ key, name }];
  });

function explained(found: NamedKey | undefined, all: readonly NamedKey[]): ExplainedKey | undefined {
  if (found === undefined) return undefined;
  const { key, name } = found;
  const others = all.filter((it) => it !== found).map((it) => it.key.path);
  return { kind: 'key', name, key, below: keysBelow(key), others, codes: codesAbout(key) };
}

/** The names of all keys, for suggestions. */
export const keyNames = (): readonly string[] => [
  ...new Set(TOPOLOGY_KEYS.flatMap((it) => shortNames(it).slice(0, 1))),
];

/** The top-level keys of the file. */
export const topKeys = (): readonly string[] => TOPOLOGY_KEYS.map((it) => it.path).filter((it) => !it.includes('.'));

const shortNames = ({ path, places }: TopologyKey): readonly string[] => [path, ...places].map(withoutNames);

/**
 * A path without names and indexes: `gateway.dial` for `clusters.rome.gateway.dial` and `defaults.gateway.dial`,
 * `sharing.name` for `sharing[0].name`.
 */
const withoutNames = (path: string): string =>
  path
    .replace(/\[\w*\]/g, '')
    .replace(/^(clusters\.[^.]+|defaults)\.(?=.)/, '')
    .replaceAll('.NAME', '');

const keysBelow = ({ path }: TopologyKey): ExplainedKey['below'] =>
  TOPOLOGY_KEYS.flatMap((it) => {
    const name = it.path.startsWith(`${path}.`) ? it.path.slice(path.length + 1).replace(/^NAME\./, '') : '.';
    return name.includes('.') ? [] : [{ name, summary: firstSentence(it.description) }];
  });

/** The diagnostics whose pages mention a key: with its map, or alone if its last part is unique. */
function codesAbout(key: TopologyKey): ExplainedKey['codes'] {
  const [name = ''] = shortNames(key);
  const last = name.split('.').at(-1) ?? name;
  const isAlone = keyNames().filter((it) => it === last || it.endsWith(`.${last}`)).length === 1;
  const texts = [name, ...(isAlone ? [last] : [])].map((it) => `\`${it}\``);
  return knownCodes
    .filter((code) => code.endsWith(`/${name}`) || texts.some((it) => proseOf(EXPLAIN_PAGES[code] ?? '').includes(it)))
    .map((code) => ({ code, summary: describeCode(code) }));
}

/** The text of a page without its examples. */
const proseOf = (page: string): string => page.replace(/^```[\s\S]*?^```/gm, '');

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;

/**
 * Explains a diagnostic or a key of the topology. The part of a code after its slash is enough if it is not a key, nor one
 * entry of a key: `shortcut` is `shortcuts`; nor the part before the slash of others: `lock`.
 */
export function explainName(
  name: string,
): ExplainedCode | ExplainedKey | { readonly kind: 'refused'; readonly refusal: Refusal } {
  const explained =
    keyAtPath(name) ??
    keyAtPath(`${name}s`) ??
    codesWithPart(name) ??
    explainCode(isFormerKey(withoutNames(name)) ? REPLACED_KEY : name) ??
    keyWithEnd(name);
  if (explained !== undefined) return explained;
  const similarKey = name.includes('/') ? undefined : (didYouMean(name, keyNames()) ?? keyWithSimilarEnd(name));
  const suggestion = similarKey ?? similarCode(name);
  return { kind: 'refused', refusal: { kind: 'unknown-code', code: name, suggestion } };
}

/** A refusal for a name that is before the slash in some codes, and behind it in another one. */
function codesWithPart(name: string): { readonly kind: 'refused'; readonly refusal: Refusal } | undefined {
  const codes = knownCodes.filter((it) => it.split('/').includes(name));
  const isBoth = codes.some((it) => it.startsWith(`${name}/`)) && codes.some((it) => it.endsWith(`/${name}`));
  return isBoth ? { kind: 'refused', refusal: { kind: 'several-codes', name, codes } } : undefined;
}

const REPLACED_KEY: Code = 'topology/replaced-key';

/** The key whose last part is similar to the name. `podCDIR` resembles no path, but the end of one. */
function keyWithSimilarEnd(name: string): string | undefined {
  const ends = new Map(keyNames().map((it) => [it.split('.').at(-1) ?? it, it]));
  const similar = didYouMean(name, [...ends.keys()]);
  return similar === undefined ? undefined : ends.get(similar);
}
