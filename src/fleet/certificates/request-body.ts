import type { Bytes } from './bytes.ts';
import { printDer, TAG } from './der.ts';
import { printName } from './distinguished-name.ts';
import { sliceUser } from './slice-user.ts';

/** Who a certificate is for: Kubernetes makes groups of the organization, and the user of the common name. */
export interface Subject {
  readonly organization: string;
  readonly commonName: string;
}

/** Subject of the certificate that a consumer's control plane uses. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go. */
export const controlPlaneSubject = (consumer: string): Subject => ({ organization: 'liqo.io', commonName: consumer });

/** Subject of the certificate that the virtual kubelet of a slice uses. Source: the same file. */
export const sliceSubject = (slice: string, consumer: string): Subject => ({
  organization: consumer,
  commonName: sliceUser(slice, consumer),
});

/** The only version that there is, and no attributes. Source: RFC 2986, section 4.1. */
const VERSION = printDer(TAG.integer, [0]);
const NO_ATTRIBUTES = printDer(TAG.attributes);

/** What is signed in a PKCS#10 request, byte for byte as Liqo writes it. */
export function requestBody({ organization, commonName }: Subject, spki: Bytes): Bytes {
  const name = printName([
    { type: 'O', value: organization },
    { type: 'CN', value: commonName },
  ]);
  return printDer(TAG.sequence, VERSION, name, spki, NO_ATTRIBUTES);
}
