import { portsAnswer } from '../../../answers/report/ports/openings.ts';
import { groupBy } from '../../../base/core/collections.ts';
import { readSource, type Sources } from '../../../reach/ports/openings.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { listOpenPorts } from '../../app/list-open-ports.ts';
import { isTopologyPath } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

const USAGE = 'weft ports [topology] [CLUSTER [PEER]]';

/** `weft ports [topology] [CLUSTER [PEER]]`: what must be open between clusters. */
export async function portsCommand(host: Host, { args, options }: Call<'ports'>): Promise<ExitCode> {
  const { topology, clusters } = readArguments(args);
  const { output: format } = options;
  if ((format === 'nftables' || format === 'iptables') && clusters.length === 0) {
    throw new CommandFailure(
      `the format ${format} is for the firewall of one cluster`,
      `run "weft ports CLUSTER -o ${format}"`,
    );
  }
  const request = { topology, lock: options.lock, clusters, sources: senderNetworks(options.source) };
  const result = await listOpenPorts(diskPorts(host.cwd).files, request);
  return show(host, options, portsAnswer, result, (listed) => ({ ...listed, clusters }));
}

/** Reads the arguments; the topology is first or last, and is recognised as a path. */
function readArguments(args: readonly string[]): {
  readonly topology: string | undefined;
  readonly clusters: readonly string[];
} {
  const at = isTopologyPath(args[0]) ? 0 : isTopologyPath(args.at(-1)) ? args.length - 1 : -1;
  const clusters = args.filter((_, index) => index !== at);
  const [first, second, ...rest] = clusters;
  if (rest.length > 0) throw new CommandFailure(`too many arguments: ${rest.join(' ')}`, USAGE);
  if (first !== undefined && first === second) {
    throw new CommandFailure(`a cluster has no link to itself: "${first}" is given twice`, USAGE);
  }
  return { topology: args[at], clusters };
}

function senderNetworks(texts: readonly string[]): Sources {
  const read = texts.map((text) => {
    const reading = readSource(text);
    if (!reading.ok)
      throw new CommandFailure(reading.problem, 'write --source CLUSTER=ADDRESS, or a network such as 198.51.100.0/28');
    return reading;
  });
  const byCluster = groupBy(read, (it) => [it.cluster]);
  return new Map([...byCluster].map(([cluster, all]) => [cluster, all.map((it) => it.network)]));
}
