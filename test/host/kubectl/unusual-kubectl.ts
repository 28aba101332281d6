import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';

const PROGRAM = new URL('./unusual-kubectl.mjs', import.meta.url).pathname;

/** Another form of what kubectl answers, or a failure in its words, of lists with one resource or of all. */
export type Unusual = { readonly form: string } | { readonly fails: string; readonly at?: string };

/**
 * The environment of a kubectl that answers like another one, but not for one context.
 *
 * @param other the environment of the other one
 */
export function unusualKubectl(
  other: Readonly<Record<string, string>>,
  context: string,
  unusual: Unusual,
): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-unusual-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'kubectl');
  const ordinary = `PATH='${other['PATH']}' kubectl "$@"`;
  const answer =
    'form' in unusual
      ? `answer=$(${ordinary}) || exit; printf '%s\\n' "$answer" | '${process.execPath}' '${PROGRAM}' ${unusual.form}`
      : `printf '%s\\n' '${unusual.fails.replaceAll("'", `'\\''`)}' >&2; exit 1`;
  const isAbout = 'at' in unusual && unusual.at !== undefined ? `*[' ,']${unusual.at}*` : '*';
  writeFileSync(
    path,
    `#!/bin/sh
case "$*" in
  *--context=${context}\\ *) ;;
  *) ${ordinary}; exit ;;
esac
case "$*" in
  ${isAbout}) ${answer} ;;
  *) ${ordinary} ;;
esac
`,
  );
  chmodSync(path, 0o755);
  return { PATH: `${folder}${delimiter}${other['PATH'] ?? ''}` };
}
