import { validateAnswer } from '../../../answers/report/proven.ts';
import { agingDiagnostics, compileTopology } from '../../app/compile-topology.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { schemaNotes } from '../../app/editor-schema.ts';
import { type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/**
 * `weft validate`: reports every diagnostic of a topology and writes nothing. Addresses and ports are decided too,
 * since some mistakes appear only there; no bundle is compiled.
 */
export async function validateCommand(host: Host, { args, options }: Call<'validate'>): Promise<ExitCode> {
  const { files } = diskPorts(host.cwd);
  const result = await compileTopology(files, { topology: args[0], lock: options.lock }, { only: [] });
  const notes = result.kind === 'compiled' ? await schemaNotes(files, result.sources.topology) : [];
  return show(host, options, validateAnswer, result, (valid) => ({
    topology: valid.files.topology,
    model: valid.compiled.model,
    diagnostics: [...notes, ...valid.diagnostics, ...agingDiagnostics(valid, systemClock.now())],
    report: {},
  }));
}
