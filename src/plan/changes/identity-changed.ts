import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { shareFiles } from '../share-files.ts';
import { after, before, changesTrust, harmless } from '../verdict.ts';

/**
 * The Secrets, ConfigMaps and tokens of offloaded namespaces go to the API server of an Identity, and what is to run.
 * Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection (configuration, namespacemap).
 */
export const identityChanged = changeKind('identity-changed')({
  identity: idOfShare,
  subject: aboutShare,
  code: 'plan/authentication-changes',
  judge: (it, { hasTrait }) => {
    // Then Liqo writes the live object itself, and tools leave it alone.
    const renewed = [it.consumer, it.provider].every((cluster) => hasTrait(cluster, 'renewsCertificates'));
    const steps = renewed ? [after('apply-by-hand')] : [];
    return isSameServer(it)
      ? harmless('change', 'another-certificate', ...steps)
      : changesTrust('change', 'another-server', before('check-the-endpoint'), ...steps);
  },
  flows: () => [],
  explains: shareFiles,
});

const isSameServer = ({ from, to }: Difference<'identity-changed'>): boolean =>
  from.apiServer === to.apiServer && from.ca === to.ca && from.proxyURL === to.proxyURL;
