import { compile } from '../../compile.ts';
import { andThen } from '../../diagnostics/outcome.ts';
import type { AddressedModel } from '../../ipam/addressed-model.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { printTrace, printTraceMarkdown } from '../../report/print-trace.ts';
import { printTraceMatrix, printTraceMatrixMarkdown } from '../../report/print-trace-matrix.ts';
import { passageRow, traceDocument } from '../../report/trace-document.ts';
import { arrives } from '../../trace/fate.ts';
import { readEnd } from '../../trace/read-end.ts';
import { trace } from '../../trace/trace.ts';
import { traceAll } from '../../trace/trace-all.ts';
import type { TraceRequest, TraceTo } from '../../trace/trace-request.ts';
import { choosePaint } from '../choose-paint.ts';
import { refuseUnknown } from '../compile-topology.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { readSources } from '../read-sources.ts';
import { Refusal } from '../refusal.ts';
import { formatOf, reportDiagnostics } from '../report-diagnostics.ts';

/** `weft trace [topology] FROM TO`: a packet's way there and back; with `--all` what becomes of every pair. */
export async function traceCommand(host: Host, { args, options }: Call<'trace'>): Promise<ExitCode> {
  const { topology, ends } = readArguments(args, options);
  const files = await findTopology(host.cwd, topology, options.lock);
  const compiled = andThen(await readSources(host.cwd, files), (it) => compile(it, { relock: [], only: [] }));
  if (!compiled.ok) {
    await reportDiagnostics(host, options, compiled.diagnostics);
    if (formatOf(options) === 'json') await host.stdout.write(printJson(diagnosticsDocument(compiled.diagnostics)));
    return EXIT.no;
  }
  const { model } = compiled.value;
  const answer = ends
    ? traceOne(host, options, { model, request: requestOf(model, options, ends) })
    : traceEvery(host, options, model);
  const { ok: _, ...document } = diagnosticsDocument(compiled.diagnostics);
  await host.stdout.write('json' in answer ? printJson({ ok: answer.ok, ...document, ...answer.json }) : answer.text);
  return answer.ok ? EXIT.yes : EXIT.no;
}

type Answer = { readonly ok: boolean } & ({ readonly text: string } | { readonly json: object });

interface Question {
  readonly model: AddressedModel;
  readonly request: TraceRequest;
}

function traceOne(host: Host, options: OptionsOf<'trace'>, { model, request }: Question): Answer {
  const traced = trace(model, request);
  const ok = arrives(traced.fate);
  const printed = { model, out: options.out ?? 'out' };
  switch (formatOf(options)) {
    case 'json':
      return { ok, json: { trace: traceDocument(model, traced) } };
    case 'markdown':
      return { ok, text: printTraceMarkdown(traced, printed) };
    default:
      return { ok, text: printTrace(traced, printed, paintOf(host, options)) };
  }
}

function traceEvery(host: Host, options: OptionsOf<'trace'>, model: AddressedModel): Answer {
  const passages = traceAll(model);
  const ok = passages.every((it) => arrives({ kind: it.fate }));
  switch (formatOf(options)) {
    case 'json':
      return { ok, json: { pairs: passages.map(passageRow) } };
    case 'markdown':
      return { ok, text: printTraceMatrixMarkdown(passages) };
    default:
      return { ok, text: printTraceMatrix(passages, paintOf(host, options)) };
  }
}

const paintOf = (host: Host, options: OptionsOf<'trace'>) => choosePaint(options.color, host.env, host.stdout);

interface TraceArguments {
  readonly topology: string | undefined;
  /** `null` with `--all`. */
  readonly ends: readonly [from: TraceTo, to: TraceTo] | null;
}

const USAGE = 'weft trace [topology] FROM TO, or weft trace [topology] --all';

/** The topology is optional and recognised as a path. `rome/10.202.0.5` is none: a cluster and an address of it. */
function readArguments(args: readonly string[], options: OptionsOf<'trace'>): TraceArguments {
  const isTopology = (it: string | undefined) => it !== undefined && /\.ya?ml$|^\.{0,2}[/\\]|[/\\]$|\\/.test(it);
  // People write it in front, as everywhere, or behind what they ask.
  const at = isTopology(args[0]) ? 0 : isTopology(args.at(-1)) ? args.length - 1 : -1;
  const topology = args[at];
  const [from, to, ...rest] = args.filter((_, i) => i !== at);
  if (options.all) {
    if (from !== undefined) throw new Refusal(`--all asks for every pair, and "${from}" for one`, USAGE);
    if (options.fromNode) throw new Refusal('--all is about pods, --from-node about a node', USAGE);
    if (options.through !== undefined)
      throw new Refusal('--all takes the way that pods take, --through another', USAGE);
    return { topology, ends: null };
  }
  if (from === undefined || to === undefined) throw new Refusal('from where to where? an end is missing', USAGE);
  if (rest.length > 0) throw new Refusal(`too many arguments: ${rest.join(' ')}`, USAGE);
  return { topology, ends: [endOf(from), endOf(to)] };
}

const ENDS =
  'an end is a cluster, cluster/address, or (behind FROM) an address as FROM sees it; with :port if you like';

function endOf(written: string): TraceTo {
  const reading = readEnd(written);
  if (!reading.ok) throw new Refusal(reading.problem, ENDS);
  return reading.end;
}

function requestOf(
  model: AddressedModel,
  options: OptionsOf<'trace'>,
  [from, to]: readonly [TraceTo, TraceTo],
): TraceRequest {
  const through = options.through;
  if (from.kind === 'address') {
    throw new Refusal(
      'whose address is the first one? every cluster has its own point of view',
      'write cluster/address',
    );
  }
  const named = [from.cluster, to.kind === 'cluster' ? to.cluster : undefined, through];
  refuseUnknown(
    model,
    named.filter((it) => it !== undefined),
  );
  if (through !== undefined && named.indexOf(through) < 2) {
    throw new Refusal(`"${through}" is an end of the way and cannot lie on it`, USAGE);
  }
  return {
    from,
    to,
    fromNode: options.fromNode,
    ...(through === undefined ? {} : { through }),
  };
}
