import { resolve } from 'node:path';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { runWeft } from '../run-weft.ts';
import { actionCalls, input } from './action-calls.ts';

/** `uses: weft`: one mode after the other, until one says no. */
export async function runAction(host: Host, weft = runWeft): Promise<ExitCode> {
  const { env } = host;
  const token = input(env, 'token');
  const inside: Host = {
    ...host,
    cwd: resolve(env['GITHUB_WORKSPACE'] ?? host.cwd, input(env, 'working-directory') ?? '.'),
    env: token === undefined ? env : { ...env, WEFT_TOKEN: token },
  };
  try {
    for (const argv of actionCalls(env)) {
      const code = await weft(argv, inside);
      if (code !== EXIT.yes) return code;
    }
    return EXIT.yes;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    await host.stdout.write(`::error title=weft::${error.message.replace(/[%\r\n]/g, ' ')}\n`);
    return error.exitCode;
  }
}
