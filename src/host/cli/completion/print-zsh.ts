import { render } from '../../../base/text/render.ts';
import type { CompletionWords, Described, Offer, OptionWords } from './completion-words.ts';

/** A completion script for zsh, for a file `_weft` in the fpath or to be evaluated. */
export function printZsh({ commands, first, groups }: CompletionWords): string {
  return render('cli/completion/zsh', {
    first: first.map(entry),
    groups: groups.map((it) => ({ name: it.name, entries: it.second.map(entry) })),
    commands: commands.map(({ name, options, argument }) => ({
      name,
      depth: name.split(' ').length,
      specs: [...options.flatMap(specsOf).map((it) => `${it} \\`), `'*:argument:${action(argument)}'`],
    })),
  });
}

const entry = ({ word, summary }: Described): string => `'${quoted(`${word}:${summary}`)}'`;

const specsOf = ({ names, description, value }: OptionWords): readonly string[] =>
  names.map((name) => {
    // Also behind an equals sign.
    const flag = value !== null && name.startsWith('--') ? `${name}=` : name;
    return `'*${flag}[${bracketed(description)}]${value === null ? '' : `:value:${action(value)}`}'`;
  });

function action(it: Offer): string {
  switch (it.kind) {
    case 'words':
      return `(${it.words.join(' ')})`;
    case 'clusters':
      return it.orFile ? '_weft_clusters_or_files' : '_weft_clusters';
    case 'links':
      return '_weft_links';
    case 'folder':
      return '_files -/';
    case 'file':
      return '_files';
    case 'nothing':
      return ' ';
  }
}

const quoted = (text: string): string => text.replaceAll("'", "'\\''");
const bracketed = (text: string): string => quoted(text.replace(/[[\]:\\]/g, '\\$&'));
