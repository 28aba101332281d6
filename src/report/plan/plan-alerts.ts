import { countOf, firstOf } from '../../core/words.ts';
import type { Change } from '../../plan/change.ts';
import { deletedNamespaces } from '../../plan/deleted-namespaces.ts';
import type { Plan } from '../../plan/plan-changes.ts';
import { describeChange } from './describe-change.ts';

/** What nobody may overlook in a plan of any length: lost data, and whom clusters trust. `most` names are listed. */
export function planAlerts({ changes }: Plan, most: number): readonly string[] {
  const deleted = deletedNamespaces(changes).map(({ name, provider }) => `${name} in ${provider}`);
  const trust = changes.filter(changesTrust).map((it) => describeChange(it));
  return [
    ...(deleted.length === 0
      ? []
      : [
          `${countOf(deleted.length, 'namespace')} deleted with all volumes, and nothing brings them back: ${firstOf(deleted, most, '; ')}`,
        ]),
    ...(trust.length === 0 ? [] : [`another server or key is trusted: ${firstOf(trust, most, '; ')}`]),
  ];
}

/** Whoever has the new server or key reads what consumers send there, or acts as a consumer. */
const changesTrust = (it: Change): boolean =>
  (it.kind === 'identity-changed' && it.reason === 'another-server') ||
  (it.kind === 'authentication-changed' && it.reason === 'another-key') ||
  (it.kind === 'credentials-changed' && it.reason === 'another-kubeconfig');
