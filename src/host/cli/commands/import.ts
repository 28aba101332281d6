import { importAnswer } from '../../../answers/report/imported/print-imported.ts';
import { diskPrepare } from '../../app/disk-ports.ts';
import { importFleet } from '../../app/import-fleet.ts';
import { dumpCommands } from '../../app/live-sources.ts';
import { liveNames, liveSources } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft import`: the topology, keys and lock of running clusters. */
export async function importCommand(host: Host, { args, options }: Call<'import'>): Promise<ExitCode> {
  const sources = liveSources(options, args);
  if (options.printCommands) {
    if (options.output === 'json')
      throw new CommandFailure('--print-commands prints a script, not json', 'leave out --output');
    await host.stdout.write(dumpCommands(sources.contexts));
    return EXIT.yes;
  }
  const request = {
    ...sources,
    topology: options.topology,
    name: options.name ?? null,
    check: options.check,
  };
  const prepareFile = diskPrepare(host.cwd);
  const result = await readingClusters(host, options, (ports) => importFleet({ ...ports, prepareFile }, request));
  return show(host, options, importAnswer, result, (imported) => ({
    ...imported,
    isCheck: options.check,
    names: liveNames(options.topology, options, args),
    exitCode: EXIT.yes,
    report: { withJson: false },
  }));
}
