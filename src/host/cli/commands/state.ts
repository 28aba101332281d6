import { printNoFleet, printState, printStates } from '../../../answers/report/print-state.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type FleetState, fleetState } from '../../app/fleet-state.ts';
import { announceFleet, fleetAround } from '../../front/fleet-of-call.ts';
import { EXIT, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { describeRefusal } from '../../front/refused.ts';
import { choosePaint, startProgress } from '../../front/show.ts';

interface StateOptions {
  readonly quiet: boolean;
  readonly color: string | undefined;
}

/**
 * `weft` alone: the state of the fleet and the next command, or how to begin. It is no command of the table: it has no
 * arguments, and programs get the same from `weft validate` and `weft compile --check`. A topology with errors has a
 * state, too, so that the answer is never no.
 */
export async function showState(host: Host, options: StateOptions): Promise<ExitCode> {
  const paint = choosePaint(options.color, host.env, host.stdout);
  const place = fleetAround(host.cwd);
  if (place === undefined) {
    await host.stdout.write(printNoFleet(paint));
    return EXIT.yes;
  }
  // The answer names every topology.
  if (!options.quiet) await announceFleet(host, place, true);
  const progress = startProgress(host, options);
  const ports = { ...diskPorts(host.cwd), progress: progress.of };
  const state = await fleetState(ports, { ...place, now: systemClock.now() }).finally(progress.end);
  await host.stdout.write(
    state.kind === 'one'
      ? printState(wordedState(state.topology), state.others, { inGit: state.inGit, paint })
      : printStates(state.topologies.map(wordedState), state.taken, { inGit: state.inGit, paint }),
  );
  return EXIT.yes;
}

type StateOnDisk = Extract<FleetState, { kind: 'one' }>['topology'];

function wordedState({ fleet, ...rest }: StateOnDisk) {
  if (fleet === null) return { ...rest, fleet };
  const { disk, ...facts } = fleet;
  const worded = disk.kind === 'refused' ? { kind: disk.kind, ...describeRefusal(disk.refusal) } : disk;
  return { ...rest, fleet: { ...facts, disk: worded } };
}
