import { placeKey } from '../diagnostics/accept-diagnostics.ts';
import { type Acceptance, clustersOf } from '../diagnostics/acceptance.ts';
import { isOpen } from '../diagnostics/diagnostic.ts';
import { NO_ACCEPTANCES, type PlannedAcceptances } from '../plan/planned-acceptances.ts';
import { readAcceptances } from '../topology/read-acceptances.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { type Base, openBase, openLastCommit } from './open-base.ts';
import { parseTopologyAt } from './parse-topology-at.ts';
import type { FileReader } from './ports.ts';

/** What a topology accepts, and which of that the topology of the base did not. */
export async function planAcceptances(
  files: FileReader,
  base: Base,
  { files: paths, compiled, diagnostics }: ReadyTopology,
): Promise<PlannedAcceptances> {
  const { acceptances } = compiled.inputs.declaration;
  if (acceptances.length === 0) return NO_ACCEPTANCES;
  const accepted = diagnostics.filter((it) => !isOpen(it));
  const counts = new Map<Acceptance, number>();
  for (const it of accepted.flatMap((one) => one.accepted ?? [])) counts.set(it, (counts.get(it) ?? 0) + 1);
  const before = new Set(((await acceptedThen(files, base, paths.topology)) ?? acceptances).map(identityOf));
  return {
    warnings: accepted.filter((it) => it.severity === 'warning').length,
    notes: accepted.filter((it) => it.severity === 'note').length,
    added: acceptances
      .filter((it) => !before.has(identityOf(it)))
      .map((it) => ({
        code: it.code.value,
        clusters: clustersOf(it.where).map(({ value }) => value),
        reason: it.reason,
        count: counts.get(it) ?? 0,
      })),
  };
}

/** What the topology of a base accepts: nothing without one, or where it has errors. `undefined` without a commit to look at. */
async function acceptedThen(files: FileReader, base: Base, path: string): Promise<readonly Acceptance[] | undefined> {
  const reader = base.kind === 'out' ? await openLastCommit(files) : await openBase(files, base);
  if (reader === undefined) return undefined;
  const document = await parseTopologyAt(reader, path);
  return document === undefined ? [] : readAcceptances(document.reading);
}

/** Another reason is no other acceptance. */
const identityOf = ({ code, where }: Acceptance): string => `${code.value} ${placeKey(where)}`;
