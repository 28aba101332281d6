import type { Release } from '../app/ci-files.ts';
import { EXIT, type ExitCode, processHost } from '../front/host.ts';
import { runWeft } from './run-weft.ts';

/** The weft that runs. */
interface Installed {
  readonly version: string;
  readonly build: string;
  readonly release: Release | null;
  /** The folder of the built program. */
  readonly folder: string;
}

/** Runs the command line of this process. Returns its exit code when everything is written. */
export async function start(installed: Installed): Promise<ExitCode> {
  const host = processHost(installed);
  const exitCode = await runWeft(process.argv.slice(2), host);
  // A reader that needs no more, such as `head`, is no failure; a run that could do nothing, or a bug, is one.
  return host.readerLeft() && exitCode < EXIT.unable ? EXIT.yes : exitCode;
}
