import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/host/cli/command-table.ts';
import type { OptionsOf } from '../../../src/host/cli/options-of.ts';
import { workspace } from './memory-host.ts';
import { optionsFor } from './options-for.ts';

/** Types that the compiler must accept and refuse. */
function typesFollowFromTheTable(compile: OptionsOf<'compile'>, view: OptionsOf<'view'>): readonly unknown[] {
  const output: 'text' | 'json' | 'github' | 'gitlab' | 'sarif' | undefined = compile.output;
  const clusters: readonly string[] = compile.cluster;
  const frozen: boolean = compile.frozenLock;
  const colour: 'auto' | 'always' | 'never' | undefined = view.color;
  // @ts-expect-error a misspelt option
  const misspelt = compile.outptu;
  // @ts-expect-error an option of another command
  const foreign = view.frozenLock;
  // @ts-expect-error a format that the command does not have
  const sarif: 'sarif' = view.output;
  // @ts-expect-error a command that is not in the table
  const none: OptionsOf<'complie'> = compile;
  return [output, clusters, frozen, colour, misspelt, foreign, sarif, none];
}

describe('the options of a command', () => {
  it('are all there although none was given: switches off, lists empty, texts absent', () => {
    const options = optionsFor('compile');
    expect(options).toMatchObject({ check: false, frozenLock: false, cluster: [], quiet: false });
    expect(options.output).toBeUndefined();
  });

  it('are read by the names that users type', () => {
    expect(optionsFor('plan', { 'detailed-exitcode': true, 'max-removed': '1/2', nonsense: true })).toMatchObject({
      detailedExitcode: true,
      maxRemoved: '1/2',
    });
    expect(optionsFor('plan', { nonsense: true })).not.toHaveProperty('nonsense');
  });

  it('have types that follow from the table', () => {
    const values = typesFollowFromTheTable(optionsFor('compile', { output: 'json' }), optionsFor('view'));
    expect(values.slice(0, 3)).toEqual(['json', [], false]);
  });

  it('have names that commander derives in the same way', () => {
    const names = COMMANDS.flatMap((it) => it.options.map((option) => option.long));
    expect(names.filter((it) => !/^[a-z]+(-[a-z]+)*$/.test(it))).toEqual([]);
  });
});

describe('an earlier name of an option', () => {
  const withEarlierNames = COMMANDS.flatMap(({ name, options }) =>
    options.flatMap((it) => ('formerly' in it ? [[name, it.long, it.formerly] as const] : [])),
  );

  it('is that of the sources of live clusters', () => {
    expect(withEarlierNames.map((it) => it.join(' '))).toEqual([
      'import live from',
      'drift live from',
      'identities collect live from',
    ]);
  });

  it.each(withEarlierNames)('does the same in %s, without a word, and is shown nowhere', async (name, now, before) => {
    const { weft } = workspace();
    const command = name.split(' ');
    const named = (option: string) => weft(...command, `--${option}`, 'rome=gone.json', `--${now}`, 'milan=gone.json');
    expect(await named(before)).toEqual(await named(now));
    expect((await weft(...command, '--help')).stdout).not.toContain(`--${before}`);
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { stdout } = await weft('completion', shell);
      const ofCommand = stdout.split('\n').filter((it) => it.includes(name) && !it.includes('trace'));
      expect(ofCommand.join('\n')).not.toMatch(new RegExp(`-l ${before} |--${before}\\b`));
    }
  });
});
