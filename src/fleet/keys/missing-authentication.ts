import { groupBy } from '../../base/core/group-by.ts';
import { sortedUnique } from '../../base/core/order.ts';
import { bug } from '../../base/diagnostics/bug.ts';
import type { Share, SharedModel } from '../sharing/shared-model.ts';
import { namespaceOfConsumer } from '../sharing/tenant-namespaces.ts';

/** A cluster that borrows resources without a recorded authentication key. */
export interface KeylessConsumer {
  readonly cluster: string;
  /** Where Liqo runs, and reads the Secret. */
  readonly liqoNamespace: string;
  readonly providers: readonly string[];
  /** Its tenant namespaces in these. */
  readonly tenantNamespaces: readonly string[];
  /** Every slice that it asks for. */
  readonly slices: readonly string[];
}

/**
 * The consumers without a key, by name. Also those with credentials: their slices have certificates all the same.
 * `only` names the clusters to look at; `null` means all.
 */
export const missingAuthentication = (model: Shares, only: readonly string[] | null): readonly KeylessConsumer[] =>
  consumersOf(model, only, (it) => it.key === null && !it.hasUnknownKey);

/** The consumers with a key that is not known here. */
export const unknownAuthentication = (model: Shares, only: readonly string[] | null): readonly KeylessConsumer[] =>
  consumersOf(model, only, (it) => it.hasUnknownKey);

type Shares = Pick<SharedModel, 'shares'>;

function consumersOf(
  { shares }: Shares,
  only: readonly string[] | null,
  isMeant: (share: Share) => boolean,
): readonly KeylessConsumer[] {
  const keyless = shares.filter((it) => isMeant(it) && (only === null || only.includes(it.consumer.name)));
  return [...groupBy(keyless, (it) => [it.consumer.name])].map(([cluster, own]) => ({
    cluster,
    liqoNamespace: own[0]?.consumer.liqoNamespace ?? bug(`"${cluster}" borrows nothing`),
    providers: sortedUnique(own.map((it) => it.provider.name)),
    tenantNamespaces: sortedUnique(own.map(namespaceOfConsumer)),
    slices: sortedUnique(own.flatMap((it) => it.slices.map((slice) => slice.name))),
  }));
}
