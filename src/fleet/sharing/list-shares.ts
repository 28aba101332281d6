import { byCodeUnit } from '../../base/core/order.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import { selectClusters } from '../model/select-clusters.ts';
import type { Selector } from '../topology/selector.ts';
import type { SharingDeclaration } from '../topology/sharing-declaration.ts';

/** One pair of clusters that an entry of `sharing` selects. */
export interface ShareRequest {
  readonly entry: SharingDeclaration;
  readonly consumer: AddressedCluster;
  readonly provider: AddressedCluster;
}

interface Listed {
  /** By consumer, then by provider; each pair once. */
  readonly requests: readonly ShareRequest[];
  readonly found: readonly Diagnostic[];
}

/** Every pair that the entries select. Retired clusters lend and borrow nothing. */
export function listShares({ clusters }: AddressedModel, entries: readonly SharingDeclaration[]): Listed {
  const requests = new Map<string, ShareRequest>();
  const found: Diagnostic[] = [];
  for (const entry of entries) {
    const pairs = pairsOf(clusters, entry);
    if (pairs.length === 0 && !namesRetired(clusters, entry)) found.push(selectsNothing(entry));
    for (const it of pairs) {
      const id = `${it.consumer.name}/${it.provider.name}`;
      const first = requests.get(id);
      if (first === undefined) requests.set(id, it);
      else found.push(declaredTwice(it, first));
    }
  }
  const inOrder = [...requests.values()].sort(
    (a, b) => byCodeUnit(a.consumer.name, b.consumer.name) || byCodeUnit(a.provider.name, b.provider.name),
  );
  return { requests: inOrder, found };
}

function pairsOf(clusters: ReadonlyMap<string, AddressedCluster>, entry: SharingDeclaration): readonly ShareRequest[] {
  const select = (selector: Selector) => selectClusters(clusters, selector).filter((it) => !it.retired);
  const providers = select(entry.provider);
  return select(entry.consumer).flatMap((consumer) =>
    providers.filter((it) => it !== consumer).map((provider) => ({ entry, consumer, provider })),
  );
}

/** As with links: one line retires a cluster, and entries that name it make no loan any more. */
const namesRetired = (clusters: AddressedModel['clusters'], { consumer, provider }: SharingDeclaration): boolean =>
  [consumer, provider].some((it) => it.kind === 'cluster' && clusters.get(it.name)?.retired === true);

const selectsNothing = ({ at }: SharingDeclaration): Diagnostic =>
  diagnostic('sharing/matches-nothing', at, 'the entry selects no two different clusters that are not retired', {
    hint: 'correct the names or labels, or remove the entry',
  });

function declaredTwice({ entry, consumer, provider }: ShareRequest, first: ShareRequest): Diagnostic {
  const message = `${quoted(consumer.name)} borrows from ${quoted(provider.name)} by another entry already`;
  return diagnostic('sharing/declared-twice', entry.at, message, {
    hint: 'keep one entry for each pair; several slices of one pair go below its `slices`',
    related: [{ span: first.entry.at, message: 'the other entry' }],
  });
}
