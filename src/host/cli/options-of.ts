import type { COMMANDS, GLOBAL_OPTIONS, OptionSpec } from './command-table.ts';

type Command = (typeof COMMANDS)[number];

/** The name of a command of the table, such as `keys generate`. */
export type CommandName = Command['name'];

/** `detailed-exitcode` on the command line is `detailedExitcode` in code. */
type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

type TextOf<O extends OptionSpec> = O['values'] extends readonly (infer Value extends string)[] ? Value : string;

/** The value of an option: a boolean for a switch, a list if it may be repeated, otherwise a text or `undefined`. */
type ValueOf<O extends OptionSpec> = O extends { readonly repeatable: true }
  ? readonly TextOf<O>[]
  : O extends { readonly value: string }
    ? TextOf<O> | undefined
    : boolean;

type ValuesOf<O extends OptionSpec> = { readonly [Each in O as CamelCase<Each['long']>]: ValueOf<Each> };

/** Options of every command. */
type GlobalOptions = ValuesOf<(typeof GLOBAL_OPTIONS)[number]>;

/** The options of a call, typed by the command's row of the table: an unknown option does not compile. */
export type OptionsOf<Name extends CommandName> = ValuesOf<
  Extract<Command, { readonly name: Name }>['options'][number]
> &
  GlobalOptions;

/** One call of a command, checked against the command table. */
export interface Call<Name extends CommandName> {
  /** Positional arguments, without those that were left out. */
  readonly args: readonly string[];
  readonly options: OptionsOf<Name>;
  /** The text of `weft NAME --help`. */
  readonly help: () => string;
}
