import { quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';

/** A symbolic link of a commit, at the path of a file that weft writes or at a folder above it. */
export interface LinkOnPath {
  readonly path: string;
  /** `null` for a name that is not UTF-8. */
  readonly target: string | null;
}

/** What is behind a link can be edited at another path, where no later check looks for the lock, the keys or the answers. */
export const judgeLinks = (links: readonly LinkOnPath[]): readonly Diagnostic[] =>
  links.map(({ path, target }) =>
    diagnostic(
      'provenance/not-a-plain-file',
      startOf({ path, text: '' }),
      `weft writes the lock, the keys and the answers as plain files, and this is a symbolic link to ${quoted(shortened(target ?? '?', 120))}`,
      { hint: 'put the files themselves at this path' },
    ),
  );
