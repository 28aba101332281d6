import { CONSTANTS } from './beyond-quick-readers.ts';

/** What is a string in every version of YAML: it begins like a name, a path or an address, and contains no indicator. */
const WORD = /^[A-Za-z0-9/](?:[^ :#]|:(?![ ]|$)|(?<! )#| (?![ #]|$))*$/;

/** Source: YAML 1.2.2, 10.3.2 "Tag Resolution". */
const NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)$/;

/** Any parser reads these as the same number, exactly. */
const WHOLE_NUMBER = /^-?(?:0|[1-9][0-9]{0,14})$/;

/** The value of a scalar without quotes, on one line; `undefined` for what a stricter reader has to look at. */
export function plainScalar(text: string): string | number | boolean | null | undefined {
  if (WHOLE_NUMBER.test(text)) return Number(text);
  if (!WORD.test(text) || NUMBER.test(text)) return undefined;
  const constant = CONSTANTS.get(text);
  return constant === undefined ? text : constant;
}
