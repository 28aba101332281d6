/** The escapes that are read; YAML has more of them. Source: YAML 1.2.2, 5.7 "Escaped Characters". */
const ESCAPE = /\\(?:(["\\ntr])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5})|)/g;

const SHORT: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', n: '\n', t: '\t', r: '\r' };

/** The inside of a string in double quotes; `undefined` if it has an escape that is not read. */
export function unescaped(inside: string): string | undefined {
  let isKnown = true;
  const value = inside.replace(ESCAPE, (_, short?: string, two?: string, four?: string, eight?: string) => {
    const digits = two ?? four ?? eight;
    if (short !== undefined) return SHORT[short] as string;
    if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16));
    isKnown = false;
    return '';
  });
  return isKnown ? value : undefined;
}
