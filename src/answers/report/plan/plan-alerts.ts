import { countOf, firstOf, moreLine, shownOf } from '../../../base/core/words.ts';
import type { Change } from '../../../plan/change.ts';
import { deletedNamespaces } from '../../../plan/deleted-namespaces.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { describeChange } from './describe-change.ts';

/** What nobody may overlook in a plan of any length: lost data, whom clusters trust, what is demanded no longer. `most` of each are listed. */
export function planAlerts({ changes }: Plan, most: number): readonly string[] {
  const deleted = deletedNamespaces(changes).map(({ name, provider }) => `${name} in ${provider}`);
  const words = (all: readonly Change[], label: string): readonly string[] => [
    ...all.slice(0, shownOf(all.length, most)).map((it) => `${label}: ${describeChange(it)}`),
    ...moreLine(all.length - shownOf(all.length, most), ` below: ${label}`),
  ];
  return [
    ...(deleted.length === 0
      ? []
      : [
          `${countOf(deleted.length, 'namespace')} deleted with all volumes, and nothing brings them back: ${firstOf(deleted, most, '; ')}`,
        ]),
    ...words(
      changes.filter((it) => it.isTrust),
      'trust',
    ),
    ...words(
      changes.filter((it) => it.kind === 'assertion-changed' && it.disruptive),
      'assertions',
    ),
  ];
}
