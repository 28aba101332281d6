import { spawn } from 'node:child_process';
import { LabError } from './lab-error.ts';

/**
 * Runs a program of the system to its end and gives what it printed. It is in a process group of its own: a Ctrl-C is
 * for weft, which lets the program finish and cleans up after it.
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
    // A program that has died reads no more; how it ended says more than that.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const PRIVILEGES = 'in a container it needs --privileged, or the capabilities SYS_ADMIN and NET_ADMIN and /dev/net/tun';

/** The machine does not let us, for instance inside a container without the right to make namespaces. */
export class ToolFailure extends LabError {
  override readonly name = 'ToolFailure';

  constructor(command: string, problem: string) {
    const forbidden = /operation not permitted/i.test(problem);
    super(`the lab could not be built: ${command}: ${problem}`, forbidden ? PRIVILEGES : undefined);
  }
}
