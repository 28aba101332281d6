import { changeKind } from '../change-kind.ts';
import { theseFiles } from '../file-claim.ts';
import { ABOUT_FLEET } from '../subject.ts';
import { before, breaks, harmless } from '../verdict.ts';

export const gitopsChanged = changeKind('gitops-changed')({
  identity: ({ tool, action }) => [tool, action],
  subject: () => ABOUT_FLEET,
  code: 'plan/breaks-flows',
  judge: ({ action }) =>
    action === 'remove'
      ? breaks('remove', 'nothing-applies-the-bundles', before('check-what-applies-the-bundles'))
      : harmless(action, 'only-what-is-applied'),
  flows: () => [],
  explains: ({ paths }) => [theseFiles(paths, null)],
});
