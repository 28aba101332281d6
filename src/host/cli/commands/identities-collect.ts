import { countDiagnostics } from '../../../answers/report/diagnostics-document.ts';
import { collectedAnswer } from '../../../answers/report/print-collected.ts';
import { collectIdentities } from '../../app/collect-identities.ts';
import { diskKeys } from '../../app/disk-ports.ts';
import { isNamedDump, liveSources } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft identities collect`: records the answers of providers. The answer is no when a requested one is missing. */
export async function identitiesCollectCommand(
  host: Host,
  { args, options }: Call<'identities collect'>,
): Promise<ExitCode> {
  const [topology, ...more] = args.filter((it) => !isNamedDump(it));
  if (more.length > 0) throw new CommandFailure(`too many arguments: ${more.join(' ')}`, `write CLUSTER=${more[0]}`);
  const others = { keys: diskKeys(host.cwd), now: systemClock.now };
  const request = {
    topology,
    lock: options.lock,
    ...liveSources(options, args.filter(isNamedDump)),
    check: options.check,
  };
  const result = await readingClusters(host, options, (ports) => collectIdentities({ ...ports, ...others }, request));
  return show(host, options, collectedAnswer, result, (collected) => {
    const { changes, check, pairs, diagnostics, files } = collected;
    const isMissing = pairs.some((it) => it.result === 'not-signed') || (check && changes);
    const ok = countDiagnostics(diagnostics).errors === 0 && !isMissing;
    return { file: files.identities, changes, check, pairs, diagnostics, ok, report: {} };
  });
}
