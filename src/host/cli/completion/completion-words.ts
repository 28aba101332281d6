import { CODES } from '../../../base/diagnostics/codes.ts';
import { keyNames } from '../../app/explain.ts';
import {
  COMMAND_GROUPS,
  COMMANDS,
  type CommandSpec,
  GLOBAL_OPTIONS,
  type OptionSpec,
  type Values,
} from '../command-table.ts';

/** The command table for shells, as lists of words. */
export interface CompletionWords {
  readonly commands: readonly CommandWords[];
  /** First words, such as `init` or `keys`, with their summaries. */
  readonly first: readonly Described[];
  /** Second words of a group, such as `generate` of `keys`. */
  readonly groups: readonly { readonly name: string; readonly second: readonly Described[] }[];
}

export interface Described {
  readonly word: string;
  readonly summary: string;
}

export interface CommandWords {
  readonly name: string;
  readonly options: readonly OptionWords[];
  /** The offer for every positional argument: clusters if one of them is a cluster, otherwise that of the first. */
  readonly argument: Offer;
}

export interface OptionWords {
  /** Its names: `-o`, `--output`. */
  readonly names: readonly string[];
  readonly description: string;
  /** `null` for a switch. */
  readonly value: Offer | null;
}

export type Offer =
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
