import type { Code } from '../../base/diagnostics/codes.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import { EXPLAIN_PAGES } from '../../base/generated/explain-pages.js';
import { TOPOLOGY_KEYS, type TopologyKey } from '../../base/generated/topology-keys.js';
import { describeCode, type ExplainedCode, explainCode, knownCodes, similarCode } from './explain-code.ts';
import type { Refusal } from './refusal.ts';

interface ExplainedKey {
  readonly kind: 'key';
  /** The name as it is typed in a file, without the part that is common to all clusters: `gateway.dial`. */
  readonly name: string;
  readonly key: TopologyKey;
  /** The keys in its value, with their own names. */
  readonly below: readonly { readonly name: string; readonly summary: string }[];
  /** Keys of the same name in other places. */
  readonly others: readonly string[];
  /** The diagnostics whose pages mention it. */
  readonly codes: readonly { readonly code: Code; readonly summary: string }[];
}

/** Finds a key of the topology by its path, with or without a cluster name, in any case; `undefined` if unknown. */
export function keyAtPath(typed: string): ExplainedKey | undefined {
  const wanted = withoutNames(typed).toLowerCase();
  const path = typed.replace(/^clusters\.[^.]+/, 'clusters.NAME').toLowerCase();
  const found = keysNamed((it) => it === wanted);
  return explained(found.find((it) => it.key.path.toLowerCase() === path) ?? found[0], found);
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

/** Explains a diagnostic or a key of the topology. The part of a code after its slash is enough if it is not a key. */
export function explainName(
  name: string,
): ExplainedCode | ExplainedKey | { readonly kind: 'refused'; readonly refusal: Refusal } {
  const explained = keyAtPath(name) ?? explainCode(name) ?? keyWithEnd(name);
  if (explained !== undefined) return explained;
  const similarKey = name.includes('/') ? undefined : (didYouMean(name, keyNames()) ?? keyWithSimilarEnd(name));
  const suggestion = similarKey ?? similarCode(name);
  return { kind: 'refused', refusal: { kind: 'unknown-code', code: name, suggestion } };
}

/** The key whose last part is similar to the name. `podCDIR` resembles no path, but the end of one. */
function keyWithSimilarEnd(name: string): string | undefined {
  const ends = new Map(keyNames().map((it) => [it.split('.').at(-1) ?? it, it]));
  const similar = didYouMean(name, [...ends.keys()]);
  return similar === undefined ? undefined : ends.get(similar);
}
