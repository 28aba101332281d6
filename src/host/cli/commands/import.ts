import { importAnswer, inventoryAnswer } from '../../../answers/report/imported/print-imported.ts';
import { diskPrepare, diskReplace } from '../../app/disk-ports.ts';
import { importFleet } from '../../app/import-fleet.ts';
import { importInventory } from '../../app/import-inventory.ts';
import { dumpCommands, type LiveRequest } from '../../app/live-sources.ts';
import { liveNames, liveSources } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { readingClusters, show } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft import`: the topology, keys and lock of running clusters, or the clusters of inventories. */
export async function importCommand(host: Host, { args, options }: Call<'import'>): Promise<ExitCode> {
  const sources = liveSources(options, args);
  if (options.clusters) return importClusters(host, sources, options);
  if (options.printCommands) {
    if (options.output === 'json')
      throw new CommandFailure('--print-commands prints a script, not json', 'leave out --output');
    await host.stdout.write(dumpCommands(sources.contexts));
    return EXIT.yes;
  }
  const table = sources.dumps.find((it) => /\.(csv|tsv)$/i.test(it.path));
  if (table !== undefined)
    throw new CommandFailure(`${table.path} is no dump of a cluster`, 'add --clusters to read the clusters of a table');
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

/** `weft import --clusters`: the clusters of inventories, in a file that the topology includes. */
async function importClusters(
  host: Host,
  { dumps, contexts }: LiveRequest,
  options: OptionsOf<'import'>,
): Promise<ExitCode> {
  if (options.printCommands)
    throw new CommandFailure('--clusters and --print-commands exclude each other', 'remove one of them');
  const named = [
    ...dumps.filter((it) => it.cluster !== null).map((it) => it.path),
    ...contexts.filter((it) => it.cluster !== it.context).map((it) => it.context),
  ];
  if (named[0] !== undefined)
    throw new CommandFailure(
      'an inventory has the names of its clusters itself, so none can be in front of it',
      `write ${named[0]}`,
    );
  const request = {
    sources: dumps.map((it) => it.path),
    contexts: contexts.map((it) => it.context),
    topology: options.topology,
    name: options.name ?? null,
    check: options.check,
  };
  const replaceFile = diskReplace(host.cwd);
  const result = await readingClusters(host, options, (ports) => importInventory({ ...ports, replaceFile }, request));
  return show(host, options, inventoryAnswer, result, (updated) => ({
    ...updated,
    isCheck: options.check,
    ok: !options.check || updated.written.length === 0,
    report: { withJson: false },
  }));
}
