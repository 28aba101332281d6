import { COMMANDS, type CommandSpec } from '../../src/host/cli/command-table.ts';

/** Words for arguments and options that have no default, by their names; a list for several calls. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  dir: ['start'],
  cluster: ['rome'],
  from: ['rome'],
  to: ['milan'],
  address: ['10.202.0.7'],
  mode: ['check', 'comment', 'open'],
  shell: ['bash'],
};

/** Further options of a command, each for a call of its own, and those without which it would do nothing or too much. */
const MORE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  compile: [['--check'], ['--cluster', 'rome'], ['--all'], ['--frozen-lock'], ['--relock', 'rome/milan', '-o', 'json']],
  plan: [
    ['-o', 'markdown'],
    ['--diff', 'review'],
    ['--base-dir', '.'],
    ['--base', 'HEAD'],
  ],
  trace: [['--from-node'], ['-o', 'json']],
  verify: [['-o', 'sarif']],
  pr: [['--base', 'HEAD']],
  validate: [['-o', 'github']],
};

/** A lab would be built with real namespaces; this cluster is in no topology. Endpoints are read from stdin. */
const ALWAYS: Readonly<Record<string, readonly string[]>> = {
  lab: ['--cluster', 'nowhere'],
  translate: ['--in', 'europe', '--for', 'rome'],
  drift: ['--live', 'rome=rome.json'],
  'keys collect': ['--live', 'rome=rome.json'],
  'identities collect': ['rome=rome.json'],
  'keys generate': ['--secrets-dir', '../secrets', '--in-repository'],
  'keys rotate': ['--link', 'all', '--secrets-dir', '../next', '--in-repository'],
};

/** Calls of every command of the table, without a terminal, a forge or a watch; a new command joins by itself. */
export const EVERY_CALL: readonly (readonly string[])[] = (COMMANDS as readonly CommandSpec[])
  .flatMap((it) => {
    const words = it.args.filter((arg) => arg.required).map((arg) => wordsFor(it.name, arg.name));
    const calls = words.reduce<readonly (readonly string[])[]>(
      (sofar, next) => sofar.flatMap((call) => next.map((word) => [...call, word])),
      [[...it.name.split(' ')]],
    );
    const call = (more: readonly string[]) => calls.map((start) => [...start, ...(ALWAYS[it.name] ?? []), ...more]);
    return [[], ...(MORE[it.name] ?? [])].flatMap(call);
  })
  .map((it) => (it[0] === 'init' ? [...it, 'start'] : it));

function wordsFor(command: string, argument: string): readonly string[] {
  const words = WORDS[argument];
  if (words === undefined)
    throw new Error(`give the argument "${argument}" of "weft ${command}" a word in ${import.meta.url}`);
  return words;
}
