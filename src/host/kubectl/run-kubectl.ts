import { spawn } from 'node:child_process';
import { errorCode } from '../disk/disk-error.ts';

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

/** The number of characters of its messages that are kept; a failing plugin can write without end. */
const LONGEST_MESSAGE = 10_000;

/**
 * Runs the user's kubectl in a folder, with a list of arguments and without a shell. stdin is closed, so that a login
 * plugin cannot wait for input. Every failure is a result.
 */
export function runKubectl(
  { cwd, env }: KubectlPlace,
  args: readonly string[],
  limits: KubectlLimits,
): Promise<KubectlRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: kubectlEnvironment(env),
    });
    const parts: Buffer[] = [];
    let bytes = 0;
    let stderr = '';
    const end = (run: KubectlRun): void => {
      clearTimeout(timer);
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
    child.on('close', (status) =>
      end(status === 0 ? { kind: 'done', stdout: Buffer.concat(parts) } : { kind: 'failed', stderr }),
    );
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
