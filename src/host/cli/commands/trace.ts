import { gitSaysOfTrace } from '../../../answers/report/git-says.ts';
import { serviceTraceAnswer } from '../../../answers/report/service-trace.ts';
import { traceAnswer } from '../../../answers/report/trace.ts';
import { pairsAnswer } from '../../../answers/report/trace-pairs.ts';
import { arrives } from '../../../reach/trace/fates.ts';
import type { AllPairs } from '../../../reach/trace/trace-all.ts';
import { readEnd, type TraceRequest, type TraceTo } from '../../../reach/trace/trace-request.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { traceFleet, tracePairs, traceService } from '../../app/trace-fleet.ts';
import { isTopologyPath, liveRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { aboutLive, readingClusters, show } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft trace [topology] FROM TO`: the path of a packet there and back; with `--all` the result for every pair. */
export async function traceCommand(host: Host, call: Call<'trace'>): Promise<ExitCode> {
  const { args, options } = call;
  if (options.service !== undefined) return traceServiceCommand(host, call);
  const other = options.from === undefined ? (options.of === undefined ? undefined : '--of') : '--from';
  if (other !== undefined) throw new CommandFailure(`${other} belongs to --service`, USAGE);
  const { topology, packet } = readArguments(args, options);
  const request = { topology, lock: options.lock, live: liveRequest(options), without: options.without };
  if (packet === null) {
    return show(
      host,
      withoutPictures(options, '--all'),
      pairsAnswer,
      await readingClusters(host, options, (ports) => tracePairs(ports, request)),
      (traced) => ({
        ...traced,
        ok: allArrive(traced.all),
        ...aboutLive(traced.live, { isAbout: () => true, gitSays: [] }),
      }),
    );
  }
  const result = await readingClusters(host, options, (ports) => traceFleet(ports, { ...request, packet }));
  return show(host, options, traceAnswer, result, (traced) => {
    const { trace, live, inGit } = traced;
    const { from, to, route } = trace;
    const way = [from.cluster, ...(route.kind === 'through' ? [route.hub] : []), to.cluster];
    return {
      ...traced,
      ok: arrives(trace.fate),
      out: live === null ? (options.out ?? 'out') : null,
      ...aboutLive(live, {
        isAbout: ({ cluster, peer }) => way.includes(cluster) && (peer === null || way.includes(peer)),
        gitSays: inGit === null ? [] : gitSaysOfTrace(trace, inGit),
      }),
    };
  });
}

/** The options of a call that draws nothing. */
function withoutPictures<Options extends Pick<OptionsOf<'trace'>, 'output'>>(options: Options, option: string) {
  const { output } = options;
  if (output === 'mermaid' || output === 'svg')
    throw new CommandFailure(`-o ${output} draws one packet, and ${option} traces many`, 'leave one of the two out');
  return { ...options, output };
}

function allArrive({ count }: AllPairs): boolean {
  const { pairs, direct, through } = count();
  return direct + through === pairs;
}

interface TraceArguments {
  readonly topology: string | undefined;
  /** `null` with `--all`. */
  readonly packet: TraceRequest | null;
}

const USAGE = 'weft trace [topology] FROM TO, or weft trace [topology] --all';

/** Reads the arguments; an optional topology is recognised as a path. `rome/10.202.0.5` is a cluster's address. */
function readArguments(args: readonly string[], options: OptionsOf<'trace'>): TraceArguments {
  // Users write the topology first, as for other commands, or last.
  const at = isTopologyPath(args[0]) ? 0 : isTopologyPath(args.at(-1)) ? args.length - 1 : -1;
  const topology = args[at];
  const [from, to, ...rest] = args.filter((_, i) => i !== at);
  if (options.all) {
    if (from !== undefined) throw new CommandFailure(`--all traces every pair, so it takes no "${from}"`, USAGE);
    if (options.fromNode)
      throw new CommandFailure('--all and --from-node exclude each other: --all traces pods', USAGE);
    const namespace = namespaceOption(options);
    if (namespace !== undefined)
      throw new CommandFailure(`--all and ${namespace} exclude each other: --all asks what fences let in`, USAGE);
    if (options.through !== undefined)
      throw new CommandFailure('--all and --through exclude each other: --all traces the usual path', USAGE);
    return { topology, packet: null };
  }
  if (from === undefined || to === undefined)
    throw new CommandFailure(`missing argument ${from === undefined ? 'FROM' : 'TO'}`, USAGE);
  if (rest.length > 0) throw new CommandFailure(`too many arguments: ${rest.join(' ')}`, USAGE);
  const sender = endOf(from);
  if (sender.kind === 'address') {
    throw new CommandFailure(
      'the sender needs a cluster: each cluster sees other addresses',
      `write CLUSTER/${from}; "weft whois ${from.replace(/:.*/, '')}" lists who has the address`,
    );
  }
  return { topology, packet: packetOf(sender, endOf(to), options) };
}

const ENDS = 'write a cluster, cluster/address, or for TO an address as FROM sees it, each optionally with :port';

function endOf(written: string): TraceTo {
  const reading = readEnd(written);
  if (!reading.ok) throw new CommandFailure(reading.problem, ENDS);
  return reading.end;
}

/** The first option about a namespace. */
const namespaceOption = ({ fromNamespace, toNamespace }: OptionsOf<'trace'>): string | undefined =>
  fromNamespace !== undefined ? '--from-namespace' : toNamespace !== undefined ? '--to-namespace' : undefined;

function packetOf(from: TraceRequest['from'], to: TraceTo, options: OptionsOf<'trace'>): TraceRequest {
  const { fromNode, fromNamespace, toNamespace, through } = options;
  if (through !== undefined && (through === from.cluster || (to.kind === 'cluster' && through === to.cluster))) {
    throw new CommandFailure(`--through must not be an end of the path: "${through}"`, USAGE);
  }
  if (fromNode && fromNamespace !== undefined)
    throw new CommandFailure('--from-node and --from-namespace exclude each other: no policy limits a node', USAGE);
  const namespaces = { fromNamespace: fromNamespace ?? null, toNamespace: toNamespace ?? null };
  return { from, to, fromNode, ...namespaces, ...(through === undefined ? {} : { through }) };
}

const USAGE_OF_SERVICE = 'weft trace [topology] --service NAMESPACE/NAME [--from CLUSTER] [--of CLUSTER]';

/** `weft trace --service demo/web --from milan`: the path to each endpoint of a Service. */
async function traceServiceCommand(host: Host, { args, options }: Call<'trace'>): Promise<ExitCode> {
  const request = { ...requestOf(args, options), lock: options.lock, without: options.without };
  const result = await traceService(diskPorts(host.cwd).files, request);
  return show(host, withoutPictures(options, '--service'), serviceTraceAnswer, result, (traced) => {
    const { senders, namespace } = traced;
    const service = `${traced.service.namespace}/${traced.service.service}`;
    return {
      ...traced,
      ok: senders.every((it) => it.paths?.every((path) => path.fate === 'delivered')),
      traces: senders.map((it) => ({ ...it, service, of: namespace.cluster.name })),
      out: options.out ?? 'out',
    };
  });
}

function requestOf(args: readonly string[], options: OptionsOf<'trace'>) {
  const { service = '', from, of } = options;
  const [topology, ...rest] = args;
  const unexpected = isTopologyPath(topology) ? rest[0] : topology;
  if (unexpected !== undefined) {
    throw new CommandFailure(
      `--service takes no FROM and TO, so it takes no "${unexpected}"`,
      `use --from ${unexpected}`,
    );
  }
  const isLive = options.live.length + options.context.length > 0;
  const other = isLive
    ? '--live'
    : options.all
      ? '--all'
      : options.fromNode
        ? '--from-node'
        : options.through
          ? '--through'
          : namespaceOption(options);
  if (other !== undefined) throw new CommandFailure(`--service and ${other} exclude each other`, USAGE_OF_SERVICE);
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(service) ?? [];
  if (namespace === undefined || name === undefined) {
    throw new CommandFailure(`"${service}" is not the namespace and the name of a Service`, 'write it like demo/web');
  }
  return { topology, service: { namespace, service: name, of: of ?? null }, from: from ?? null };
}
