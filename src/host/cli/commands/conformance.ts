import { conformanceAnswer } from '../../../answers/report/conformance/conformance-answer.ts';
import { conformFleet } from '../../app/conform-fleet.ts';
import { execPort } from '../../app/disk-ports.ts';
import { isTopologyPath, liveNames, liveSources } from '../../front/argument-values.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { readingClusters, show, startProgress } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft conformance [topology] [CLUSTER...]`: packets between the probers of live clusters, compared with what is compiled. */
export async function conformanceCommand(host: Host, { args, options }: Call<'conformance'>): Promise<ExitCode> {
  const isPath = isTopologyPath(args[0]);
  const topology = isPath ? args[0] : undefined;
  const clusters = isPath ? args.slice(1) : args;
  const live = { live: [], context: options.context };
  const { contexts } = liveSources(live);
  const progress = startProgress(host, options);
  const result = await readingClusters(host, options, (ports) =>
    conformFleet(
      { ...ports, ...execPort(host), onStep: progress.step },
      { topology, lock: options.lock, contexts, clusters },
    ),
  ).finally(progress.end);
  return show(host, options, conformanceAnswer, result, (probed) => {
    const { probes, isBroken, withoutProber } = probed;
    const isUnknown = withoutProber.length > 0 || probes.length === 0;
    return {
      ...probed,
      diagnostics: [...withoutProber, ...probed.diagnostics],
      names: liveNames(topology, live),
      ok: !isBroken && !isUnknown,
      exitCode: isBroken ? EXIT.no : isUnknown ? EXIT.unable : EXIT.yes,
      report: { diagnostics: withoutProber, withJson: false },
    };
  });
}
