import { nodeAt } from '../../base/source/document-node.ts';
import type { Located } from '../../base/source/located.ts';
import { readDocument } from '../../base/source/read-document.ts';
import { Reading, type Unchecked } from '../../base/source/reading.ts';
import type { Source } from '../../base/source/source.ts';
import { INCLUDED_PATH } from './formats/included-path.ts';

/** The key, however it is written: a backslash begins an escape. */
const MAY_INCLUDE = /include|\\/;

/**
 * The files and folders that a topology includes, before it is checked: they are read together with it. Entries that are no
 * such paths are left out, and so is everything in a topology that is not YAML; both are reported when it is parsed.
 */
export function includesOf(topology: Source): readonly Located<string>[] {
  if (!MAY_INCLUDE.test(topology.text)) return [];
  const document = readDocument(topology, { language: 'yaml' });
  const list = document.ok ? nodeAt(document.root, ['include']) : undefined;
  if (list?.kind !== 'list') return [];
  const entries = Reading.of<readonly Unchecked[]>(list).items();
  return entries.flatMap((it) => {
    const path = it.scalar();
    return typeof path?.value === 'string' && INCLUDED_PATH.hintFor(path.value) === undefined
      ? [{ value: path.value, at: path.at }]
      : [];
  });
}

/** Whether an entry includes a folder. */
export const isFolder = (entry: string): boolean => entry.endsWith('/');

/** Whether a file of such a folder is included. */
export const isIncludedName = (name: string): boolean => /\.ya?ml$/.test(name);
