import { changeKind } from '../change-kind.ts';
import { theseFiles } from '../file-claim.ts';
import { ABOUT_FLEET } from '../subject.ts';
import { after, before, breaks, changesTrust, harmless } from '../verdict.ts';

export const gitopsChanged = changeKind('gitops-changed')({
  identity: ({ tool, action }) => [tool, action],
  subject: () => ABOUT_FLEET,
  code: 'plan/changes-trust',
  judge: ({ action }) => {
    switch (action) {
      case 'add':
        return changesTrust('add', 'applies-the-bundles', before('check-the-source'));
      case 'change':
        return harmless('change', 'same-source-and-clusters', after('apply-entry-points-again'));
      case 'remove':
        // Nobody new is trusted.
        return breaks('remove', 'nothing-applies-the-bundles', before('check-what-applies-the-bundles'));
    }
  },
  flows: () => [],
  explains: ({ paths }) => [theseFiles(paths, null)],
});
