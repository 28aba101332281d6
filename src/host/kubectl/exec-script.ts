import { type KubectlPlace, type KubectlResult, runKubectl } from './run-kubectl.ts';

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
