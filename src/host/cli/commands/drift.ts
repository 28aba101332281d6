import { diagnosticsDocument, printJson } from '../../../answers/report/diagnostics-document.ts';
import { driftDiagnostics, printDrift } from '../../../answers/report/drift.ts';
import { driftDocument } from '../../../answers/report/drift-document.ts';
import { printDriftMarkdown } from '../../../answers/report/drift-markdown.ts';
import { changeDocument } from '../../../answers/report/plan/plan-document.ts';
import { MARKDOWN_LIMIT } from '../../../answers/report/plan/print-plan-markdown.ts';
import { printAdopted } from '../../../answers/report/print-adopted.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type AdoptedFleet, adoptFleet } from '../../app/adopt-fleet.ts';
import { diskPorts, diskStart } from '../../app/disk-ports.ts';
import { type DriftResult, driftFleet, prepareDrift, waitForFleet } from '../../app/drift-fleet.ts';
import { livePorts } from '../../app/live-ports.ts';
import { bundlesFolder } from '../../front/bundles-folder.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf, reportDiagnostics, reportUnanswered } from '../../front/report-diagnostics.ts';
import { systemClock } from '../../front/system-clock.ts';
import { durationOf } from '../argument-values.ts';
import { contextRequests, dumpRequests } from '../live-requests.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** Which halves of handshakes are missing: what a cluster does not have because git does not have it either. */
const isAboutHandshakes = ({ code }: Diagnostic): boolean =>
  code === 'sharing/key-missing' || code === 'sharing/answer-missing';

/** `weft drift`: live clusters against what the topology compiles to. No when they differ. */
export async function driftCommand(host: Host, call: Call<'drift'>): Promise<ExitCode> {
  const { args, options } = call;
  if (options.adopt) return driftAdopt(host, call);
  if (options.check)
    throw new CommandFailure('--check is about --adopt', 'leave out --check: drift alone writes nothing');
  const result = await resultOf(host, options, args[0]);
  if (result.kind === 'unreadable') {
    await reportUnanswered(host, options, { kind: 'errors', diagnostics: result.diagnostics });
    return EXIT.unable;
  }
  if (result.kind !== 'compared') return reportUnanswered(host, options, result);
  await reportDrift(host, options, result);
  if (result.incomplete.length > 0) return EXIT.unable;
  return isAsCompiled(result) ? EXIT.yes : EXIT.no;
}

async function resultOf(host: Host, options: OptionsOf<'drift'>, topology: string | undefined): Promise<DriftResult> {
  const ports = { ...livePorts(host), files: diskPorts(host.cwd).files, now: systemClock.now };
  const request = {
    topology,
    lock: options.lock,
    dumps: dumpRequests(options.from),
    contexts: contextRequests(options.context),
    out: bundlesFolder(options),
  };
  if (options.wait === undefined) return driftFleet(ports, request);
  const limitMilliseconds = durationOf('wait', options.wait);
  if (request.dumps.length > 0)
    throw new CommandFailure('a dump does not change, so --wait waits for nothing', 'use --context instead of --from');
  const prepared = await prepareDrift(ports, request);
  if (prepared.kind !== 'ready') return prepared;
  const notify = async (line: string): Promise<void> => {
    if (!options.quiet) await host.stderr.write(`${visibleText(line)}\n`);
  };
  return waitForFleet({ ...systemClock, look: prepared.look, notify, limitMilliseconds });
}

type Compared = Extract<DriftResult, { readonly kind: 'compared' }>;

const isAsCompiled = ({ clusters, incomplete }: Compared): boolean =>
  incomplete.length === 0 && clusters.every((it) => it.rollout.state === 'same');

async function reportDrift(host: Host, options: OptionsOf<'drift'>, result: Compared): Promise<void> {
  const format = formatOf(options);
  const found = driftDiagnostics(result.clusters);
  const about = [...result.incomplete, ...result.diagnostics.filter(isAboutHandshakes)];
  if (format === 'json') {
    const document = diagnosticsDocument([...result.incomplete, ...result.diagnostics]);
    await host.stdout.write(printJson({ ...document, ok: isAsCompiled(result), drift: driftDocument(result) }));
    return;
  }
  if (format === 'markdown') await host.stdout.write(printDriftMarkdown(result, { limit: MARKDOWN_LIMIT }));
  if (format === 'text') {
    const paint = choosePaint(options.color, host.env, host.stdout);
    await host.stdout.write(printDrift(result, { paint, verbose: options.verbose }));
  }
  // The text has every problem already; annotations and SARIF have nothing else.
  const isForTools = format === 'github' || format === 'gitlab' || format === 'sarif';
  await reportDiagnostics(host, options, isForTools ? [...about, ...found] : about);
}

/** `weft drift --adopt`: the views and ports of live clusters, into the lock. With --check, no when the lock would change. */
async function driftAdopt(host: Host, { args, options }: Call<'drift'>): Promise<ExitCode> {
  const format = formatOf(options);
  if (format !== 'text' && format !== 'json')
    throw new CommandFailure(`--adopt does not print ${format}`, 'use --output text or json');
  if (options.wait !== undefined) throw new CommandFailure('--adopt does not wait', 'leave out --wait or --adopt');
  const ports = { ...livePorts(host), files: diskPorts(host.cwd).files, start: diskStart(host.cwd) };
  const result = await adoptFleet(ports, {
    topology: args[0],
    lock: options.lock,
    dumps: dumpRequests(options.from),
    contexts: contextRequests(options.context),
    check: options.check,
  });
  if (result.kind === 'unreadable') {
    await reportUnanswered(host, options, { kind: 'errors', diagnostics: result.diagnostics });
    return EXIT.unable;
  }
  if (result.kind !== 'adopted') return reportUnanswered(host, options, result);
  await reportAdopted(host, options, result);
  return options.check && isChanged(result) ? EXIT.no : EXIT.yes;
}

const isChanged = ({ lock }: AdoptedFleet): boolean => lock.before !== lock.after;

async function reportAdopted(host: Host, options: OptionsOf<'drift'>, result: AdoptedFleet): Promise<void> {
  const { diagnostics, plan, lock, views, unkept } = result;
  if (formatOf(options) === 'json') {
    const { path: file, written } = lock;
    const changed = isChanged(result);
    const document = diagnosticsDocument(diagnostics);
    const ok = document.ok && !(options.check && changed);
    const changes = plan.changes.map(changeDocument);
    await host.stdout.write(
      printJson({ ...document, ok, adopted: { file, changed, written, views, unkept, changes } }),
    );
    return;
  }
  await reportDiagnostics(host, options, diagnostics);
  const paint = choosePaint(options.color, host.env, host.stdout);
  if (!options.quiet) await host.stdout.write(printAdopted(result, paint, options.verbose));
}
