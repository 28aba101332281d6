import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import {
  printServiceTrace,
  printServiceTraceMarkdown,
  type ServiceTrace,
} from '../../../answers/report/print-service-trace.ts';
import { serviceTraceDocument } from '../../../answers/report/service-trace-document.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { type TracedService, traceService } from '../../app/trace-service.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf } from '../../front/report-diagnostics.ts';
import { reportUnanswered } from '../../front/report-unanswered.ts';
import { isTopologyPath } from '../is-topology-path.ts';
import type { Call, OptionsOf } from '../options-of.ts';

const USAGE = 'weft trace [topology] --service NAMESPACE/NAME [--from CLUSTER] [--of CLUSTER]';

/** `weft trace --service demo/web --from milan`: by which path each endpoint of a Service is reached. */
export async function traceServiceCommand(host: Host, { args, options }: Call<'trace'>): Promise<ExitCode> {
  const request = { ...requestOf(args, options), lock: options.lock };
  const result = await traceService(diskPorts(host.cwd).files, request);
  if (result.kind !== 'traced-service') return reportUnanswered(host, options, result);
  const ok = result.senders.every((it) => it.paths?.every((path) => path.fate === 'delivered'));
  await host.stdout.write(print(host, options, result, ok));
  return ok ? EXIT.yes : EXIT.no;
}

function print(host: Host, options: OptionsOf<'trace'>, result: TracedService, ok: boolean): string {
  const { model, namespace, service } = result;
  const traces = result.senders.map(
    (it): ServiceTrace => ({ ...it, service: `${service.namespace}/${service.service}`, of: namespace.cluster.name }),
  );
  if (formatOf(options) === 'json') {
    const document = diagnosticsDocument(result.diagnostics);
    return printJson({ ...document, ok, services: traces.map((it) => serviceTraceDocument(model, it)) });
  }
  if (formatOf(options) === 'markdown') return traces.map(printServiceTraceMarkdown).join('\n');
  const paint = choosePaint(options.color, host.env, host.stdout);
  return traces
    .map((it) => printServiceTrace(it, { model, out: options.out ?? 'out', withHops: traces.length === 1 }, paint))
    .join('\n');
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
          : undefined;
  if (other !== undefined) throw new CommandFailure(`--service and ${other} exclude each other`, USAGE);
  const [, namespace, name] = /^([^/]+)\/([^/]+)$/.exec(service) ?? [];
  if (namespace === undefined || name === undefined) {
    throw new CommandFailure(`"${service}" is not the namespace and the name of a Service`, 'write it like demo/web');
  }
  return { topology, service: { namespace, service: name, of: of ?? null }, from: from ?? null };
}
