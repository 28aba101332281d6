import { adoptAnswer, driftAnswer } from '../../../answers/report/drift-answer.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { adoptFleet } from '../../app/adopt-fleet.ts';
import { diskStart } from '../../app/disk-ports.ts';
import { type DriftResult, driftFleet, prepareDrift, waitForFleet } from '../../app/drift-fleet.ts';
import type { LivePorts } from '../../app/ports.ts';
import { bundlesFolder, durationOf, liveSources } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { readingClusters, show } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** True for missing halves of handshakes: a cluster lacks them because git does. */
const isAboutHandshakes = ({ code }: Diagnostic): boolean =>
  code === 'sharing/key-missing' || code === 'sharing/answer-missing';

/** `weft drift`: compares live clusters with what the topology compiles to. The answer is no when they differ. */
export async function driftCommand(host: Host, call: Call<'drift'>): Promise<ExitCode> {
  const { args, options } = call;
  if (options.adopt) return driftAdopt(host, call);
  if (options.check)
    throw new CommandFailure('--check is about --adopt', 'leave out --check: drift alone writes nothing');
  const result = await readingClusters(host, options, (ports) => resultOf(host, options, args[0], ports));
  return show(host, options, driftAnswer, result, (compared) => {
    const { clusters, incomplete, diagnostics } = compared;
    const isIncomplete = incomplete.length > 0;
    const ok = !isIncomplete && clusters.every((it) => it.rollout.state === 'same');
    return {
      ...compared,
      diagnostics: [...incomplete, ...diagnostics],
      ok,
      exitCode: isIncomplete ? EXIT.unable : ok ? EXIT.yes : EXIT.no,
      report: { diagnostics: [...incomplete, ...diagnostics.filter(isAboutHandshakes)], isLast: true, withJson: false },
    };
  });
}

async function resultOf(
  host: Host,
  options: OptionsOf<'drift'>,
  topology: string | undefined,
  live: LivePorts,
): Promise<DriftResult> {
  const ports = { ...live, now: systemClock.now };
  const request = {
    topology,
    lock: options.lock,
    ...liveSources(options),
    out: bundlesFolder(options),
  };
  if (options.wait === undefined) return driftFleet(ports, request);
  const limitMilliseconds = durationOf('wait', options.wait);
  if (request.dumps.length > 0)
    throw new CommandFailure('a dump does not change, so --wait waits for nothing', 'use --context instead of --live');
  const prepared = await prepareDrift(ports, request);
  if (prepared.kind !== 'ready') return prepared;
  const notify = async (line: string): Promise<void> => {
    if (!options.quiet) await host.stderr.write(`${visibleText(line)}\n`);
  };
  return waitForFleet({ ...systemClock, look: prepared.look, notify, limitMilliseconds });
}

/** `weft drift --adopt`: copies views and ports of live clusters into the lock. --check: no if it would change. */
async function driftAdopt(host: Host, { args, options }: Call<'drift'>): Promise<ExitCode> {
  const { check, output } = options;
  if (output !== undefined && output !== 'text' && output !== 'json')
    throw new CommandFailure(`--adopt does not print ${output}`, 'use --output text or json');
  if (options.wait !== undefined) throw new CommandFailure('--adopt does not wait', 'leave out --wait or --adopt');
  const request = {
    topology: args[0],
    lock: options.lock,
    ...liveSources(options),
    check,
  };
  const result = await readingClusters(host, options, (ports) =>
    adoptFleet({ ...ports, start: diskStart(host.cwd) }, request),
  );
  return show(host, { ...options, output }, adoptAnswer, result, (adopted) => ({
    ...adopted,
    ok: !(check && adopted.lock.before !== adopted.lock.after),
    report: { withJson: false },
  }));
}
