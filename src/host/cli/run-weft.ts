import { Argument, Command, CommanderError, Help, Option } from 'commander';
import { EXIT, type ExitCode, type Host } from '../front/host.ts';
import {
  type ArgumentSpec,
  COMMAND_GROUPS,
  COMMANDS,
  type CommandSpec,
  GLOBAL_OPTIONS,
  type OptionSpec,
} from './command-table.ts';
import type { Call, CommandName, OptionsOf } from './options-of.ts';

/** Runs one command line (without node and the script) and returns its exit code. Throws nothing. */
export async function runWeft(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await runProgram(host, argv);
  } catch (error) {
    const settings = { color: colourAsked(argv), debug: argv.includes('--debug'), json: asksForJson(argv) };
    // Loaded here, because most command lines do not fail.
    const { misuse } = await import('./misuse.ts');
    const { printFailure } = await import('../front/show.ts');
    return printFailure(host, misuse(error, argv), settings);
  }
}

/** True if the words request JSON; the command line may be invalid. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (it, i) => ['-ojson', '--output=json'].includes(it) || (['-o', '--output'].includes(it) && argv[i + 1] === 'json'),
  );
}

function colourAsked(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--color');
  return at === -1 ? argv.find((it) => it.startsWith('--color='))?.slice('--color='.length) : argv[at + 1];
}

const EXIT_CODES = `
Exit codes:
  0    yes, or done
  1    the answer is no: the topology has errors, --check finds a difference
  2    no answer: misuse, a file that cannot be read
  3    a bug of weft
  130  stopped by Ctrl-C
`;

const EXAMPLES = `
Examples:
  weft init && weft compile      a first fleet
  weft compile --cluster rome    compile one bundle
  weft view rome                 how rome sees its peers
  weft explain                   list every diagnostic
`;

/**
 * Runs a command line, with a parser that is generated from the command table. Help is printed; misuse is thrown as a
 * `CommanderError`.
 */
async function runProgram(host: Host, argv: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.yes;
  const printed: string[] = [];
  const weft = new Command('weft')
    .description('Compiles a topology of Kubernetes clusters joined by Liqo into manifests, one bundle per cluster.')
    .version(host.build, '-V, --version', 'print the version, and the commit that it was built from')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command');
  prepare(weft, host, printed);
  for (const it of GLOBAL_OPTIONS) weft.addOption(optionOf(it));
  weft.addHelpText('after', () => fitting(EXAMPLES + EXIT_CODES, host));

  const groups = new Map<string, Command>();
  const commands: Command[] = [];
  for (const spec of COMMANDS) {
    const words = spec.name.split(' ');
    const last = words.at(-1) ?? spec.name;
    const parent = words.length === 1 ? weft : groupOf(groups, weft, words[0] ?? '', { host, printed });
    const command = prepare(parent.command(last), host, printed).summary(spec.summary).helpGroup(`${spec.group}:`);
    command.usage(`[options] ${spec.args.map(usageOf).join(' ')}`.trim());
    commands.push(command);
    // The list of all commands needs no options, and creating all of them takes a third of the time of `weft --help`.
    if (!words.some((it) => argv.includes(it))) continue;
    command.description(describe(spec)).addHelpText('after', () => examplesOf(spec, host) + fitting(EXIT_CODES, host));
    for (const it of spec.args) command.addArgument(argumentOf(spec, it));
    for (const it of spec.options) {
      command.addOption(optionOf(withSchema(spec, it)));
      addFormerName(command, it);
    }
    command.action(async () => {
      exitCode = await runCommand(host, spec, command, () => helpOf(command, printed));
    });
  }
  // One list of all commands, including those of groups, as users type them.
  weft.configureHelp({ ...weft.configureHelp(), visibleCommands: () => commands, subcommandTerm: termOf });
  try {
    await weft.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) {
      if (error.code !== 'commander.help') throw error;
      const group = groups.get(weft.args[0] ?? '');
      if (group === undefined) return showFleet(host, weft.opts());
      await host.stderr.write(group.helpInformation());
      return EXIT.unable;
    }
    await host.stdout.write(printed.join(''));
  }
  return exitCode;
}

const termOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

/** `weft` alone, with options of every command at most. */
async function showFleet(host: Host, values: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const { showState } = await import('./commands/state.ts');
  const { color } = values;
  return showState(host, { quiet: values['quiet'] === true, color: typeof color === 'string' ? color : undefined });
}

function prepare(command: Command, host: Host, printed: string[]): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError()
    .allowExcessArguments(false)
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false, minWidthToWrap: NARROWEST, formatItem })
    .configureOutput({
      writeOut: (text) => {
        printed.push(text);
      },
      // The thrown error contains the message; `run-weft.ts` prints it.
      writeErr: () => {},
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => helpWidth(host),
      getErrHelpWidth: () => helpWidth(host),
    });
}

function groupOf(
  groups: Map<string, Command>,
  weft: Command,
  name: string,
  { host, printed }: { readonly host: Host; readonly printed: string[] },
): Command {
  const known = groups.get(name);
  if (known) return known;
  const group = prepare(weft.command(name), host, printed);
  group.configureHelp({ ...group.configureHelp(), formatHelp: () => groupHelp(name, host) });
  groups.set(name, group);
  return group;
}

/** The help of a word that several commands begin with. */
function groupHelp(name: string, host: Host): string {
  const commands = COMMANDS.filter((it) => it.name.startsWith(`${name} `)).map(
    (it) => [`weft ${it.name}`, it.summary] as const,
  );
  const about = Object.entries(COMMAND_GROUPS).find(([word]) => word === name)?.[1] ?? name;
  const list = `\nCommands:\n${besideOrBelow(commands, host)}`;
  return `Usage: weft ${name} COMMAND\n\n${sentence(about)}\n${list}\n${fitting(`"weft ${name} COMMAND --help" prints the arguments and options of a command.`, host)}\n`;
}

const describe = ({ summary, details }: CommandSpec): string =>
  details === undefined ? sentence(summary) : `${sentence(summary)}\n\n${details}`;

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;

const usageOf = ({ name, required, variadic }: ArgumentSpec): string => {
  const all = variadic ? `${name}...` : name;
  return required ? `<${all}>` : `[${all}]`;
};

/** Commander cannot parse an optional topology before a required argument; the command does. */
function argumentOf(spec: CommandSpec, it: ArgumentSpec): Argument {
  const firstRequired = spec.args.findIndex((other) => other.required);
  const required = it.required && firstRequired === 0;
  const argument = new Argument(usageOf({ ...it, required }), it.description);
  return typeof it.values === 'string' ? argument : argument.choices(it.values);
}

/** Adds the path of the JSON schema to the description of `--output`. */
function withSchema({ name }: CommandSpec, it: OptionSpec): OptionSpec {
  if (it.long !== 'output' || !it.values?.includes('json')) return it;
  const schema = `schemas/output/${name.replaceAll(' ', '-')}.schema.json`;
  return { ...it, description: `${it.description}; ${schema} in the package describes the json` };
}

function optionOf(it: OptionSpec): Option {
  const name = `${it.short === undefined ? '' : `-${it.short}, `}--${it.long}`;
  const option = new Option(it.value === undefined ? name : `${name} <${it.value}>`, it.description);
  // A switch like any other, not the opposite of an option that does not exist.
  option.negate = false;
  if (it.values !== undefined && typeof it.values !== 'string') option.choices(it.values);
  if (it.repeatable) {
    option.argParser((value: string, before: readonly string[] | undefined) => [...(before ?? []), value]);
  }
  return option;
}

/** Accepts the earlier name of an option, with the same values; no help shows it. */
function addFormerName(command: Command, it: OptionSpec): void {
  if (it.formerly === undefined) return;
  const option = optionOf({ ...it, long: it.formerly }).hideHelp();
  option.attributeName = () => camelCase(it.long);
  command.addOption(option);
}

async function runCommand<Name extends CommandName>(
  host: Host,
  spec: CommandSpec & { readonly name: Name },
  command: Command,
  help: () => string,
): Promise<ExitCode> {
  const words = command.processedArgs.flat().filter((it): it is string => typeof it === 'string');
  const values = command.optsWithGlobals();
  // Loaded here, because the help needs no folder.
  const { withClusterNames } = await import('../front/argument-values.ts');
  const { announceFleet, callInFleet, fleetOfCall } = await import('../front/fleet-of-call.ts');
  const args = withClusterNames(spec, words, host.cwd);
  const fleet = fleetOfCall(spec, args, host.cwd);
  if (fleet !== undefined && values['quiet'] !== true) await announceFleet(host, fleet, values['all'] === true);
  const call =
    fleet === undefined || fleet.folder === '' ? { args, values } : callInFleet(spec, { args, values }, fleet);
  return runCall(host, spec.name, { ...call, help });
}

interface Given {
  readonly args: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly help: () => string;
}

const runCall = <Name extends CommandName>(host: Host, name: Name, { args, values, help }: Given): Promise<ExitCode> =>
  COMMAND_RUNS[name](host, { args, options: readOptions(name, (it) => values[camelCase(it.long)]), help });

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

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The help with its examples; commander omits them unless it prints. */
function helpOf(command: Command, printed: string[]): string {
  printed.length = 0;
  command.outputHelp();
  return printed.splice(0).join('');
}

const examplesOf = ({ examples }: CommandSpec, host: Host): string => `\nExamples:\n${besideOrBelow(examples, host)}`;

/** Command lines, each with its meaning beside it, or below it in a narrow terminal. */
function besideOrBelow(all: readonly (readonly [command: string, meaning: string])[], { stdout }: Host): string {
  const width = Math.max(...all.map(([command]) => command.length));
  const beside = all.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`);
  const { columns } = stdout;
  const fits = columns === undefined || beside.every((it) => it.length <= columns);
  const lines = fits ? beside : all.flatMap(([command, meaning]) => [`  ${command}`, belowTerm(meaning, columns)]);
  return lines.map((it) => `${it}\n`).join('');
}

/** Cells of the widest help, and of the narrowest description beside its term. */
const WIDEST = 100;
const NARROWEST = 30;

/** A term with its description beside it, or below it in a narrow terminal. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? WIDEST;
  if (description === '' || width - termWidth - 4 >= NARROWEST)
    return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
  return `  ${term}\n${belowTerm(description, width)}`;
}

const belowTerm = (text: string, width: number): string => boxWrap(text, width - BELOW.length).replace(/^/gm, BELOW);

const BELOW = ' '.repeat(6);

/** Called only when help is printed, because reading the width opens the stream. */
const helpWidth = ({ stdout }: Host): number => Math.min(WIDEST, stdout.columns ?? WIDEST);

const fitting = (text: string, host: Host): string => boxWrap(text, helpWidth(host));

const boxWrap = (text: string, width: number): string =>
  Object.assign(new Help(), { minWidthToWrap: NARROWEST }).boxWrap(text, width);

/** The function of each command. A module is loaded when its command is called, so that the others do not slow down the start. */
const COMMAND_RUNS: { readonly [Name in CommandName]: (host: Host, call: Call<Name>) => Promise<ExitCode> } = {
  init: async (host, call) => (await import('./commands/init.ts')).initCommand(host, call),
  validate: async (host, call) => (await import('./commands/validate.ts')).validateCommand(host, call),
  compile: async (host, call) => (await import('./commands/compile.ts')).compileCommand(host, call),
  plan: async (host, call) => (await import('./commands/plan.ts')).planCommand(host, call),
  pr: async (host, call) => (await import('./commands/pr.ts')).prCommand(host, call),
  view: async (host, call) => (await import('./commands/view.ts')).viewCommand(host, call),
  report: async (host, call) => (await import('./commands/report.ts')).reportCommand(host, call),
  graph: async (host, call) => (await import('./commands/graph.ts')).graphCommand(host, call),
  trace: async (host, call) => (await import('./commands/trace.ts')).traceCommand(host, call),
  whois: async (host, call) => (await import('./commands/whois.ts')).whoisCommand(host, call),
  whatif: async (host, call) => (await import('./commands/whatif.ts')).whatifCommand(host, call),
  ports: async (host, call) => (await import('./commands/ports.ts')).portsCommand(host, call),
  lab: async (host, call) => (await import('./commands/lab.ts')).labCommand(host, call),
  translate: async (host, call) => (await import('./commands/translate.ts')).translateCommand(host, call),
  verify: async (host, call) => (await import('./commands/verify.ts')).verifyCommand(host, call),
  drift: async (host, call) => (await import('./commands/drift.ts')).driftCommand(host, call),
  conformance: async (host, call) => (await import('./commands/conformance.ts')).conformanceCommand(host, call),
  import: async (host, call) => (await import('./commands/import.ts')).importCommand(host, call),
  'keys collect': async (host, call) => (await import('./commands/collect.ts')).keysCollectCommand(host, call),
  'identities collect': async (host, call) =>
    (await import('./commands/collect.ts')).identitiesCollectCommand(host, call),
  'keys rotate': async (host, call) => (await import('./commands/keys.ts')).keysRotateCommand(host, call),
  'keys generate': async (host, call) => (await import('./commands/keys.ts')).keysGenerateCommand(host, call),
  explain: async (host, call) => (await import('./commands/explain.ts')).explainCommand(host, call),
  completion: async (host, call) => (await import('./commands/completion.ts')).completionCommand(host, call),
};
