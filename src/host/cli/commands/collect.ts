import { countDiagnostics } from '../../../answers/report/diagnostics-document.ts';
import { collectedAnswer, collectedKeysAnswer } from '../../../answers/report/print-collected.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { collectIdentities, collectKeys } from '../../app/collect-from-clusters.ts';
import { diskKeys } from '../../app/disk-ports.ts';
import { isNamedDump, liveSources } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { dayBefore, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft identities collect`: records the answers of providers. The answer is no when a requested one is missing. */
export async function identitiesCollectCommand(
  host: Host,
  { args, options }: Call<'identities collect'>,
): Promise<ExitCode> {
  const [topology, ...more] = args.filter((it) => !isNamedDump(it));
  if (more.length > 0) throw new CommandFailure(`too many arguments: ${more.join(' ')}`, `write CLUSTER=${more[0]}`);
  const { lock, check } = options;
  const request = { topology, lock, ...liveSources(options, args.filter(isNamedDump)), check };
  const result = await readingClusters(host, options, (ports) =>
    collectIdentities({ ...ports, keys: diskKeys(host.cwd), now: systemClock.now }, request),
  );
  return show(host, options, collectedAnswer, result, (collected) => {
    const isMissing = collected.pairs.some((it) => it.result === 'not-signed');
    return { ...collected, file: collected.files.identities, ok: isWhole(collected, isMissing), report: {} };
  });
}

/** `weft keys collect`: records the public keys of gateways. The answer is no when a requested one is missing. */
export async function keysCollectCommand(host: Host, { args, options }: Call<'keys collect'>): Promise<ExitCode> {
  const { lock, replace, check } = options;
  const request = { topology: args[0], lock, ...liveSources(options), replace, check };
  const result = await readingClusters(host, options, (ports) =>
    collectKeys({ ...ports, keys: diskKeys(host.cwd), day: dayBefore }, request),
  );
  return show(host, options, collectedKeysAnswer, result, (collected) => {
    const isMissing = collected.gateways.some((it) => it.result === 'not-made');
    return { ...collected, file: collected.files.keys, ok: isWhole(collected, isMissing), report: {} };
  });
}

interface Collected {
  readonly changes: boolean;
  readonly check: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

const isWhole = ({ changes, check, diagnostics }: Collected, isMissing: boolean): boolean =>
  countDiagnostics(diagnostics).errors === 0 && !isMissing && !(check && changes);
