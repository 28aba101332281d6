import { dirname } from 'node:path';
import { printRefreshed, printStarted } from '../../../answers/report/print-started.ts';
import { shellWord } from '../../../base/core/words.ts';
import { packCommand, SCHEDULED, type Scheduled } from '../../app/ci-files.ts';
import { diskStart } from '../../app/disk-ports.ts';
import { refreshSchema } from '../../app/editor-schema.ts';
import { startFleet } from '../../app/start-fleet.ts';
import { originUrl } from '../../disk/run-git.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type ForgeKind, type Host } from '../../front/host.ts';
import { chooseForge } from '../../front/pull-request/forge-kind.ts';
import { refused } from '../../front/refused.ts';
import type { Call } from '../options-of.ts';

/** `weft init [dir]`: a starter topology, its schema for editors, and a workflow that checks pull requests. */
export async function initCommand(host: Host, { args, options }: Call<'init'>): Promise<ExitCode> {
  const ports = diskStart(host.cwd);
  const [folder = '.'] = args;
  const scheduled = SCHEDULED.filter((it) => options[it]);
  if (options.schema) {
    const [other] = scheduled;
    if (other !== undefined)
      throw new CommandFailure(`--schema and --${other} exclude each other`, 'run weft init twice');
    const refreshed = await refreshSchema(ports, folder);
    if (refreshed.kind === 'refused') throw refused(refreshed.refusal);
    if (!options.quiet) await host.stdout.write(printRefreshed(refreshed));
    return EXIT.yes;
  }
  const forge = await chooseForge({ given: options.forge, env: {}, origin: () => originUrl(ports.absolute(folder)) });
  if (scheduled.length > 0 && forge !== 'github') throw onlyGitHub(forge, scheduled);
  const result = await startFleet(ports, { folder, scheduled, forge, weft: host });
  if (result.kind === 'refused') throw refused(result.refusal);
  if (options.quiet) return EXIT.yes;
  const packing = result.tarball === null ? null : packCommand(result.tarball, shellWord(dirname(host.docs)));
  const inRepository = ports.files.folderInRepository(folder) !== undefined;
  await host.stdout.write(printStarted({ ...result, packing, inRepository, docs: host.docs }));
  return EXIT.yes;
}

const onlyGitHub = (forge: ForgeKind, [kind]: readonly Scheduled[]): CommandFailure =>
  new CommandFailure(
    `the workflow that ${kind === 'steps' ? 'proposes the next state' : 'looks for drift'} is one of GitHub, and --forge is ${forge}`,
    `run "weft ${kind === 'steps' ? 'pr open --stage steps' : 'drift'}" in a scheduled job of your own`,
  );
