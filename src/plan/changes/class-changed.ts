import { aboutShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { before, breaks } from '../verdict.ts';

/**
 * The provider answers only slices of the default class by itself, and what it has answered stays as it is.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller (isInResourceClasses).
 */
export const classChanged = changeKind('class-changed')({
  identity: ({ consumer, slice }) => [consumer, slice],
  subject: aboutShare,
  code: 'plan/sharing-ends',
  judge: () => breaks('change', 'answer-of-the-old-class-stays', before('make-another-slice')),
  flows: () => [],
  explains: shareFiles,
});
