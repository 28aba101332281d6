import { render } from '../../../base/text/render.ts';
import type { CompletionWords, Offer } from './completion-words.ts';

/** A completion script for bash 3.2 and later. */
export function printBash({ commands, first, groups }: CompletionWords): string {
  const words = (list: readonly { readonly word: string }[]) => list.map((it) => it.word).join(' ');
  return render('cli/completion/bash', {
    first: words(first),
    names: commands.flatMap(({ name }) => pathsOf(name)),
    groups: groups.map((it) => ({ name: it.name, words: words(it.second) })),
    values: commands.flatMap(({ name, options }) =>
      options.flatMap(({ names, value }) =>
        value === null ? [] : [{ pattern: names.map((it) => `'${name} ${it}'`).join('|'), offer: offer(value) }],
      ),
    ),
    options: commands.map(({ name, options }) => ({ name, words: options.flatMap((it) => it.names).join(' ') })),
    arguments: commands.map(({ name, argument }) => ({ name, offer: offer(argument) })),
  });
}

/** `keys generate` is reached word by word: first `keys`, then `keys generate`. */
function pathsOf(name: string): readonly { readonly seen: string; readonly now: string }[] {
  const words = name.split(' ');
  return words.map((word, i) => ({
    seen: `${words.slice(0, i).join(' ')} ${word}`,
    now: words.slice(0, i + 1).join(' '),
  }));
}

function offer(it: Offer): string {
  switch (it.kind) {
    case 'words':
      return `_weft_words '${it.words.join(' ')}'`;
    case 'clusters':
      return it.orFile ? '_weft_clusters_or_files' : '_weft_clusters';
    case 'links':
      return '_weft_links';
    case 'folder':
      return '_weft_folders';
    case 'file':
      return ':'; // No words: the shell completes file names.
    case 'nothing':
      return '_weft_nothing';
  }
}
