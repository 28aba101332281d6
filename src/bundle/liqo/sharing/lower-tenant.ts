import { AUTHENTICATION_API } from '../../../base/releases/api-versions.ts';
import type { Share } from '../../../fleet/sharing/shared-model.ts';
import type { Manifest } from '../manifest.ts';
import { aboutConsumer } from './about-consumer.ts';

/**
 * The consumer as the provider knows it. `undefined` while the consumer has no key, unless it needs none. Every field that
 * the API server would fill in is written, so that nothing differs from git.
 * Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/tenant_types.go.
 */
export function lowerTenant({ consumer, provider, key, auth, condition }: Share): Manifest | undefined {
  if (auth === 'handshake' && key === null) return undefined;
  return {
    apiVersion: AUTHENTICATION_API,
    kind: 'Tenant',
    metadata: aboutConsumer(provider, consumer),
    spec: {
      authzPolicy: auth === 'handshake' ? 'KeysExchange' : 'TolerateNoHandshake',
      clusterID: consumer.name,
      ...(auth === 'handshake' && key !== null
        ? { csr: key.request, publicKey: key.publicKey, signature: key.signature }
        : {}),
      tenantCondition: condition,
    },
  };
}
