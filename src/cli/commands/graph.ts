import { diskPorts } from '../../app/disk-ports.ts';
import { graphFleet } from '../../app/graph-fleet.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { reportUnanswered } from '../../front/report-unanswered.ts';
import { printDot } from '../../graph/dot/print-dot.ts';
import type { FleetGraph } from '../../graph/fleet-graph.ts';
import { printMermaid } from '../../graph/mermaid/print-mermaid.ts';
import { isTopologyPath } from '../is-topology-path.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft graph [topology] [CLUSTER...]`: the fleet as a picture, or some clusters with their neighbours. */
export async function graphCommand(host: Host, { args, options }: Call<'graph'>): Promise<ExitCode> {
  const isPath = isTopologyPath(args[0]);
  const result = await graphFleet(diskPorts(host.cwd).files, {
    topology: isPath ? args[0] : undefined,
    lock: options.lock,
    clusters: isPath ? args.slice(1) : args,
    label: options.by,
  });
  if (result.kind !== 'drawn') return reportUnanswered(host, options, result);
  await host.stdout.write(await printGraph(result.graph, options.output ?? 'mermaid'));
  return EXIT.yes;
}

type Form = NonNullable<OptionsOf<'graph'>['output']>;

async function printGraph(graph: FleetGraph, form: Form): Promise<string> {
  switch (form) {
    case 'mermaid':
      return printMermaid(graph);
    case 'dot':
      return printDot(graph);
    case 'svg':
      // The layout is larger than the rest of weft, and only this form needs it.
      return (await import('../../graph/svg/print-svg.ts')).printSvg(graph);
  }
}
