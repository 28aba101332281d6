import { verifyAnswer } from '../../../answers/report/proven.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { verifyFleet } from '../../app/verify-fleet.ts';
import { bundlesFolder } from '../../front/argument-values.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { show, startProgress } from '../../front/show.ts';
import { allocateYoung, growHeapLeast } from '../../front/v8-flags.ts';
import type { Call } from '../options-of.ts';

/** `weft verify`: reads the emitted files back, independently, and proves what they promise. Writes nothing. */
export async function verifyCommand(host: Host, { args, options }: Call<'verify'>): Promise<ExitCode> {
  growHeapLeast();
  allocateYoung();
  const out = bundlesFolder(options);
  const progress = startProgress(host, options);
  const ports = { ...diskPorts(host.cwd), progress: progress.of };
  const result = await verifyFleet(ports, { topology: args[0], lock: options.lock, out }).finally(progress.end);
  return show(host, options, verifyAnswer, result, (verified) => {
    const shown = options.verbose ? verified.diagnostics : verified.causes;
    return { ...verified, out, report: { diagnostics: shown } };
  });
}
