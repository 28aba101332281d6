import { COMMANDS, GLOBAL_OPTIONS, type OptionSpec } from './command-table.ts';
import type { CommandName, OptionsOf } from './options-of.ts';

/** The options of one call by the names that code uses. `given` returns the value of an option, or `undefined`. */
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
