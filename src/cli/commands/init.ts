import { clustersInUse } from '../../app/clusters-in-use.ts';
import { diskPorts, diskStart } from '../../app/disk-ports.ts';
import { startFleet } from '../../app/start-fleet.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { refused } from '../../front/refused.ts';
import { printStarted } from '../../report/print-started.ts';
import type { Call } from '../options-of.ts';

/** `weft init [dir]`: a starter topology, its schema for editors, and a workflow that checks pull requests. */
export async function initCommand(host: Host, { args, options }: Call<'init'>): Promise<ExitCode> {
  const { files } = diskPorts(host.cwd);
  const ports = { ...diskStart(host.cwd), clustersIn: (folder: string) => clustersInUse(files, folder) };
  const result = await startFleet(ports, { folder: args[0] ?? '.', withDrift: options.drift });
  if (result.kind === 'refused') throw refused(result.refusal);
  if (!options.quiet) await host.stdout.write(printStarted(result));
  return EXIT.yes;
}
