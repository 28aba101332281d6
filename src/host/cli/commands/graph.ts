import { graphAnswer } from '../../../answers/report/graph-answer.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { graphFleet } from '../../app/graph-fleet.ts';
import type { PlanRequest } from '../../app/plan-fleet.ts';
import { isTopologyPath, planRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft graph [topology] [CLUSTER...]`: the fleet as a picture, some clusters with their neighbours, or what a plan changes. */
export async function graphCommand(host: Host, { args, options }: Call<'graph'>): Promise<ExitCode> {
  const isPath = isTopologyPath(args[0]);
  const topology = isPath ? args[0] : undefined;
  const clusters = isPath ? args.slice(1) : args;
  const file = clusters.find((it) => /\.(svg|dot)$/.test(it));
  if (file !== undefined)
    throw new CommandFailure(
      `"${file}" is no cluster but a file`,
      `write it with ">": weft graph -o ${file.slice(-3)} > ${file}`,
    );
  const result = await graphFleet(diskPorts(host.cwd), {
    topology,
    lock: options.lock,
    clusters,
    label: options.by,
    without: options.without,
    plan: planOf(topology, options),
  });
  return show(host, options, graphAnswer, result, (drawn) => ({ ...drawn, format: 'mermaid' as const }));
}

function planOf(topology: string | undefined, options: OptionsOf<'graph'>): PlanRequest | null {
  if (options.plan && options.without.length > 0)
    throw new CommandFailure('--plan and --without exclude each other', 'draw the plan, or the fleet without a part');
  if (options.plan) return planRequest(topology, { ...options, allowDestroy: true, maxRemoved: undefined });
  const name = (['base', 'baseDir', 'out'] as const).find((it) => options[it] !== undefined);
  if (name === undefined) return null;
  const option = name === 'baseDir' ? '--base-dir' : `--${name}`;
  const hint =
    name === 'out' ? 'add --plan, or write the picture into a file: weft graph -o svg > fleet.svg' : 'add --plan';
  throw new CommandFailure(`${option} says where a plan starts, and no plan is drawn`, hint);
}
