import { encodeBase64, utf8Bytes } from '../../../src/base/core/encodings.ts';
import { type AuthenticationKeyPair, signNonce } from '../../../src/fleet/certificates/authentication-key.ts';
import { controlPlaneSubject, makeRequest } from '../../../src/fleet/certificates/certificate-request.ts';
import { WORKED_EXAMPLE } from '../../fleet/certificates/worked-example.ts';
import { TestCa } from '../../support/test-ca.ts';

export const base64 = (text: string): string => encodeBase64(utf8Bytes(text));

/** rome borrows from milan and turin, and lends to paris, which has no key. */
export const TOPOLOGY = `version: 1
name: europe
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome:  { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
  turin: { podCIDR: 10.203.0.0/16 }
  paris: { podCIDR: 10.204.0.0/16 }
sharing:
  - { consumer: rome, provider: milan, resources: { cpu: 4 } }
  - { consumer: rome, provider: turin, resources: { cpu: 4 } }
  - { consumer: paris, provider: rome, resources: { cpu: 4 } }
`;

/** The record of rome's key by `weft keys generate`. */
export const KEYS = `version: 1
keys: {}
authentication:
  rome:
    publicKey: ${WORKED_EXAMPLE.publicKeyRawBase64}
    nonce: ${WORKED_EXAMPLE.nonce}
    signature: ${WORKED_EXAMPLE.signatureBase64}
    request: ${base64(WORKED_EXAMPLE.controlPlaneCsrPem)}
`;

/** A Tenant with another key. */
export const keysOf = (key: AuthenticationKeyPair): string => `version: 1
keys: {}
authentication:
  rome:
    publicKey: ${encodeBase64(key.publicKey)}
    nonce: ${WORKED_EXAMPLE.nonce}
    signature: ${encodeBase64(signNonce(key, WORKED_EXAMPLE.nonce))}
    request: ${base64(makeRequest(key, controlPlaneSubject('rome')))}
`;

/** The Tenant of rome in a provider, with its answer. */
interface TenantSettings {
  readonly provider?: string;
  readonly consumer?: string;
  readonly publicKey?: string;
  readonly request?: string;
  readonly validity?: {
    readonly notBefore?: string;
    readonly notAfter?: string;
    readonly purposes?: readonly string[];
  };
  /** Replaces or adds fields of the answer. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly unsigned?: boolean;
}

export function tenant(settings: TenantSettings = {}) {
  const { provider = 'milan', consumer = 'rome', request = WORKED_EXAMPLE.controlPlaneCsrPem } = settings;
  const ca = new TestCa(provider);
  const authParams = {
    apiServer: `https://${provider}.example:6443`,
    ca: base64(ca.pem),
    signedCRT: base64(ca.answer(request, settings.validity)),
    ...settings.params,
  };
  return {
    apiVersion: 'authentication.liqo.io/v1beta1',
    kind: 'Tenant',
    metadata: {
      name: consumer,
      namespace: `liqo-tenant-${consumer}`,
      labels: { 'liqo.io/remote-cluster-id': consumer },
    },
    spec: { clusterID: consumer, publicKey: settings.publicKey ?? WORKED_EXAMPLE.publicKeyRawBase64 },
    status: settings.unsigned ? {} : { authParams, tenantNamespace: `liqo-tenant-${consumer}` },
  };
}

export const dump = (...items: readonly object[]): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2);
