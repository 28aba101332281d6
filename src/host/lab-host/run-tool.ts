import { spawn } from 'node:child_process';
import { LabError } from './lab-error.ts';

/**
 * Runs a program of the system and returns its output. It has its own process group, so that Ctrl-C reaches only weft, which
 * lets the program finish and cleans up.
 */
export function runTool(command: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { detached: true, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (part: Buffer) => {
      stdout += part.toString();
    });
    child.stderr.on('data', (part: Buffer) => {
      stderr += part.toString();
    });
    child.on('error', (error) => reject(new ToolFailure(command, error.message)));
    child.on('close', (status) => {
      if (status === 0) resolve(stdout);
      else reject(new ToolFailure([command, ...args].join(' '), stderr.trim() || `it ended with ${status}`));
    });
    // If the program has ended, its exit status explains more than this error.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const PRIVILEGES =
  'run the container with --privileged, or with the capabilities SYS_ADMIN and NET_ADMIN and /dev/net/tun';

/** A program failed, for instance in a container that may not create namespaces. */
export class ToolFailure extends LabError {
  override readonly name = 'ToolFailure';

  constructor(command: string, problem: string) {
    const forbidden = /operation not permitted/i.test(problem);
    super(`the lab could not be built: ${command}: ${problem}`, forbidden ? PRIVILEGES : undefined);
  }
}
