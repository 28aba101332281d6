import { resolve } from 'node:path';
import {
  labAnswer,
  labStepsAnswer,
  printKeptLab,
  printRemovedLab,
  printRemovedLabs,
  removedLabsAnswer,
} from '../../../answers/report/lab.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type LabPorts, removeAllLabs, tryFleet, trySteps } from '../../app/try-fleet.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { show, startProgress } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft lab`: builds the fleet, or a part of it, from network namespaces and sends real traffic through it. */
export async function labCommand(host: Host, { args, options }: Call<'lab'>): Promise<ExitCode> {
  const { lock, cluster: clusters, keep, clean, quiet, steps } = options;
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
  if (steps !== undefined)
    return labSteps(host, { ports, options: { ...options, steps }, topology: args[0] }).finally(progress.end);
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

interface StepsCall {
  readonly ports: LabPorts;
  readonly options: OptionsOf<'lab'> & { readonly steps: string };
  readonly topology: string | undefined;
}

/** `weft lab --steps`: goes through the states of a change while traffic flows. */
async function labSteps(host: Host, { ports, options, topology }: StepsCall): Promise<ExitCode> {
  const { steps: folder, cluster: clusters, keep, pcap, lock } = options;
  const other = topology ?? (keep ? '--keep' : undefined) ?? (pcap && '--pcap') ?? (lock && '--lock');
  if (other !== undefined) {
    const why = '--steps has topologies and locks of its own, and removes the lab at the end';
    throw new CommandFailure(`--steps and ${other} exclude each other: ${why}`, `leave out ${other}`);
  }
  const tried = await trySteps({ ...ports, files: diskPorts(host.cwd).files }, { folder, clusters });
  if (tried.kind === 'stopped') return EXIT.interrupted;
  return show(host, options, labStepsAnswer, tried, (it) => ({
    ...it,
    ok: it.steps.every(({ flows }) => flows.every(({ agrees }) => agrees)),
  }));
}
