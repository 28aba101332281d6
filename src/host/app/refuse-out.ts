import type { OutContent } from '../disk/tree/content-of-out.ts';
import type { ReadyTopology } from './compile-topology.ts';
import type { OutputTree } from './ports.ts';
import type { Refusal } from './refusal.ts';

/**
 * Why the bundles of a fleet do not belong in a folder: it has those of another fleet, which would be removed, or it is no
 * folder of bundles at all.
 */
export function refuseOut(
  tree: Pick<OutputTree, 'contentOf'>,
  topology: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
): Refusal | undefined {
  const content = tree.contentOf(out);
  switch (content.kind) {
    case 'empty':
      return undefined;
    case 'bundles':
      return ofAnotherFleet(topology, out, content.fleets);
    case 'several':
      return { kind: 'out-has-several-fleets', out, fleets: content.fleets };
    case 'others':
      return ofAnotherKind(out, content);
  }
}

const ofAnotherKind = (out: string, { names, isRepository }: Extract<OutContent, { kind: 'others' }>): Refusal =>
  isRepository ? { kind: 'out-is-repository', out } : { kind: 'out-has-other-files', out, names };

/** `there` are the names of the fleet whose bundles are in a folder or a commit; none if they are not known. */
export function ofAnotherFleet(
  { files, compiled }: Pick<ReadyTopology, 'files' | 'compiled'>,
  out: string,
  there: readonly string[],
): Refusal | undefined {
  const { name, renamedFrom } = compiled.inputs.declaration;
  const [other] = there;
  if (other === undefined || there.includes(name.value)) return undefined;
  if (renamedFrom !== undefined && there.includes(renamedFrom)) return undefined;
  return { kind: 'out-of-another-fleet', out, fleet: name.value, other, topology: files.topology };
}
