import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

/** `UPDATE_GOLDEN=1` writes what is produced over what is recorded; CI never does. */
const updating = process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'];

/** Compares a text with a file. */
export function expectRecordedText(file: URL, text: string): void {
  const path = file.pathname;
  if (updating) writeFileSync(path, text);
  else expect(text, path).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '(not recorded)');
}

/** True when texts are recorded instead of compared, for which all of them are needed. */
export const isUpdating = (): boolean => updating;

/**
 * Compares texts with the files of a folder, by name; a recorded file that nothing produces fails, too.
 *
 * @param names The names of all files, where only some were drawn.
 */
export function expectRecorded(
  folder: URL,
  files: ReadonlyMap<string, string>,
  names: readonly string[] = [...files.keys()],
): void {
  const root = folder.pathname;
  const recorded = existsSync(root) ? readdirSync(root).sort() : [];
  if (updating) {
    for (const name of recorded) if (!files.has(name)) rmSync(join(root, name));
    for (const [name, text] of files) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return;
  }
  for (const [name, text] of files) expectRecordedText(new URL(name, folder), text);
  expect(recorded, `${root}: recorded files that nothing produces`).toEqual([...names].sort());
}
