import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { before, breaks, changesTrust, harmless } from '../verdict.ts';

/** The Secret belongs to the ExternalSecret, and goes with it. Source: external-secrets.io, `creationPolicy: Owner`. */
export const credentialsChanged = changeKind('credentials-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: ({ from, to }) => {
    if (from === null) return harmless('add', 'secret-manager-makes-it', before('check-the-store'));
    return to === null
      ? breaks('remove', 'kubeconfig-goes', before('keep-the-kubeconfig'))
      : changesTrust('change', 'another-kubeconfig', before('check-the-store'));
  },
  flows: () => [],
  explains: shareFiles,
});
