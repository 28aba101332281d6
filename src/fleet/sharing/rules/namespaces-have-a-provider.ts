import { groupBy } from '../../../base/core/group-by.ts';
import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { SharingRule } from './sharing-rule.ts';

/** An offloaded namespace has a provider that takes its pods. One that is drained takes none. */
export const namespacesHaveAProvider: SharingRule = function* ({ model }) {
  const loans = model.shares.filter((it) => it.condition !== 'Drained');
  const lenders = new Map(
    [...groupBy(loans, (it) => [it.consumer.name])].map(([name, shares]) => [
      name,
      new Set(shares.map((it) => it.provider)),
    ]),
  );
  for (const { at, cluster, namespace, providers, pods } of model.offloadings) {
    const active = lenders.get(cluster.name);
    if (active && providers.some((it) => active.has(it))) continue;
    const isDrained = providers.length > 0;
    const why = isDrained ? 'has only drained providers' : 'has no provider';
    const so = pods === 'Remote' ? 'its pods stay pending' : `its pods run in ${quoted(cluster.name)} alone`;
    yield diagnostic(
      'sharing/no-provider',
      at,
      `namespace ${quoted(namespace)} of ${quoted(cluster.name)} ${why}, so ${so}`,
      {
        about: [[cluster.name]],
        hint: isDrained
          ? 'remove `condition` from a loan of these providers, or remove the entry'
          : hintFor(cluster.name, active !== undefined),
      },
    );
  }
};

const hintFor = (cluster: string, borrows: boolean): string =>
  borrows
    ? `select a cluster in \`to\` that lends to ${quoted(cluster)}, or remove the entry`
    : `add a loan with \`consumer: ${cluster}\` to \`sharing\`, or remove the entry`;
