import { encodeBase64 } from '../../base/core/base64.ts';
import { utf8Bytes } from '../../base/core/utf8.ts';
import { firstOf } from '../../base/core/words.ts';
import { render } from '../../base/text/render.ts';
import type { AuthenticationKey } from '../certificates/authentication-key.ts';
import type { KeylessConsumer } from './missing-authentication.ts';

/** How many providers, and namespaces in them, the comment names. */
const SHOWN = 3;

/**
 * The Secret in which Liqo looks for its key when it starts, and makes one only if there is none. Both halves are PEM.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go (InitClusterKeys).
 */
export function printAuthenticationSecret(
  { cluster, liqoNamespace, providers, tenantNamespaces }: KeylessConsumer,
  { privateKeyPem, publicKeyPem }: AuthenticationKey,
): string {
  const base64 = (pem: string): string => JSON.stringify(encodeBase64(utf8Bytes(pem)));
  return render('keys/authentication-secret', {
    cluster,
    providers: firstOf(providers, SHOWN),
    tenant: firstOf(tenantNamespaces, SHOWN),
    liqo: liqoNamespace,
    namespace: JSON.stringify(liqoNamespace),
    privateKey: base64(privateKeyPem),
    publicKey: base64(publicKeyPem),
  });
}
