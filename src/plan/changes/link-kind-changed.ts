import { changeKind } from '../change-kind.ts';
import { ADDRESSES, hubFiles } from '../file-claim.ts';
import { aboutLink } from '../subject.ts';
import { harmless } from '../verdict.ts';

/** A hub link, a peering or a shortcut becomes another of the three. */
export const linkKindChanged = changeKind('link-kind-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: null,
  judge: () => harmless('change', 'tunnel-stays'),
  flows: () => [],
  explains: ({ ends }, context) => [ADDRESSES, ...hubFiles(ends, context)],
});
