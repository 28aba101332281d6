import { mostCommon } from '../../../base/core/collections.ts';
import { decodeBase64, textOfBase64 } from '../../../base/core/encodings.ts';
import { type PublicKey, readPublicKey, verifyNonce } from '../../../fleet/certificates/authentication-key.ts';
import {
  controlPlaneSubject,
  faultOf,
  type RequestFault,
  readRequest,
  type Subject,
  sliceSubject,
} from '../../../fleet/certificates/certificate-request.ts';
import type { RecordedKey } from '../../../fleet/sharing/recorded-inputs.ts';
import type { AuthenticationKey } from '../../../fleet/sharing/shared-model.ts';
import type { ObservedTenant } from '../../facts/sharing.ts';
import type { ImportFinding } from '../finding.ts';
import { authOf, type LiveLoan, slicesOf } from './live-loan.ts';
import { authenticationLeftOut } from './sharing-findings.ts';

interface ImportedKey {
  /** `null` when no provider has it. */
  readonly recorded: RecordedKey | null;
  readonly findings: readonly ImportFinding[];
}

/** Returns the key of one consumer for the keys file, from its Tenants in the providers. */
export function consumerKey(consumer: string, loans: readonly LiveLoan[]): ImportedKey {
  const findings: ImportFinding[] = [];
  const known = loans.flatMap((loan): readonly KnownKey[] => {
    const [tenant] = loan.lender?.tenants ?? [];
    if (tenant === undefined || authOf(loan) === 'credentials') return [];
    const found = keyIn(tenant, loan);
    if (found.kind === 'key') return [{ ...found, tenant, loan }];
    findings.push(keyLeftOut(tenant, loan, found.why));
    return [];
  });
  const base = mostCommon(known, ({ key }) => `${key.publicKey} ${key.request}`)?.value;
  if (base === undefined) return { recorded: null, findings };
  const isBase = ({ key }: KnownKey): boolean =>
    key.publicKey === base.key.publicKey && key.request === base.key.request;
  const same = known.filter(isBase);
  for (const it of known.filter((one) => !isBase(one)))
    findings.push(
      keyLeftOut(it.tenant, it.loan, 'its key or csr is not that of most providers, which weft writes instead'),
    );
  const usual = mostCommon(same, ({ key }) => key.nonce)?.value ?? base;
  const others = same.filter(({ key }) => key.nonce !== usual.key.nonce || key.signature !== usual.key.signature);
  const requests = requestsOf(consumer, loans, usual.read);
  const providers = others.map(
    ({ loan, key }) => [loan.provider, { nonce: key.nonce, signature: key.signature }] as const,
  );
  return {
    recorded: {
      key: usual.key,
      slices: requests.slices,
      ...(providers.length === 0 ? {} : { providers: new Map(providers) }),
    },
    findings: [...findings, ...requests.findings],
  };
}

interface KnownKey {
  readonly key: AuthenticationKey;
  readonly read: PublicKey;
  readonly tenant: ObservedTenant;
  readonly loan: LiveLoan;
}

const keyLeftOut = (tenant: ObservedTenant, { provider }: LiveLoan, why: string): ImportFinding =>
  authenticationLeftOut({ kind: 'Tenant', cluster: provider, namespace: tenant.namespace, name: tenant.name }, why);

type KeyReading =
  | { readonly kind: 'key'; readonly key: AuthenticationKey; readonly read: PublicKey }
  | { readonly kind: 'none'; readonly why: string };

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Reads the key and the nonce of a Tenant, if its provider can have accepted them. */
function keyIn({ publicKey, request, signature }: ObservedTenant, { consumer, lender }: LiveLoan): KeyReading {
  const none = (why: string): KeyReading => ({ kind: 'none', why });
  if (publicKey === null || request === null || signature === null) return none('it has no key, request or signature');
  const read = readPublicKey(decodeBase64(publicKey).bytes);
  if (read === undefined) return none('its publicKey is none that Liqo accepts');
  const fault = requestFault(request, controlPlaneSubject(consumer), read);
  if (fault !== undefined) return none(`its csr ${fault}`);
  const [nonce, second] = lender?.nonces ?? [];
  if (nonce === undefined || nonce.nonce === null) return none('no Secret with its nonce is in the dump');
  if (second !== undefined) return none('its consumer has two Secrets with a nonce, and Liqo refuses both');
  if (!BASE64.test(nonce.nonce)) return none('its nonce is not base64, so the keys file cannot have it');
  const bytes = decodeBase64(signature);
  if (
    bytes.kind !== 'bytes' ||
    verifyNonce({ publicKey: read, nonce: nonce.nonce, signature: bytes.bytes }) === 'wrong'
  )
    return none('its signature is not that of its nonce by its key');
  return { kind: 'key', key: { publicKey, nonce: nonce.nonce, signature, request }, read };
}

function requestsOf(consumer: string, loans: readonly LiveLoan[], key: PublicKey) {
  const slices = new Map<string, string>();
  const findings: ImportFinding[] = [];
  for (const loan of loans) {
    for (const { name, namespace, request } of slicesOf(loan)) {
      if (request === null) continue;
      const fault = requestFault(request, sliceSubject(name, consumer), key);
      if (fault === undefined) slices.set(name, request);
      else {
        const cluster = loan.borrower === null ? loan.provider : consumer;
        const why = `its csr ${fault}, so git leaves it to Liqo`;
        findings.push(authenticationLeftOut({ kind: 'ResourceSlice', cluster, namespace, name }, why));
      }
    }
  }
  return { slices, findings };
}

function requestFault(base64: string, subject: Subject, { spki }: PublicKey): string | undefined {
  const fault = faultOf(readRequest(textOfBase64(base64)), { subject, spki });
  return fault && FAULTS[fault.kind];
}

const FAULTS: Readonly<Record<RequestFault['kind'], string>> = {
  unreadable: 'is no certificate request',
  'other-subject': 'is for another name',
  'other-key': 'is for another key',
  'not-signed': 'is not signed by its key',
  'other-bytes': 'asks for more than Liqo asks for',
};
