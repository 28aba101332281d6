import { resolve } from 'node:path';
import { compileTopology } from '../../app/compile-topology.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { choosePaint } from '../../front/choose-paint.ts';
import { refused } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { formatOf } from '../../front/report-diagnostics.ts';
import { reportUnanswered } from '../../front/report-unanswered.ts';
import type { AddressedModel } from '../../ipam/addressed-model.ts';
import type { LabPlan } from '../../lab/lab-plan.ts';
import { labScope } from '../../lab/lab-scope.ts';
import { planLab } from '../../lab/plan-lab.ts';
import { namespaceIn } from '../../lab/print-scripts.ts';
import { findParts, type LabParts, thisMachine } from '../../lab-host/find-parts.ts';
import { abandonedLabs } from '../../lab-host/lab-record.ts';
import { onStop } from '../../lab-host/on-stop.ts';
import { removeLab } from '../../lab-host/remove-lab.ts';
import { type LabResult, runLab } from '../../lab-host/run-lab.ts';
import { countOf } from '../../report/count-of.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { labDocument } from '../../report/lab-document.ts';
import { printLab } from '../../report/print-lab.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { startProgress } from '../progress.ts';

/** `weft lab`: the compiled fleet, or a part of it, from network namespaces, and real traffic through it. */
export async function labCommand(host: Host, { args, options }: Call<'lab'>): Promise<ExitCode> {
  const wanted = { pcap: options.pcap !== undefined };
  if (options.clean) return clean(host, options, findParts(thisMachine(host.env['PATH']), wanted));
  const request = { topology: args[0], lock: options.lock };
  const topology = await compileTopology(diskPorts(host.cwd).files, request, { only: [], clusters: options.cluster });
  if (topology.kind !== 'compiled') return reportUnanswered(host, options, topology);
  const format = formatOf(options);
  const { ok: _, ...document } = diagnosticsDocument(topology.diagnostics);
  const plan = planOf(topology.compiled.model, options.cluster);
  const parts = findParts(thisMachine(host.env['PATH']), wanted);
  await removeLeftovers(host, options, parts, (it) => !it.kept);
  const result = await runUnlessStopped(host, options, plan, parts);
  if (result === null) return EXIT.interrupted;
  const agrees = result.verdicts.every((it) => it.agrees);
  const kept = options.keep ? result.run : null;
  const paint = choosePaint(options.color, host.env, host.stdout);
  if (format === 'json')
    await host.stdout.write(printJson({ ok: agrees, ...document, kept, ...labDocument({ plan, ...result }) }));
  else await host.stdout.write(printLab({ plan, ...result }, paint));
  if (kept !== null) await host.stderr.write(howToEnter(plan, kept));
  return agrees ? EXIT.yes : EXIT.no;
}

function planOf(model: AddressedModel, names: readonly string[]): LabPlan {
  const scope = labScope(model, names);
  if (scope.links.length === 0) throw refused({ kind: 'no-link-to-try', clusters: names });
  return planLab(scope);
}

/** `null` when the user has stopped it. */
async function runUnlessStopped(
  host: Host,
  options: OptionsOf<'lab'>,
  plan: LabPlan,
  parts: LabParts,
): Promise<LabResult | null> {
  const stop = new AbortController();
  const forget = onStop(host.onInterrupt, () => stop.abort());
  const progress = startProgress(host, options);
  const pcap = options.pcap;
  try {
    return await runLab({
      ...{ plan, parts, onStep: progress.step, signal: stop.signal, keep: options.keep },
      env: { ...host.env },
      pcap: pcap === undefined ? null : resolve(host.cwd, pcap),
    });
  } catch (error) {
    // Whatever broke after the user stopped it broke because of that.
    if (stop.signal.aborted) return null;
    throw error;
  } finally {
    await progress.end();
    forget();
  }
}

/** Takes down labs that nobody works on, and says so. */
async function removeLeftovers(
  host: Host,
  options: OptionsOf<'lab'>,
  { ip }: LabParts,
  isMeant: (it: { readonly kept: boolean }) => boolean,
): Promise<number> {
  const labs = (await abandonedLabs()).filter(isMeant);
  for (const { run, kept } of labs) {
    await removeLab(ip, run);
    const which = kept ? 'that was kept' : 'that was killed';
    if (!options.quiet) await host.stderr.write(`took down lab ${run} ${which}\n`);
  }
  return labs.length;
}

async function clean(host: Host, options: OptionsOf<'lab'>, parts: LabParts): Promise<ExitCode> {
  const removed = await removeLeftovers(host, options, parts, () => true);
  if (!options.quiet) await host.stderr.write(`${countOf(removed, 'lab')} taken down\n`);
  return EXIT.yes;
}

function howToEnter({ hosts, tunnels }: LabPlan, run: string): string {
  const example = hosts[0]?.namespace ?? '';
  const gateway = tunnels[0]?.namespace ?? '';
  return [
    `lab ${run} stays up; its namespaces: ip netns list | grep weft-${run}`,
    `  a node with its pods:  ip netns exec ${namespaceIn(run, example)} bash`,
    `  a gateway:             ip netns exec ${namespaceIn(run, gateway)} bash`,
    '  to take it down:       weft lab --clean',
    '',
  ].join('\n');
}
