import { CommanderError } from 'commander';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import { OperationRefused, type Refusal } from '../app/refusal.ts';
import { CommandFailure } from '../front/command-failure.ts';
import { describeRefusal } from '../front/refused.ts';
import { COMMANDS, type CommandSpec, namesOf } from './command-table.ts';

/** Turns an error of a command line into a failure with a hint; returns any other error unchanged. */
export function misuse(error: unknown, argv: readonly string[]): unknown {
  if (error instanceof CommanderError) return usageFailure(error, argv);
  return error instanceof OperationRefused ? (otherWordFailure(error, argv) ?? error) : error;
}

/** The messages of commander start with `error:` and have the suggestion on a second line. */
function usageFailure({ message: text, code }: CommanderError, argv: readonly string[]): CommandFailure {
  const [message = '', suggestion] = text.replace(/^error: /, '').split('\n');
  const [, value = '', argument = '', choices] =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. Allowed choices are (.*)\.$/.exec(message) ?? [];
  if (choices !== undefined) {
    // Only scripts write `clusters`.
    const known = choices.split(', ').filter((it) => it !== 'clusters');
    return new CommandFailure(
      `the ${argument} "${value}" is not supported`,
      meantHint(value, known) ?? `choose one of ${known.join(', ')}`,
    );
  }
  const similar = suggestion?.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $2?');
  const command = commandOf(argv);
  const help = `run "weft ${command === undefined ? '' : `${command.name} `}--help"`;
  const hint = hintOf({ message, code, argv, command }) ?? similar ?? (command ? help : `${help} to list the commands`);
  return new CommandFailure(message, hint);
}

/** The failure for a word where another thing is expected, instead of that for what is missing. */
function otherWordFailure(error: OperationRefused, argv: readonly string[]): CommandFailure | undefined {
  const command = commandOf(argv);
  const hint = command && otherWordHint(error.refusal, argv, command);
  return hint === undefined ? undefined : new CommandFailure(describeRefusal(error.refusal).message, hint);
}

function otherWordHint(refusal: Refusal, argv: readonly string[], command: CommandSpec): string | undefined {
  const isTyped = (word: string): boolean => isArgument(word, argv, command);
  switch (refusal.kind) {
    case 'no-live-cluster': {
      const words = wordsOf(argv).slice(command.name.split(' ').length);
      const dumps = words.find((it) => isTyped(it) && !/\.ya?ml$/.test(it));
      return dumps === undefined ? undefined : `name dumps with --live: ${usage(command, `--live ${dumps}`)}`;
    }
    case 'no-file': {
      const { path } = refusal;
      if (!isTyped(path)) return undefined;
      const isLab = command.name === 'lab' && /^(start|stop|up|down|run|clean)$/.test(path);
      return (isLab ? LAB_HINT : undefined) ?? clustersHint([path], command) ?? otherThingHint(path, command);
    }
    default:
      return undefined;
  }
}

/** True for a word that is not the value of an option. */
const isArgument = (word: string, argv: readonly string[], { options }: CommandSpec): boolean =>
  argv.some(
    (it, i) =>
      it === word && !options.some((one) => one.value !== undefined && namesOf(one).includes(argv[i - 1] ?? '')),
  );

const LAB_HINT =
  'run "sudo weft lab": it builds the lab, tries it and removes it; --keep leaves it there, and --clean removes what was left';

/** The hint for a branch or a folder where a topology is expected: `weft plan main`, `weft verify out`. */
function otherThingHint(path: string, command: CommandSpec): string | undefined {
  if (/\.ya?ml$/.test(path)) return undefined;
  if (command.name === 'report' && /\.html?$/.test(path))
    return `name the page with -o: ${usage(command, `-o ${path}`)}`;
  if (has(command, 'base')) return `compare with a branch or a commit: ${usage(command, `--base ${path}`)}`;
  return has(command, 'out')
    ? `name the folder of the bundles with --out: ${usage(command, `--out ${path}`)}`
    : undefined;
}

const SPECS: readonly CommandSpec[] = COMMANDS;

interface Misuse {
  readonly message: string;
  /** The error code of commander. */
  readonly code: string;
  readonly argv: readonly string[];
  readonly command: CommandSpec | undefined;
}

function hintOf({ message, code, argv, command }: Misuse): string | undefined {
  const [word = ''] = wordsOf(argv);
  const [, named = ''] = /'([^']*)'/.exec(message) ?? [];
  if (command === undefined) return code === 'commander.unknownOption' ? undefined : commandHint(word, named);
  switch (code) {
    case 'commander.unknownOption':
      return otherOptionHint(typedOption(named, argv), command);
    case 'commander.excessArguments': {
      const words = wordsOf(argv).slice(command.name.split(' ').length);
      return clustersHint(words, command) ?? (command.name === 'explain' ? usage(command, words.join('/')) : undefined);
    }
    case 'commander.missingArgument':
      return named === 'shell' ? 'name the shell: bash, zsh, fish or powershell' : undefined;
    case 'commander.invalidArgument':
      return named.includes('--output')
        ? outputHint(/argument '(.*)' is invalid/.exec(message)?.[1] ?? '', command)
        : undefined;
    default:
      return undefined;
  }
}

/** Splits `--cluster=rome` and `--cluster rome`: an unknown option may have a value or not. */
function typedOption(option: string, argv: readonly string[]): TypedOption {
  const [, name = '', given] = /^--?([^=]*)(?:=(.*))?$/s.exec(option) ?? [];
  const next = argv[argv.indexOf(option) + 1];
  return { name, value: given ?? (next?.startsWith('-') ? undefined : next) };
}

/** The hint for a missing command, for a word that is none, or for a second word that its group does not have. */
function commandHint(word: string, named: string): string | undefined {
  const ofGroup = SPECS.filter((it) => it.name.startsWith(`${word} `)).map((it) => it.name);
  if (ofGroup.length > 0) {
    if (ofGroup.some((it) => meantHint(`${word} ${named}`, [it]))) return undefined;
    return (
      (word === 'keys' ? hintIn(KEY_WORDS, named) : undefined) ??
      `run ${ofGroup.map((it) => `"weft ${it}"`).join(' or ')}`
    );
  }
  const meant = SPECS.find((it) => it.otherNames?.includes(word));
  if (meant !== undefined) return `did you mean ${meant.name}?`;
  return (
    hintIn(WORDS, word) ??
    meantHint(
      word,
      SPECS.flatMap((it) => it.name.split(' ').slice(0, -1)),
    )?.replaceAll('"', '')
  );
}

/** The command that a command line calls, if any. */
function commandOf(argv: readonly string[]): CommandSpec | undefined {
  const words = wordsOf(argv);
  return SPECS.find(({ name }) => name.split(' ').every((it, i) => words[i] === it));
}

const wordsOf = (argv: readonly string[]): readonly string[] => argv.filter((it) => !it.startsWith('-'));

const ROTATE = 'run "weft keys rotate", which makes the next keys of links, and then uses them';

/** Hints for commands of other tools; no command is run instead. */
const WORDS: Readonly<Record<string, string>> = {
  ...meaning('run "weft validate": it reports every mistake of a topology', ['lint', 'vet', 'doctor', 'validates']),
  ...meaning(
    'run "weft compile --check", or "weft verify" to prove the files, or "weft validate" for the topology alone',
    ['check', 'test'],
  ),
  ...meaning('run "weft plan": it shows what compile would change', ['preview', 'changes']),
  ...meaning('run "weft plan": it shows what compile would change; with --diff DIR also the lines', ['diff']),
  ...meaning(
    'run "weft compile", and commit out/: weft changes no cluster, Argo CD or Flux applies what is committed',
    ['apply', 'deploy', 'install', 'sync', 'up', 'upgrade', 'push', 'reconcile'],
  ),
  ...meaning(
    'set `retired: true` on a cluster that leaves the fleet, and run "weft plan": weft changes no cluster itself',
    ['delete', 'destroy', 'down', 'remove', 'rm', 'uninstall', 'unpeer'],
  ),
  ...meaning('weft leaves your layout as it is; "weft validate" reports what is wrong in it', ['fmt', 'format']),
  ...meaning('run "weft compile"', ['build', 'generate', 'gen', 'make', 'render', 'run', 'synth', 'template']),
  ...meaning('run "weft" alone for the state of the fleet, or "weft drift" to compare live clusters with it', [
    'status',
  ]),
  ...meaning('run "weft view" to list the clusters, or "weft view CLUSTER" for one of them', [
    'clusters',
    'describe',
    'get',
    'info',
    'list',
    'ls',
    'peers',
    'ps',
    'show',
  ]),
  ...meaning('run "weft view links": it lists all links', ['links', 'tunnels']),
  ...meaning('run "weft init DIR"', ['bootstrap', 'create', 'new', 'setup', 'start']),
  ...meaning('add a pair of clusters to `peerings` or `shortcuts` in the topology, and run "weft compile"', [
    'connect',
    'join',
    'network',
    'peer',
  ]),
  ...meaning('add an entry to `sharing` and one to `offloading` in the topology, and run "weft compile"', [
    'authenticate',
    'lend',
    'offload',
    'share',
  ]),
  ...meaning('remove the entry from `offloading` or `sharing` in the topology, and run "weft compile"', [
    'unauthenticate',
    'unoffload',
  ]),
  ...meaning('add an entry with `code` and `reason` to `accept` in the topology', ['accept', 'ignore', 'suppress']),
  ...meaning('run "weft graph", which draws the fleet', ['draw', 'picture', 'serve', 'ui']),
  ...meaning('run "weft trace FROM TO"', ['ping', 'route', 'traceroute']),
  ...meaning('run "weft import"', ['adopt', 'convert', 'discover', 'scan']),
  ...meaning('run "weft keys generate"', ['genkey', 'key', 'keygen']),
  ...meaning(ROTATE, ['rotate']),
  ...meaning('run "weft explain CODE", "weft explain KEY" or "weft COMMAND --help"', ['docs', 'man', 'schema']),
  ...meaning('run "weft --version"', ['version']),
};

/** Hints for second words of `weft keys`. */
const KEY_WORDS: Readonly<Record<string, string>> = {
  ...meaning(ROTATE, ['renew', 'replace']),
  ...meaning('run "weft view links": it lists the links and the keys that they lack', ['list', 'ls', 'show', 'status']),
};

function meaning(hint: string, words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(words.map((it) => [it, hint]));
}

/** The hint for a word that is no command. */
const hintIn = (hints: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.hasOwn(hints, word) ? hints[word] : undefined;

type OptionHint = (command: CommandSpec, typed: TypedOption) => string | undefined;

/** Hints for options of other tools; `undefined` where the command has no counterpart. */
const OPTIONS: readonly (readonly [names: RegExp, hint: OptionHint])[] = [
  [
    /^(dry-run|noop|no-op|what-if|diff|preview|n)$/,
    () => 'run "weft compile --check" to see which files would change, or "weft plan" for what that means',
  ],
  [/^(json|yaml|markdown|md|sarif|text)$/, (command, { name }) => formatHint(command, name)],
  [/^(format|output-format)$/, (command) => (has(command, 'output') ? 'write -o FORMAT' : undefined)],
  [
    /^(f|file|filename|topology|config|c|input|i)$/,
    (command, { value = '[topology]' }) =>
      hasTopology(command) ? `name the file without an option: ${usage(command, value)}` : undefined,
  ],
  [/^(d|dir|dest|destination|output-dir|output-folder|target)$/, (command) => outHint(command)],
  [
    /^(cluster|from|to|peer|node)s?$/,
    (command, typed) => clusterHint(command, typed) ?? (typed.name === 'from' ? liveHint(command) : undefined),
  ],
  [/^dumps?$/, (command) => liveHint(command)],
  [
    /^(y|yes|auto-approve|force|assume-yes)$/,
    (command) =>
      has(command, 'allow-destroy')
        ? 'no command waits for a yes; --allow-destroy allows what is refused otherwise'
        : undefined,
  ],
  [/^(no-color|no-colors|no-colour|nocolor|colour)$/, () => 'write --color never'],
  [/^(silent|s)$/, () => 'write --quiet'],
  [/^(trace|vv|vvv|log-level)$/, () => 'write --verbose, or --debug if weft itself fails'],
  [
    /^(kubeconfig|kube-context)$/,
    (command) => (has(command, 'context') ? 'set KUBECONFIG, and name a context with --context' : undefined),
  ],
  [/^(watch|w)$/, () => 'run "weft compile --watch"'],
  [
    /^(strict|werror|fail-on-warnings?|warnings-as-errors)$/,
    () => 'no warning fails a run: correct it, or add it with a reason to `accept` in the topology',
  ],
  [/^fix$/, () => 'weft changes no file of yours: every hint says what to write'],
  [
    /^(port|p|dport)$/,
    (command, { value = 'PORT' }) =>
      command.name === 'trace' ? `write it behind a colon: weft trace FROM TO:${value}` : undefined,
  ],
  [
    /^>+$/,
    (command) =>
      usage(
        command,
        command.args
          .map((it) => it.name.toUpperCase())
          .slice(1)
          .join(' '),
      ),
  ],
];

/** An option as it was typed: without its dashes, and with the word that may be its value. */
interface TypedOption {
  readonly name: string;
  readonly value: string | undefined;
}

/** The hint for an option that a command does not have: `--json`, `-f`. */
const otherOptionHint = (typed: TypedOption, command: CommandSpec): string | undefined =>
  OPTIONS.find(([names]) => names.test(typed.name))?.[1](command, typed);

const has = (command: CommandSpec, long: string): boolean => command.options.some((it) => it.long === long);

const hasTopology = ({ args }: CommandSpec): boolean => args.some((it) => it.name === 'topology');

const outHint = (command: CommandSpec): string | undefined =>
  has(command, 'out') ? 'name the folder of the bundles with --out DIR' : undefined;

const liveHint = (command: CommandSpec): string | undefined =>
  has(command, 'live') ? 'name a dump with --live DUMP, or a context with --context NAME' : undefined;

/** The hint for commands whose clusters are arguments, with the cluster that was typed. */
function clusterHint(command: CommandSpec, { name, value }: TypedOption): string | undefined {
  const ends = command.args.map((it) => it.name).filter((it) => ['cluster', 'from', 'to'].includes(it));
  if (ends.length === 0) return undefined;
  const typed = ends.includes(name) ? name : ends[0];
  const words = ends.map((it) => (it === typed && value !== undefined ? value : it.toUpperCase()));
  return `name clusters without an option: ${usage(command, words.join(' '))}`;
}

const usage = ({ name }: CommandSpec, args: string): string => `weft ${name} ${args}`;

function formatHint(command: CommandSpec, format: string): string | undefined {
  const formats = formatsOf(command);
  const known = format === 'md' ? 'markdown' : format;
  if (formats.length === 0) return undefined;
  return formats.includes(known) ? `write -o ${known}` : `write -o with one of ${formats.join(', ')}`;
}

/** Formats of other tools; any other word after -o is taken for a folder. */
const FORMATS =
  /^(ascii|csv|diff|dot|gif|github|gitlab|graphviz|html|jpe?g|jsonl?|jsonpath.*|junit|markdown|md|mermaid|mmd|name|pdf|plain|png|raw|sarif|short|svg|table|text|toml|tsv|txt|wide|xml|ya?ml)$/;

/** The hint for a file that the answer is to be written into: `weft graph fleet.svg`. */
function fileHint(value: string, command: CommandSpec): string | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(value) ?? [];
  const format = FORMATS_BY_ENDING.get(ending) ?? ending;
  return formatsOf(command).includes(format)
    ? `write it into the file with ">": ${usage(command, `-o ${format} > ${value}`)}`
    : undefined;
}

/** Formats by the endings of their files, where these differ. */
const FORMATS_BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['gv', 'dot'],
  ['md', 'markdown'],
  ['mmd', 'mermaid'],
  ['txt', 'text'],
]);

const PICTURES = /^(ascii|dot|gif|graphviz|jpe?g|mermaid|mmd|pdf|png|svg)$/;

/** The hint for an unknown value of `--output`: another format, a file, or a folder. */
function outputHint(value: string, command: CommandSpec): string | undefined {
  const ofFile = fileHint(value, command);
  if (ofFile !== undefined) return ofFile;
  const meant = FORMATS.test(value) ? undefined : meantHint(value, formatsOf(command));
  if (meant !== undefined) return meant;
  if (!FORMATS.test(value) && has(command, 'out')) return outHint(command);
  if (value === 'md') return formatHint(command, value);
  if (PICTURES.test(value)) {
    return formatsOf(command).includes('svg')
      ? 'write -o svg: other programs make every other kind of picture of it'
      : 'run "weft graph": it draws the fleet as mermaid, dot or svg';
  }
  return formatsOf(command).includes('json') ? 'write -o json for programs' : formatHint(command, value);
}

const formatsOf = ({ options }: CommandSpec): readonly string[] => {
  const values = options.find((it) => it.long === 'output')?.values;
  return typeof values === 'object' ? values : [];
};

/** The hint for names where a topology is expected: `weft compile rome`. */
const clustersHint = (names: readonly string[], command: CommandSpec): string | undefined =>
  has(command, 'cluster') && names.length > 0 && names.every((it) => /^[a-z0-9-]+$/.test(it))
    ? `name clusters with --cluster: ${usage(command, names.map((it) => `--cluster ${it}`).join(' '))}`
    : undefined;
