import { by } from '../../base/core/order.ts';
import { inSourceOrder } from '../../base/diagnostics/in-source-order.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { AddressedModel } from '../ipam/addressed-model.ts';
import { foldByEntry } from './fold-by-entry.ts';
import { listShares } from './list-shares.ts';
import { readAuthentication } from './read-authentication.ts';
import { readIdentities } from './read-identities.ts';
import { resolveOffloadings } from './resolve-offloadings.ts';
import { resolveShares } from './resolve-shares.ts';
import { SHARING_RULES } from './rules/sharing-rules.ts';
import type { ClusterSharing, OffloadedNamespace, Partner, Share, SharedModel } from './shared-model.ts';
import type { SharingInputs } from './sharing-inputs.ts';

/** Resolves who lends what to whom, with keys and answers, and applies every rule about it. */
export function resolveSharing(model: AddressedModel, inputs: SharingInputs): Outcome<SharedModel> {
  const { declaration, keys, identities } = inputs;
  const listed = listShares(model, declaration.sharing);
  const shares = resolveShares(listed.requests, {
    authentication: readAuthentication(keys),
    identities: readIdentities(identities),
  });
  const offloadings = resolveOffloadings(model, declaration.offloading, shares);
  const shared: SharedModel = {
    ...model,
    shares,
    offloadings: offloadings.namespaces,
    sharing: byCluster(shares, offloadings.namespaces),
  };
  const remarks = SHARING_RULES.flatMap((rule) => [...rule({ model: shared, inputs })]);
  const found = foldByEntry([...listed.found, ...offloadings.found, ...remarks]);
  return outcome(shared, inSourceOrder(found, [declaration.source, keys?.source, identities?.source]));
}

function byCluster(
  shares: readonly Share[],
  offloadings: readonly OffloadedNamespace[],
): ReadonlyMap<string, ClusterSharing> {
  const names = new Set([
    ...shares.flatMap((it) => [it.consumer.name, it.provider.name]),
    ...offloadings.map((it) => it.cluster.name),
  ]);
  const of = new Map(
    [...names].map((name) => [
      name,
      { borrows: [] as Share[], lends: [] as Share[], offloads: [] as OffloadedNamespace[] },
    ]),
  );
  for (const it of shares) {
    of.get(it.consumer.name)?.borrows.push(it);
    of.get(it.provider.name)?.lends.push(it);
  }
  for (const it of offloadings) of.get(it.cluster.name)?.offloads.push(it);
  for (const { lends } of of.values()) lends.sort(by((it) => it.consumer.name));
  return new Map([...of].map(([name, it]) => [name, { ...it, partners: partnersIn(it) }]));
}

function partnersIn({ borrows, lends }: Pick<ClusterSharing, 'borrows' | 'lends'>): readonly Partner[] {
  const partners = new Map<string, Partner>();
  for (const it of borrows) partners.set(it.provider.name, { cluster: it.provider, borrowed: it, lent: null });
  for (const it of lends) {
    const borrowed = partners.get(it.consumer.name)?.borrowed ?? null;
    partners.set(it.consumer.name, { cluster: it.consumer, borrowed, lent: it });
  }
  return [...partners.values()].sort(by((it) => it.cluster.name));
}
