import type { CommandName, OptionsOf } from '../../../src/host/cli/options-of.ts';
import { readOptions } from '../../../src/host/cli/run-weft.ts';

/** The options of a call, from values by the names that users type, without a command line. */
export const optionsFor = <Name extends CommandName>(
  name: Name,
  values: Readonly<Record<string, unknown>> = {},
): OptionsOf<Name> => readOptions(name, (it) => values[it.long]);
