import { firstOf, listOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { OffloadedNamespace, SharedModel } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/** How many clusters a message names. */
const SHOWN = 3;

/**
 * The remote namespace of an offloaded one is not offloaded once more by its provider. Liqo does not refuse it, but pods then
 * run two clusters away, unseen from their own one, or come back to it on a virtual node.
 * Only a namespace that weft does not create can be a remote one; any other has a name that is taken.
 */
export const namespacesAreOffloadedOnce: SharingRule = function* ({ model }) {
  const onwards = onwardOffloadings(model);
  if (onwards.size === 0) return;
  for (const [next, origins] of originsOf(model, onwards)) yield* sentOn(next, origins, clustersBehind(next, onwards));
};

/** By cluster and namespace. */
type Onwards = ReadonlyMap<string, OffloadedNamespace>;

const onwardOffloadings = ({ offloadings }: SharedModel): Onwards =>
  new Map(
    offloadings
      .filter((it) => it.pods !== 'Local' && !it.createNamespace)
      .map((it) => [`${it.cluster.name}/${it.namespace}`, it]),
  );

/** Where the pods of a namespace arrive, as far as those are offloaded once more. */
const arrivals = ({ providers, remoteName }: OffloadedNamespace, onwards: Onwards): readonly OffloadedNamespace[] =>
  providers.flatMap((it) => onwards.get(`${it.name}/${remoteName}`) ?? []);

function originsOf({ offloadings }: SharedModel, onwards: Onwards) {
  const origins = new Map<OffloadedNamespace, string[]>();
  for (const it of offloadings.filter(({ pods }) => pods !== 'Local')) {
    for (const next of arrivals(it, onwards)) {
      const names = origins.get(next) ?? [];
      names.push(it.cluster.name);
      origins.set(next, names);
    }
  }
  return origins;
}

function clustersBehind(start: OffloadedNamespace, onwards: Onwards): ReadonlySet<string> {
  const seen = new Set([start]);
  // A set that grows while it is walked gives what was added, too.
  for (const it of seen) for (const next of arrivals(it, onwards)) seen.add(next);
  return new Set([...seen].flatMap((it) => it.providers.map(({ name }) => name)));
}

function* sentOn(
  { at, cluster, namespace, providers }: OffloadedNamespace,
  origins: readonly string[],
  behind: ReadonlySet<string>,
): Iterable<Diagnostic> {
  if (providers.length === 0) return;
  const home = origins.filter((it) => behind.has(it));
  const to = firstOf(
    providers.map((it) => quoted(it.name)),
    SHOWN,
  );
  const back = home.length > 0 ? `, and so back to ${listOf(home.slice(0, SHOWN).map(quoted))}` : '';
  yield diagnostic(
    'sharing/offloaded-onwards',
    at,
    `namespace ${quoted(namespace)} of ${quoted(cluster.name)} contains pods of ${firstOf(origins.map(quoted), SHOWN)}, and is offloaded to ${to}${back}`,
    { about: [[cluster.name]], hint: 'remove the entry, and let the first cluster borrow from the last one itself' },
  );
}
