import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { shareFiles } from '../share-files.ts';
import { after, breaks, together } from '../verdict.ts';

/** Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go: one kubeconfig of the control plane for each provider. */
export const policyChanged = changeKind('policy-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: ({ to }) =>
    to === 'TolerateNoHandshake'
      ? breaks(
          'change',
          'credentials-instead-of-certificate',
          together('replace-the-kubeconfig'),
          after('check-the-role-binding'),
        )
      : breaks(
          'change',
          'certificate-instead-of-credentials',
          together('remove-the-kubeconfig'),
          after('check-the-role-binding'),
        ),
  flows: () => [],
  explains: shareFiles,
});
