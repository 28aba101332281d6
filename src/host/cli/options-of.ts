import { COMMANDS, GLOBAL_OPTIONS, type OptionSpec } from './command-table.ts';

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
export type GlobalOptions = ValuesOf<(typeof GLOBAL_OPTIONS)[number]>;

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

/** Reads the options of one call, by their names in code. `given` returns the value of an option, or `undefined`. */
export function readOptions<Name extends CommandName>(
  name: Name,
  given: (option: OptionSpec) => unknown,
): OptionsOf<Name> {
  const own: readonly OptionSpec[] = COMMANDS.find((it) => it.name === name)?.options ?? [];
  const values = [...own, ...GLOBAL_OPTIONS].map((it) => [camelCase(it.long), valueAs(it, given(it))] as const);
  // Object.fromEntries loses the types of the keys; the table defines both the types and these values.
  return Object.fromEntries(values) as OptionsOf<Name>;
}

function valueAs({ repeatable, value }: OptionSpec, given: unknown): unknown {
  if (repeatable) return given ?? [];
  return value === undefined ? given === true : given;
}

export const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
