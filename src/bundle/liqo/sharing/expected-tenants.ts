import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { aboutConsumer } from './about-consumer.ts';
import { isServed } from './rest-state.ts';

/**
 * Tenants with what the provider answers. The certificate is left out: it is signed again at two thirds of its life. So is
 * the CA, which may have zero bytes at its end.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go,
 * cmd/liqo-controller-manager/modules/authentication.go.
 */
export function expectedTenants(lends: readonly Share[]): readonly Manifest[] {
  return lends.filter(isServed).map(({ consumer, provider, identity, auth }) => ({
    apiVersion: AUTHENTICATION_API,
    kind: 'Tenant',
    metadata: aboutConsumer(provider, consumer),
    status: {
      authParams: auth === 'handshake' && identity !== null ? { apiServer: identity.apiServer } : undefined,
      tenantNamespace: namespaceIn(provider, consumer.name),
    },
  }));
}
