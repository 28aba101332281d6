import { withLf } from '../../base/core/encodings.ts';
import { errorCode } from '../disk/disk-error.ts';

interface KubectlCall {
  readonly args: readonly string[];
  /** The text on its stdin. */
  readonly input?: string;
}

type KubectlResult =
  /** The output of kubectl. */
  { readonly kind: 'printed'; readonly text: string } | FailedKubectl;

export type FailedKubectl = { readonly failure: true } & KubectlFailure;

/** Runs kubectl; every failure is explained by the line of its output that describes it. */
export async function runKubectl(
  place: KubectlPlace,
  call: KubectlCall,
  limits: KubectlLimits,
): Promise<KubectlResult> {
  const run = await startKubectl(place, call, limits);
  switch (run.kind) {
    case 'done':
      return { kind: 'printed', text: withLf(new TextDecoder().decode(run.stdout)) };
    case 'failed':
      return failedKubectl(explainKubectl(run.stderr));
    case 'not-installed':
      return failedKubectl({ kind: 'not-installed', message: 'kubectl is not installed' });
    case 'timed-out':
      return failedKubectl({ kind: 'timed-out', message: `no answer in ${limits.milliseconds / 1000} seconds` });
    case 'too-large':
      return failedKubectl({ kind: 'too-large', message: `more than ${limits.bytes} bytes` });
  }
}

export const failedKubectl = (it: KubectlFailure): FailedKubectl => ({ failure: true, ...it });

/** The result of running kubectl. */
type KubectlRun =
  | { readonly kind: 'done'; readonly stdout: Buffer }
  | { readonly kind: 'failed'; readonly stderr: string }
  | { readonly kind: 'not-installed' }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'too-large' };

/**
 * The folder in which kubectl runs, and its environment. Relative paths in its configuration start from this folder.
 */
export interface KubectlPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface KubectlLimits {
  readonly milliseconds: number;
  readonly bytes: number;
}

/**
 * The time that output is awaited after the end of kubectl, in milliseconds. A login plugin may leave a program behind that
 * holds the pipes; what kubectl itself has written is read by then.
 */
const AFTER_EXIT = 1_000;

/** The number of characters of its messages that are kept; a failing plugin can write without end. */
const LONGEST_MESSAGE = 10_000;

/**
 * Runs the user's kubectl in a folder, with a list of arguments and without a shell. stdin ends after `input`, so that a login
 * plugin cannot wait for more. Every failure is a result.
 */
async function startKubectl(
  { cwd, env }: KubectlPlace,
  { args, input }: KubectlCall,
  limits: KubectlLimits,
): Promise<KubectlRun> {
  // Loaded here, as most commands start no program.
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', args, {
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: kubectlEnvironment(env),
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    let held: NodeJS.Timeout | undefined;
    const end = (run: KubectlRun): void => {
      clearTimeout(timer);
      clearTimeout(held);
      // A program that kubectl has started may still hold the pipes, which would keep weft from ending.
      child.stdout.destroy();
      child.stderr.destroy();
      child.kill('SIGKILL');
      resolve(run);
    };
    const timer = setTimeout(() => end({ kind: 'timed-out' }), limits.milliseconds);
    child.stdout.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > limits.bytes) end({ kind: 'too-large' });
      else parts.push(part);
    });
    child.stderr.on('data', (part: Buffer) => {
      stderr = (stderr + part.toString()).slice(0, LONGEST_MESSAGE);
    });
    child.on('error', (error) => {
      if (['ENOENT', 'EACCES'].includes(errorCode(error))) end({ kind: 'not-installed' });
      else {
        clearTimeout(timer);
        reject(error);
      }
    });
    const finish = (status: number | null): void =>
      end(status === 0 ? { kind: 'done', stdout: Buffer.concat(parts) } : { kind: 'failed', stderr });
    child.on('exit', (status) => {
      // When weft itself was busy for so long, the pipes are read before it goes on.
      held = setTimeout(() => setImmediate(() => finish(status)), AFTER_EXIT);
    });
    child.on('close', finish);
    // A kubectl that ends without reading its input says why itself.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

type KubectlEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * Tokens of weft itself and of GitHub Actions jobs. kubectl and its login plugins do not need them. GitLab's tokens are
 * kept: `glab cluster agent get-token`, which kubectl runs for clusters with GitLab's agent, uses them.
 */
const WITHHELD =
  /^(?:WEFT_TOKEN|GITHUB_TOKEN|GH_TOKEN|GITEA_TOKEN|FORGEJO_TOKEN|ACTIONS_RUNTIME_TOKEN|ACTIONS_CACHE_.*)$/i;

/**
 * The environment of kubectl. It is not an allow-list, because login plugins of managed clusters read their own
 * variables. The user's preferences for kubectl are disabled, because they could change the output of `get`. Source:
 * kubernetes, "Kubectl user preferences (kuberc)".
 */
function kubectlEnvironment(env: KubectlEnvironment): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || WITHHELD.test(name) ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(kept), KUBECTL_KUBERC: 'false', KUBERC: 'off' };
}

/** A reason why kubectl gave no result. `message` is the line of kubectl's output that describes it. */
export type KubectlFailure = {
  readonly kind:
    | 'not-installed'
    | 'no-such-context'
    | 'no-such-kind'
    | 'forbidden'
    | 'not-logged-in'
    | 'unreachable'
    | 'timed-out'
    | 'too-large'
    /** It answered with something else than a list of objects. */
    | 'unusable'
    | 'failed';
  readonly message: string;
};

/**
 * Patterns for kubectl's messages, most of which come from the API server. Source: kubernetes/kubectl and client-go,
 * v1.28 to v1.35.
 */
const KINDS: readonly (readonly [pattern: RegExp, kind: KubectlFailure['kind']])[] = [
  [/context was not found for specified context|context "[^"]*" does not exist/i, 'no-such-context'],
  [/doesn't have a resource type|could not find the requested resource|no matches for kind/i, 'no-such-kind'],
  [/\(Forbidden\)|is forbidden/i, 'forbidden'],
  [
    /\(Unauthorized\)|must be logged in|provide credentials|getting credentials|executable .* not found/i,
    'not-logged-in',
  ],
  [
    /unable to connect|was refused|no such host|i\/o timeout|no route to host|x509|certificate|deadline exceeded/i,
    'unreachable',
  ],
  [/ServiceUnavailable|currently unable to handle|TLS handshake|EOF$/im, 'unreachable'],
];

/** Matches lines of the logger, which repeat an error before kubectl prints it. */
const LOGGED = /^[EIWF]\d{4} /;

/**
 * Secrets that a login plugin or a proxy may print: PEM, tokens of JSON, headers and flags, and JSON Web Tokens. The
 * last part of a block may be cut off.
 */
const SECRETS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/-----BEGIN [^-]*-----[\s\S]*?(-----END [^-]*-----|$)/g, '[hidden]'],
  [/\beyJ[\w-]{8,}(\.[\w-]+)*/g, '[hidden]'],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '$1 [hidden]'],
  [/((?:token|password|passwd|secret|api[-_]?key)["']?\s*[:=]\s*["']?)[^\s"',}]{6,}/gi, '$1[hidden]'],
  [/(:\/\/[^\s/:@]+:)[^\s/@]+@/g, '$1[hidden]@'],
];

function explainKubectl(output: string): KubectlFailure {
  const stderr = SECRETS.reduce((text, [pattern, mask]) => text.replace(pattern, mask), output);
  const lines = stderr.split('\n').flatMap((it) => (it.trim() === '' ? [] : [it.trim()]));
  const kind = KINDS.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'failed';
  const pattern = KINDS.find(([, it]) => it === kind)?.[0];
  const own = lines.filter((it) => !LOGGED.test(it));
  const message = own.find((it) => pattern?.test(it)) ?? own[0] ?? lines[0] ?? 'it printed no message';
  return { kind, message: message.replace(/^error: /i, '') };
}

/** A script to run in a container of a pod. */
export interface ExecRequest {
  /** The name of a context in the user's kubeconfig. */
  readonly context: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The text of the script, for `bash`. */
  readonly script: string;
  /** The time that the script takes at most, in seconds. */
  readonly seconds: number;
}

export type ExecResult = KubectlResult;

/** The time for a login and the way to the node, beside that of the script. */
const LOGIN_SECONDS = 60;

/** Each target has one short line. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Runs a script in a pod with `kubectl exec`. The script is on stdin, because an API server and what is in front of it limit the
 * length of a command, which is part of an address.
 */
export const execScript = (
  place: KubectlPlace,
  { context, namespace, pod, container, script, seconds }: ExecRequest,
): Promise<ExecResult> =>
  runKubectl(
    place,
    {
      args: [
        'exec',
        '--stdin',
        `--context=${context}`,
        `--namespace=${namespace}`,
        `--container=${container}`,
        `pod/${pod}`,
        '--',
        'bash',
        '-s',
      ],
      input: script,
    },
    { milliseconds: (LOGIN_SECONDS + seconds) * 1000, bytes: MOST_BYTES },
  );
