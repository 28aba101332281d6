import { CODES } from '../../base/diagnostics/codes.ts';
import { render } from '../../base/text/render.ts';
import { keyNames } from '../app/explain.ts';
import {
  COMMAND_GROUPS,
  COMMANDS,
  type CommandSpec,
  GLOBAL_OPTIONS,
  type OptionSpec,
  type Values,
} from './command-table.ts';

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

/** The command table for shells, as lists of words. */
interface CompletionWords {
  readonly commands: readonly CommandWords[];
  /** First words, such as `init` or `keys`, with their summaries. */
  readonly first: readonly Described[];
  /** Second words of a group, such as `generate` of `keys`. */
  readonly groups: readonly { readonly name: string; readonly second: readonly Described[] }[];
}

interface Described {
  readonly word: string;
  readonly summary: string;
}

interface CommandWords {
  readonly name: string;
  readonly options: readonly OptionWords[];
  /** The offer for every positional argument: clusters if one of them is a cluster, otherwise that of the first. */
  readonly argument: Offer;
}

interface OptionWords {
  /** Its names: `-o`, `--output`. */
  readonly names: readonly string[];
  readonly description: string;
  /** `null` for a switch. */
  readonly value: Offer | null;
}

type Offer =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Names of clusters; with `orFile` also files, since the argument may be a topology. */
  | { readonly kind: 'clusters'; readonly orFile: boolean }
  /** A cluster, two with a slash between them, or `all`. */
  | { readonly kind: 'links' }
  /** The contexts that kubectl knows. */
  | { readonly kind: 'contexts' }
  | { readonly kind: 'file' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'nothing' };

const HELP: OptionWords = { names: ['-h', '--help'], description: 'print the help', value: null };

export function completionWords(): CompletionWords {
  const names = [...new Set(COMMANDS.map((it) => it.name.split(' ')[0] ?? it.name))];
  const groups = names.filter((name) => !COMMANDS.some((it) => it.name === name));
  return {
    commands: COMMANDS.map(commandWords),
    first: names.map((word) => ({ word, summary: summaryOf(word) })),
    groups: groups.map((name) => ({ name, second: secondWords(name) })),
  };
}

const secondWords = (group: string): readonly Described[] =>
  COMMANDS.filter((it) => it.name.startsWith(`${group} `)).map((it) => ({
    word: it.name.slice(group.length + 1),
    summary: it.summary,
  }));

/** The summary of a command, or of a group. */
const summaryOf = (word: string): string =>
  [...COMMANDS.map((it) => [it.name, it.summary]), ...Object.entries(COMMAND_GROUPS)].find(
    ([name]) => name === word,
  )?.[1] ?? '';

function commandWords(spec: CommandSpec): CommandWords {
  return {
    name: spec.name,
    options: [...[...spec.options, ...GLOBAL_OPTIONS].map(optionWords), HELP],
    argument: argumentOffer(spec.args.map((it) => it.values)),
  };
}

const optionWords = (it: OptionSpec): OptionWords => ({
  names: [...(it.short === undefined ? [] : [`-${it.short}`]), `--${it.long}`],
  description: it.description,
  value: it.value === undefined ? null : offerOf(it.values),
});

/** One offer for all arguments, because a topology before them is optional and moves their positions. */
const argumentOffer = (values: readonly Values[]): Offer =>
  values.includes('cluster') ? { kind: 'clusters', orFile: values.includes('file') } : offerOf(values[0]);

function offerOf(values: Values | undefined): Offer {
  if (values === undefined || values === 'anything') return { kind: 'nothing' };
  if (values === 'cluster') return { kind: 'clusters', orFile: false };
  if (values === 'link') return { kind: 'links' };
  if (values === 'context') return { kind: 'contexts' };
  if (values === 'code') return { kind: 'words', words: [...Object.keys(CODES), ...keyNames()] };
  return typeof values === 'string' ? { kind: values } : { kind: 'words', words: values };
}
