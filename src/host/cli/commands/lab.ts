import { resolve } from 'node:path';
import {
  labAnswer,
  printKeptLab,
  printRemovedLab,
  printRemovedLabs,
  removedLabsAnswer,
} from '../../../answers/report/lab.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type LabPorts, removeAllLabs, tryFleet } from '../../app/try-fleet.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { show, startProgress } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft lab`: builds the fleet, or a part of it, from network namespaces and sends real traffic through it. */
export async function labCommand(host: Host, { args, options }: Call<'lab'>): Promise<ExitCode> {
  const { lock, cluster: clusters, keep, clean, quiet } = options;
  const pcap = options.pcap === undefined ? null : resolve(host.cwd, options.pcap);
  const progress = startProgress(host, options);
  const ports: LabPorts = {
    env: host.env,
    onInterrupt: host.onInterrupt,
    onStep: progress.step,
    onRemoved: async (it) => {
      if (!quiet) await host.stderr.write(printRemovedLab(it));
    },
  };
  if (clean) {
    const removed = await removeAllLabs(ports, { pcap });
    if (!quiet) await host.stderr.write(printRemovedLabs(removed));
    return show(host, options, removedLabsAnswer, removed, (it) => it);
  }
  const request = { topology: args[0], lock, clusters, keep, pcap };
  const tried = await tryFleet({ ...ports, files: diskPorts(host.cwd).files }, request).finally(progress.end);
  if (tried.kind === 'stopped') return EXIT.interrupted;
  const exitCode = await show(host, options, labAnswer, tried, (lab) => ({
    ...lab,
    ok: lab.result.verdicts.every((it) => it.agrees),
    kept: keep ? lab.result.run : null,
  }));
  if (tried.kind === 'tried' && keep) await host.stderr.write(printKeptLab(tried.plan, tried.result.run));
  return exitCode;
}
