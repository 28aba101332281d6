import { spawnSync } from 'node:child_process';

/** Loads a text into a network namespace of its own: `--test` alone does not look for chains. */
const load = (input: string) =>
  spawnSync('unshare', ['-n', 'iptables-restore', '--noflush'], { input, encoding: 'utf8' });

/**
 * True if `iptables-restore` can run here: that needs root, and a network namespace so that nothing of the machine is
 * touched.
 */
export const iptablesAvailable = (): boolean => load('*filter\nCOMMIT\n').status === 0;

/** The errors of `iptables-restore` about a text. */
export function iptablesProblem(text: string): string {
  const { status, stdout, stderr } = load(text);
  return status === 0 ? '' : `${stdout}${stderr}` || `status ${status}`;
}
