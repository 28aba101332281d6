/*
 * What the two quick readers of YAML (read-printed-yaml.ts, read-written-yaml.ts) leave to the `yaml` package, and what they
 * read as it does.
 */

/** Tabs, line ends of Windows, byte order marks, and whatever parsers may not treat alike. */
export const OTHER_CHARACTERS = /[^\n\x20-\x7e\xa1-\u167f]/;

/** Levels. The package allows more of them, counted in another way. */
export const DEEPEST = 24;

/** Characters. A parser need not accept a longer key. Source: YAML 1.2.2, 7.4.2 "Flow Mappings". */
export const LONGEST_KEY = 1000;

/** Words that are no strings. Source: YAML 1.2.2, 10.3.2 "Tag Resolution". */
export const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ...['null', 'Null', 'NULL'].map((it) => [it, null] as const),
  ...['true', 'True', 'TRUE'].map((it) => [it, true] as const),
  ...['false', 'False', 'FALSE'].map((it) => [it, false] as const),
]);
