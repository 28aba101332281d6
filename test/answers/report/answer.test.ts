import { describe, expect, it } from 'vitest';
import { type Answer, FORMATS } from '../../../src/answers/report/answer.ts';
import { COMMANDS, type CommandSpec } from '../../../src/host/cli/command-table.ts';

/** Types that the compiler must accept and refuse. */
function everyFormatHasItsPrinter(print: (text: string) => string): readonly unknown[] {
  const whole: Answer<'explain', string> = { text: print, json: (text) => ({ text }) };
  // @ts-expect-error a format without a printer
  const missing: Answer<'explain', string> = { text: print };
  // @ts-expect-error a printer without a format
  const extra: Answer<'explain', string> = { text: print, json: (text) => ({ text }), csv: print };
  // @ts-expect-error a document that is a text already
  const printed: Answer<'explain', string> = { text: print, json: print };
  // @ts-expect-error a command without `-o`
  const none: Answer<'init', string> = { text: print };
  return [whole, missing, extra, printed, none];
}

describe('the formats of a command', () => {
  const commands: readonly CommandSpec[] = COMMANDS;
  const formatsOf = ({ options }: CommandSpec) => options.find((it) => it.long === 'output')?.values;

  it('are those of its own row, in the order of the help', () => {
    const formats = commands.flatMap((it) => {
      const own = formatsOf(it);
      // weft report names a file with -o.
      return typeof own === 'string' || own === undefined ? [] : [[it.name, own] as const];
    });
    expect(Object.fromEntries(formats)).toEqual(FORMATS);
  });

  it('have a printer each', () => {
    expect(everyFormatHasItsPrinter((text) => text)).toHaveLength(5);
  });
});
