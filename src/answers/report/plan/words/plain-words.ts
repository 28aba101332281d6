import { listOf, shortenedBoth } from '../../../../base/core/words.ts';
import type { LinkKind } from '../../../../fleet/model/network-model.ts';
import type { LinkState } from '../../../../plan/network-state.ts';

/** Words that several kinds of change share. */
export const LINK_WORDS: Readonly<Record<LinkKind, string>> = {
  hub: 'hub link',
  peering: 'peering',
  shortcut: 'shortcut',
};

/** What a view is a view of. */
export const VIEW_WORDS = { pod: 'pods', external: 'external CIDR' } as const;

/** `CIDR 10.0.0.0/16`, or `CIDRs 10.0.0.0/16 and 10.1.0.0/16`. */
export const cidrs = (texts: readonly string[]): string => `${texts.length > 1 ? 'CIDRs' : 'CIDR'} ${listOf(texts)}`;

/** Both ends of a link. */
export const both = ({ ends }: { readonly ends: readonly [string, string] }): string => ends.join(' and ');

/** One end of a link. */
export const towards = ({ cluster, peer }: { readonly cluster: string; readonly peer: string }): string =>
  `${cluster} towards ${peer}`;

/** A link without maps, which JSON does not have, and with the names of keys that other documents have. */
export const plainLink = ({ sides, mtuBytes: mtu, ...link }: LinkState) => ({
  ...link,
  mtu,
  sides: [...sides.values()].map(({ names: _, ...side }) => side),
});

/** Characters of a value; longer ones are cut around what differs. */
export const LONGEST_VALUE = 160;

/** `b instead of a`; `none` stands for what has no value. */
export function insteadOf(
  { from, to }: { readonly from: string | null; readonly to: string | null },
  none: string,
): string {
  const [was, is] = shortenedBoth(from ?? none, to ?? none, LONGEST_VALUE);
  return `${is} instead of ${was}`;
}
