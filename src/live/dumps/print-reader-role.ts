import { groupBy } from '../../base/core/group-by.ts';
import { render } from '../../base/text/render.ts';
import { CLUSTER_ID_CONFIG_MAP } from './cluster-id.ts';

/** A kind of object that is read, by the name under which kubectl lists it: `configurations.networking.liqo.io`. */
export interface ReadKind {
  readonly resource: string;
  /** Only objects with these labels. */
  readonly selector?: string | undefined;
}

/** A role that may read what weft reads, and its binding to a group. */
export function printReaderRole(kinds: readonly ReadKind[]): string {
  const resources = [...new Set(kinds.map((it) => it.resource))];
  const byGroup = groupBy(
    resources.filter((it) => it !== SECRETS),
    (it) => [groupIn(it)],
  );
  return render('dumps/reader-role', {
    configMap: CLUSTER_ID_CONFIG_MAP,
    rules: [...byGroup].map(([group, some]) => ({ group, resources: some.map(pluralIn).join(', ') })),
    secrets: resources.includes(SECRETS),
  });
}

const SECRETS = 'secrets';

const pluralIn = (resource: string): string => resource.split('.')[0] ?? '';
const groupIn = (resource: string): string => resource.slice(pluralIn(resource).length + 1);
