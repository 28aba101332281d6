import { countDiagnostics } from '../../../answers/report/diagnostics-document.ts';
import { collectedKeysAnswer } from '../../../answers/report/print-collected-keys.ts';
import { collectKeys } from '../../app/collect-keys.ts';
import { diskKeys } from '../../app/disk-ports.ts';
import { liveSources } from '../../front/argument-values.ts';
import { dayBefore, type ExitCode, type Host } from '../../front/host.ts';
import { readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft keys collect`: records the public keys of gateways. The answer is no when a requested one is missing. */
export async function keysCollectCommand(host: Host, { args, options }: Call<'keys collect'>): Promise<ExitCode> {
  const { lock, replace, check } = options;
  const request = { topology: args[0], lock, ...liveSources(options), replace, check };
  const keys = diskKeys(host.cwd);
  const result = await readingClusters(host, options, (ports) =>
    collectKeys({ ...ports, keys, day: dayBefore }, request),
  );
  return show(host, options, collectedKeysAnswer, result, (collected) => {
    const { changes, gateways, diagnostics, files } = collected;
    const isMissing = gateways.some((it) => it.result === 'not-made') || (check && changes);
    const ok = countDiagnostics(diagnostics).errors === 0 && !isMissing;
    return { file: files.keys, changes, check, gateways, diagnostics, ok, report: {} };
  });
}
