import { quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Share, Slice } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * No two slices of a consumer have one name: the webhook refuses the second, and a virtual node is called like its slice.
 * Nor have two slices of the two directions of a pair: each is copied to the namespace in which the other one is, and
 * neither copy is ever made.
 * Source: liqotech/liqo@v1.2.0 pkg/webhooks/resourceslice, internal/crdReplicator.
 */
export const sliceNamesAreUnique: SharingRule = function* ({ model }) {
  for (const { borrows, lends } of model.sharing.values()) {
    const own = new Map<string, Share>();
    const back = new Map(lends.map((it) => [it.consumer.name, it]));
    for (const share of borrows) {
      for (const slice of share.slices) {
        const first = own.get(slice.name);
        if (first === undefined) own.set(slice.name, share);
        else yield twice(slice, share, first);
      }
      // The other direction finds the same pair.
      const other = share.consumer.name < share.provider.name ? back.get(share.provider.name) : undefined;
      if (other !== undefined) yield* meeting(share, other);
    }
  }
};

function* meeting(share: Share, back: Share): Iterable<Diagnostic> {
  const names = new Set(back.slices.map((it) => it.name));
  for (const it of share.slices) if (names.has(it.name)) yield inBothDirections(it, share, back);
}

const twice = (slice: Slice, share: Share, first: Share): Diagnostic =>
  diagnostic(
    'sharing/slice-name-twice',
    slice.at,
    `${quoted(share.consumer.name)} has two slices called ${quoted(slice.name)}: ${from(first, share)}`,
    { hint: 'give one of them another `name`: it is also the name of the virtual node' },
  );

const from = (first: Share, second: Share): string =>
  first === second
    ? `both from ${quoted(first.provider.name)}`
    : `from ${quoted(first.provider.name)} and from ${quoted(second.provider.name)}`;

const inBothDirections = (slice: Slice, share: Share, back: Share): Diagnostic =>
  diagnostic(
    'sharing/slice-name-twice',
    slice.at,
    `${quoted(share.consumer.name)} and ${quoted(back.consumer.name)} borrow from each other by slices that are both called ${quoted(slice.name)}, and Liqo cannot copy either to its provider`,
    { hint: 'give one of them another `name`' },
  );
