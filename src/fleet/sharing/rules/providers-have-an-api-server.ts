import { groupBy } from '../../../base/core/group-by.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { isManaged, signsClientCertificates } from '../../../base/releases/platforms.ts';
import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/** How many consumers a message names. */
const SHOWN = 3;

/**
 * A provider on a managed platform is given the address of its API server. Liqo looks for a node of the control plane otherwise,
 * finds none, and answers no consumer. One that has answered got the address from elsewhere, and on EKS Liqo asks AWS for it.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go, pkg/identityManager/iamIdentityProvider.go (ForgeAuthParams).
 */
export const providersHaveAnApiServer: SharingRule = function* ({ model }) {
  const open = model.shares.filter((it) => it.identity === null && it.provider.apiServer === null);
  for (const shares of groupBy(open, (it) => [it.provider.name]).values()) {
    const [{ at, provider } = { at: undefined, provider: undefined }] = shares;
    if (provider === undefined || at === undefined || !hasToBeTold(provider)) continue;
    const consumers = shares.map((it) => quoted(it.consumer.name));
    yield diagnostic(
      'sharing/no-api-server',
      provider.platform?.at ?? at,
      `${quoted(provider.name)} on ${provider.platform?.value} lends to ${firstOf(consumers, SHOWN)}, but Liqo finds no API server there to answer with`,
      { hint: 'set `apiServer` of the cluster to the URL at which consumers reach it' },
    );
  }
};

function hasToBeTold({ platform }: AddressedCluster): boolean {
  const name = platform?.value ?? null;
  return isManaged(name) && signsClientCertificates(name);
}
