import { type Diagnostic, diagnostic, type Related } from '../../base/diagnostics/diagnostic.ts';
import { nodeAt } from '../../base/source/document-node.ts';
import { readDocument } from '../../base/source/read-document.ts';
import { Reading, type Unchecked } from '../../base/source/reading.ts';
import type { Located, Source, Span } from '../../base/source/source.ts';
import type { TextFormat } from './formats/text-format.ts';

/** Matches the key in any notation: a backslash begins an escape. */
const MAY_INCLUDE = /include|\\/;

/**
 * Returns the files and folders that a topology includes, before it is checked, because they are read together. Invalid
 * entries, and all entries of a topology that is not YAML, are left out; parsing reports both.
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

export const isFolder = (entry: string): boolean => entry.endsWith('/');

/** True for a file that an included folder adds. */
export const isIncludedName = (name: string): boolean => /\.ya?ml$/.test(name);

/** Reports an entry whose files cannot be read. */
export const cannotInclude = (
  at: Span,
  message: string,
  hint: string | undefined = 'check the path, which begins in the folder of the topology, or remove the entry',
  related: readonly Related[] = [],
): Diagnostic => diagnostic('topology/cannot-include', at, message, { hint, related });

/** A file, or a folder with a trailing slash. */
const PATH_PATTERN = /^([A-Za-z0-9_][-A-Za-z0-9_.]*\/)+([A-Za-z0-9_][-A-Za-z0-9_.]*\.ya?ml)?$/;

const PATH_FORM =
  'write a folder below that of the topology with a slash at its end, like regions/, or a YAML file in one, like regions/eu.yaml';

/**
 * An included file or folder, relative to the topology. It must be below the topology's folder: files in that folder
 * are topologies themselves, and those above may be outside the repository.
 */
export const INCLUDED_PATH: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a file or folder below the folder of the topology',
  hintFor: (text) => {
    if (PATH_PATTERN.test(text)) return undefined;
    const parts = text.split('/');
    if (text.startsWith('/')) return 'write the path from the folder of the topology, like regions/eu.yaml';
    if (parts.includes('..')) return 'move the file into a folder below that of the topology, like regions/eu.yaml';
    if (parts[0] === '.') return 'leave out ./ at the beginning';
    if (text.includes('\\')) return 'write / between folders';
    if (PATH_PATTERN.test(`${text}/`)) {
      return /\.ya?ml$/.test(text)
        ? `move the file into a folder below that of the topology, like regions/${text}: a file beside a topology is another topology`
        : `write ${text}/ for a folder, or add .yaml for a file`;
    }
    return `${PATH_FORM}; use letters, digits, dashes, dots and underscores, and no name that begins with a dot or a dash`;
  },
};
