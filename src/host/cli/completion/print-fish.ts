import { render } from '../../../base/text/render.ts';
import type { CommandWords, CompletionWords, Offer, OptionWords } from './completion-words.ts';

/** A completion script for fish. */
export function printFish({ commands, first, groups }: CompletionWords): string {
  return render('cli/completion/fish', {
    lines: [
      ...first.map((it) => `complete -c weft -f -n __fish_use_subcommand -a ${it.word} -d ${quoted(it.summary)}`),
      ...groups.flatMap(({ name, second }) =>
        second.map((it) => {
          const unfinished = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${it.word}`;
          return `complete -c weft -f -n ${quoted(unfinished)} -a ${it.word} -d ${quoted(it.summary)}`;
        }),
      ),
      ...commands.flatMap(commandLines),
    ],
  });
}

function commandLines(command: CommandWords): readonly string[] {
  const condition = command.name
    .split(' ')
    .map((it) => `__fish_seen_subcommand_from ${it}`)
    .join('; and ');
  const head = `complete -c weft -n ${quoted(condition)}`;
  return [
    ...command.options.map((it) => `${head} ${optionFlags(it)} -d ${quoted(it.description)}`),
    `${head} ${offer(command.argument)}`,
  ];
}

function optionFlags({ names, value }: OptionWords): string {
  const flags = names.map((it) => (it.startsWith('--') ? `-l ${it.slice(2)}` : `-s ${it.slice(1)}`)).join(' ');
  return value === null ? flags : `${flags} -r ${offer(value)}`;
}

/** `-F` offers file names, `-f` does not. */
function offer(it: Offer): string {
  switch (it.kind) {
    case 'words':
      return `-f -a ${quoted(it.words.join(' '))}`;
    case 'clusters':
      return `${it.orFile ? '-F' : '-f'} -a '(__weft_clusters)'`;
    case 'links':
      return "-f -a '(__weft_links)'";
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'file':
      return '-F';
    case 'nothing':
      return '-f';
  }
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
