import type { Given } from './given.ts';
import type { ExitCode, Host } from './host.ts';

/** A command as the user sees it. The program, its help and the completion scripts are all made from these. */
export interface CommandSpec {
  /** `keys generate`. */
  readonly name: string;
  readonly summary: string;
  /** Below the summary in the command's own help. */
  readonly details?: string;
  readonly args: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  readonly examples: readonly (readonly [command: string, meaning: string])[];
  /** The module is loaded when the command is called, so that the others cost nothing at start-up. */
  readonly run: (host: Host, given: Given) => Promise<ExitCode>;
}

export interface ArgumentSpec {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly values: Values;
}

export interface OptionSpec {
  /** Without the dashes. */
  readonly long: string;
  readonly short?: string;
  /** Name of its value in the help; without one it is a switch. */
  readonly value?: string;
  readonly values?: Values;
  readonly repeatable?: boolean;
  readonly description: string;
}

/** What a shell may offer for a value. */
export type Values = 'file' | 'folder' | 'code' | 'anything' | readonly string[];

const TOPOLOGY: ArgumentSpec = {
  name: 'topology',
  required: false,
  description: 'the topology file (default: topologies/topology.yaml, or the only one there)',
  values: 'file',
};

const LOCK: OptionSpec = {
  long: 'lock',
  value: 'FILE',
  values: 'file',
  description: 'the lock file (default: beside the topology, <stem>.lock.yaml)',
};

const CLUSTERS = (description: string): OptionSpec => ({
  long: 'cluster',
  value: 'NAME',
  values: 'anything',
  repeatable: true,
  description,
});

const output = (...formats: readonly string[]): OptionSpec => ({
  long: 'output',
  short: 'o',
  value: 'FORMAT',
  values: formats,
  description: 'what to print',
});

export const COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'write a commented starter topology and a workflow for GitHub',
    args: [{ name: 'dir', required: false, description: 'where to start (default: here)', values: 'folder' }],
    options: [],
    examples: [['weft init fleet', 'start in the folder fleet']],
    run: async (host, given) => (await import('./commands/init.ts')).initCommand(host, given),
  },
  {
    name: 'validate',
    summary: 'say everything that is wrong with a topology, or worth knowing',
    args: [TOPOLOGY],
    options: [LOCK, output('text', 'json', 'github', 'sarif')],
    examples: [
      ['weft validate', 'check topologies/topology.yaml'],
      ['weft validate -o sarif > weft.sarif', 'for code scanning'],
    ],
    run: async (host, given) => (await import('./commands/validate.ts')).validateCommand(host, given),
  },
  {
    name: 'compile',
    summary: 'compile a topology into one bundle of manifests per cluster',
    details:
      'Writes only files that change, all or nothing, and the lock beside the topology. Commit both: the lock keeps ' +
      'every address that was decided.',
    args: [TOPOLOGY],
    options: [
      CLUSTERS('write the bundle of this cluster only; may be repeated'),
      { long: 'check', description: 'write nothing; say whether the lock and the bundles are current' },
      { long: 'frozen-lock', description: 'fail instead of changing the lock' },
      {
        long: 'relock',
        value: 'X[/Y]',
        values: 'anything',
        repeatable: true,
        description: 'forget what the lock says about cluster X (or its link to Y) and decide anew; may be repeated',
      },
      { long: 'all', description: 'compile every topology in topologies/, each into its own folder' },
      { long: 'out', value: 'DIR', values: 'folder', description: 'where the bundles go (default: out)' },
      LOCK,
      { long: 'allow-empty', description: 'let an empty bundle take the place of a full one' },
      { long: 'watch', description: 'compile again whenever the topology or its keys change' },
      output('text', 'json', 'github', 'sarif'),
    ],
    examples: [
      ['weft compile', 'compile topologies/topology.yaml into out/'],
      ['weft compile --cluster rome', "write rome's bundle only"],
      ['weft compile --check', 'in CI: exit 1 when out/ is not what the topology says'],
    ],
    run: async (host, given) => (await import('./commands/compile.ts')).compileCommand(host, given),
  },
  {
    name: 'view',
    summary: 'show how one cluster sees its peers, or one peer',
    args: [
      { ...TOPOLOGY, description: `${TOPOLOGY.description}; a path, so that it is not taken for a cluster` },
      { name: 'cluster', required: true, description: 'whose point of view', values: 'anything' },
      { name: 'peer', required: false, description: 'one peer, in both directions', values: 'anything' },
    ],
    options: [LOCK, output('text', 'json', 'markdown')],
    examples: [
      ['weft view rome', 'every peer of rome'],
      ['weft view rome milan', 'rome and milan, in both directions'],
    ],
    run: async (host, given) => (await import('./commands/view.ts')).viewCommand(host, given),
  },
  {
    name: 'keys generate',
    summary: 'make WireGuard pairs for the gateways that have none',
    details:
      'The public halves go into <stem>.keys.yaml. The private halves are printed once, as Secrets, and stored nowhere: ' +
      'pipe them to what seals, encrypts or applies them, or take them from --secrets-dir.',
    args: [TOPOLOGY],
    options: [
      CLUSTERS('for gateways of this cluster only; may be repeated'),
      {
        long: 'secrets-dir',
        value: 'DIR',
        values: 'folder',
        description: 'write the Secrets to DIR/<cluster>.yaml, outside the repository, instead of stdout',
      },
      { long: 'show', description: 'print the Secrets although stdout is a terminal' },
      LOCK,
    ],
    examples: [
      ['weft keys generate --secrets-dir ~/fleet-keys', 'one file a cluster, to be applied there'],
      ['weft keys generate --cluster rome | kubectl --context rome apply -f -', 'straight into rome'],
    ],
    run: async (host, given) => (await import('./commands/keys-generate.ts')).keysGenerateCommand(host, given),
  },
  {
    name: 'explain',
    summary: 'explain a diagnostic, or list all of them',
    args: [{ name: 'code', required: false, description: 'for instance topology/host-bits', values: 'code' }],
    options: [output('text', 'json')],
    examples: [['weft explain ipam/order-dependent', 'what it means and what to do']],
    run: async (host, given) => (await import('./commands/explain.ts')).explainCommand(host, given),
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    args: [
      {
        name: 'shell',
        required: true,
        description: 'bash, zsh, fish or powershell',
        values: ['bash', 'zsh', 'fish', 'powershell'],
      },
    ],
    options: [],
    examples: [['source <(weft completion bash)', 'complete in this shell']],
    run: async (host, given) => (await import('./commands/completion.ts')).completionCommand(host, given),
  },
];

/** Options of every command. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { long: 'quiet', short: 'q', description: 'say only what is wrong' },
  { long: 'verbose', short: 'v', description: 'show every warning and note, however many are alike' },
  { long: 'color', value: 'WHEN', values: ['auto', 'always', 'never'], description: 'colour the text' },
  { long: 'debug', description: 'print the stack when weft itself fails' },
];
