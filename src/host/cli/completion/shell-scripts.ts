import { render } from '../../../base/text/render.ts';
import type { CommandWords, CompletionWords, Described, Offer, OptionWords } from './completion-words.ts';

/** A completion script for bash 3.2 and later. */
export function printBash({ commands, first, groups }: CompletionWords): string {
  const words = (list: readonly { readonly word: string }[]) => list.map((it) => it.word).join(' ');
  return render('cli/completion/bash', {
    first: words(first),
    names: commands.flatMap(({ name }) => pathsOf(name)),
    groups: groups.map((it) => ({ name: it.name, words: words(it.second) })),
    values: commands.flatMap(({ name, options }) =>
      options.flatMap(({ names, value }) =>
        value === null ? [] : [{ pattern: names.map((it) => `'${name} ${it}'`).join('|'), offer: bashOffer(value) }],
      ),
    ),
    options: commands.map(({ name, options }) => ({ name, words: options.flatMap((it) => it.names).join(' ') })),
    arguments: commands.map(({ name, argument }) => ({ name, offer: bashOffer(argument) })),
  });
}

/** The steps to a command: `keys generate` is reached by first `keys`, then `keys generate`. */
function pathsOf(name: string): readonly { readonly seen: string; readonly now: string }[] {
  const words = name.split(' ');
  return words.map((word, i) => ({
    seen: `${words.slice(0, i).join(' ')} ${word}`,
    now: words.slice(0, i + 1).join(' '),
  }));
}

function bashOffer(it: Offer): string {
  switch (it.kind) {
    case 'words':
      return `_weft_words '${it.words.join(' ')}'`;
    case 'clusters':
      return it.orFile ? '_weft_clusters_or_files' : '_weft_clusters';
    case 'links':
      return '_weft_links';
    case 'contexts':
      return '_weft_contexts';
    case 'folder':
      return '_weft_folders';
    case 'file':
      return ':'; // No words: the shell completes file names.
    case 'nothing':
      return '_weft_nothing';
  }
}

/** A completion script for zsh, for a file `_weft` in the fpath or to be evaluated. */
export function printZsh({ commands, first, groups }: CompletionWords): string {
  return render('cli/completion/zsh', {
    first: first.map(zshEntry),
    groups: groups.map((it) => ({ name: it.name, entries: it.second.map(zshEntry) })),
    commands: commands.map(({ name, options, argument }) => ({
      name,
      depth: name.split(' ').length,
      specs: [...options.flatMap(specsOf).map((it) => `${it} \\`), `'*:argument:${zshAction(argument)}'`],
    })),
  });
}

const zshEntry = ({ word, summary }: Described): string => `'${zshQuoted(`${word}:${summary}`)}'`;

const specsOf = ({ names, description, value }: OptionWords): readonly string[] =>
  names.map((name) => {
    // The value may also follow an equals sign.
    const flag = value !== null && name.startsWith('--') ? `${name}=` : name;
    return `'*${flag}[${bracketed(description)}]${value === null ? '' : `:value:${zshAction(value)}`}'`;
  });

function zshAction(it: Offer): string {
  switch (it.kind) {
    case 'words':
      return `(${it.words.join(' ')})`;
    case 'clusters':
      return it.orFile ? '_weft_clusters_or_files' : '_weft_clusters';
    case 'links':
      return '_weft_links';
    case 'contexts':
      return '_weft_contexts';
    case 'folder':
      return '_files -/';
    case 'file':
      return '_files';
    case 'nothing':
      return ' ';
  }
}

const zshQuoted = (text: string): string => text.replaceAll("'", "'\\''");
const bracketed = (text: string): string => zshQuoted(text.replace(/[[\]:\\]/g, '\\$&'));

/** A completion script for fish. */
export function printFish({ commands, first, groups }: CompletionWords): string {
  return render('cli/completion/fish', {
    lines: [
      ...first.map((it) => `complete -c weft -f -n __fish_use_subcommand -a ${it.word} -d ${fishQuoted(it.summary)}`),
      ...groups.flatMap(({ name, second }) =>
        second.map((it) => {
          const unfinished = `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${it.word}`;
          return `complete -c weft -f -n ${fishQuoted(unfinished)} -a ${it.word} -d ${fishQuoted(it.summary)}`;
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
  const head = `complete -c weft -n ${fishQuoted(condition)}`;
  return [
    ...command.options.map((it) => `${head} ${optionFlags(it)} -d ${fishQuoted(it.description)}`),
    `${head} ${fishOffer(command.argument)}`,
  ];
}

function optionFlags({ names, value }: OptionWords): string {
  const flags = names.map((it) => (it.startsWith('--') ? `-l ${it.slice(2)}` : `-s ${it.slice(1)}`)).join(' ');
  return value === null ? flags : `${flags} -r ${fishOffer(value)}`;
}

/** The options of `complete` for an offer: `-F` offers file names, `-f` does not. */
function fishOffer(it: Offer): string {
  switch (it.kind) {
    case 'words':
      return `-f -a ${fishQuoted(it.words.join(' '))}`;
    case 'clusters':
      return `${it.orFile ? '-F' : '-f'} -a '(__weft_clusters)'`;
    case 'links':
      return "-f -a '(__weft_links)'";
    case 'contexts':
      return "-f -a '(__weft_contexts)'";
    case 'folder':
      return "-f -a '(__fish_complete_directories)'";
    case 'file':
      return '-F';
    case 'nothing':
      return '-f';
  }
}

const fishQuoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** A completion script for PowerShell 5 and later. Without words, PowerShell completes file names itself. */
export function printPowershell({ commands, first, groups }: CompletionWords): string {
  return render('cli/completion/powershell', {
    words: [
      { key: powershellQuoted(''), list: psList([...first.map((it) => it.word), 'help']) },
      ...groups.map((it) => ({ key: powershellQuoted(it.name), list: psList(it.second.map((other) => other.word)) })),
      ...commands.flatMap(({ name, argument }) =>
        argument.kind === 'words' ? [{ key: powershellQuoted(name), list: psList(argument.words) }] : [],
      ),
    ],
    options: commands.map(({ name, options }) => ({
      key: powershellQuoted(name),
      list: psList(options.flatMap((it) => it.names)),
    })),
    values: commands.flatMap(({ name, options }) =>
      options.flatMap(({ names, value }) =>
        value?.kind === 'words'
          ? names.map((it) => ({ key: powershellQuoted(`${name} ${it}`), list: valueList(value) }))
          : [],
      ),
    ),
    names: psList([...groups.map((it) => it.name), ...commands.map((it) => it.name)]),
  });
}

const valueList = (it: Offer): string => psList(it.kind === 'words' ? it.words : []);
const psList = (words: readonly string[]): string => `@(${words.map(powershellQuoted).join(', ')})`;
const powershellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
