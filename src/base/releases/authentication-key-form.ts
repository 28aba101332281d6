import { isOlder, type Release } from './release.ts';

/** From here on a Tenant takes keys in PEM, and every raw one. */
const FIRST_WITH_PEM = '1.0.2';

/** How the key of a consumer ends up in a Tenant. */
interface KeyInTenant {
  readonly form: 'raw' | 'pem';
  readonly lastByte: number;
}

/**
 * Why a provider of this release refuses a key; `undefined` if it does not. Up to 1.0.1 only the 32 bytes of an Ed25519 key are
 * read, and a last byte of zero is dropped before they are compared with those of the request.
 * Source: liqotech/liqo@v1.0.0 and @v1.0.2 pkg/liqo-controller-manager/authentication/csr.go.
 */
export function refusedKeyForm(
  { version }: Release,
  { form, lastByte }: KeyInTenant,
): 'pem' | 'ends-in-zero' | undefined {
  if (!isOlder(version, FIRST_WITH_PEM)) return undefined;
  if (form === 'pem') return 'pem';
  return lastByte === 0 ? 'ends-in-zero' : undefined;
}
