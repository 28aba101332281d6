import { groupBy } from '../../../base/core/collections.ts';
import { decodeBase64 } from '../../../base/core/encodings.ts';
import { makeKeys, readUnknownAuthentication } from '../../../base/core/key-pair.ts';
import { listOf, quoted, shortened } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic, type Related } from '../../../base/diagnostics/diagnostic.ts';
import { refusedKeyForm } from '../../../base/releases/traits.ts';
import { type PublicKey, rawOf, verifyNonce } from '../../certificates/authentication-key.ts';
import { areEqual } from '../../certificates/bytes.ts';
import {
  controlPlaneSubject,
  faultOf,
  type ReadRequest,
  type RequestFault,
  type Subject,
  sliceSubject,
  type UnreadableRequest,
} from '../../certificates/certificate-request.ts';
import { recordedEntries, restoreEntry, type SharingInputs } from '../recorded-inputs.ts';
import type { Share } from '../shared-model.ts';
import { pairsInWords, SHOWN_CHARACTERS, type SharingRule, subjectsOf } from './sharing-rule.ts';

/**
 * Every consumer with a handshake has an authentication key in the keys file. With credentials none is needed: Liqo
 * creates one for the slices. There is one warning for all consumers: a fleet without keys is one state.
 */
export const consumersHaveAKey: SharingRule = function* ({ model, inputs }) {
  const loans = model.shares.filter((it) => it.auth === 'handshake');
  yield* keylessWarning(loans, {
    keyless: loans.filter((it) => it.key === null && !it.hasUnknownKey && !inputs.lostKeys?.has(it.consumer.name)),
    state: (one) => `${one ? 'has' : 'have'} no authentication key`,
    hint: () =>
      makeKeys(
        'to make the keys and record what is public of them',
        inputs.keys === undefined && inputs.wasCompiled === true,
      ),
    related: (keyless) =>
      formerEntries(inputs, keyless).map(({ cluster }) => ({
        message: `the requests of ${quoted(cluster.value)} contain this former name, and cannot be used under another one`,
        span: cluster.at,
      })),
  });
  yield* keylessWarning(loans, {
    keyless: loans.filter((it) => it.hasUnknownKey),
    state: (one) =>
      one ? 'has an authentication key that git does not know' : 'have authentication keys that git does not know',
    hint: (keyless) => readUnknownAuthentication(keyless.map((it) => it.provider.name)),
    related: () => [],
  });
};

interface Keyless {
  readonly keyless: readonly Share[];
  readonly state: (one: boolean) => string;
  readonly hint: (keyless: readonly Share[]) => string;
  readonly related: (keyless: readonly Share[]) => readonly Related[];
}

function* keylessWarning(loans: readonly Share[], { keyless, state, hint, related }: Keyless): Iterable<Diagnostic> {
  const [first] = keyless;
  if (first === undefined) return;
  const count = countConsumers(keyless);
  const message = `${count} of ${countConsumers(loans)} consumers ${state(count === 1)}, so no provider gets a Tenant for ${count === 1 ? 'it' : 'them'}: ${pairsInWords(keyless)}`;
  yield diagnostic('sharing/key-missing', first.at, message, {
    about: subjectsOf(keyless),
    hint: hint(keyless),
    related: related(keyless),
  });
}

const countConsumers = (shares: readonly { readonly consumer: { readonly name: string } }[]): number =>
  new Set(shares.map((it) => it.consumer.name)).size;

/** Recorded entries of consumers under their former names. */
function formerEntries(inputs: SharingInputs, keyless: readonly Share[]) {
  const former = new Set(keyless.map((it) => it.consumer.renamedFrom?.value));
  return recordedEntries(inputs).filter(({ cluster }) => former.has(cluster.value));
}

/**
 * A recorded authentication key is the 32 bytes of an Ed25519 key, or a public key in PEM.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const authenticationKeysAreKeys: SharingRule = function* ({ inputs }) {
  for (const { cluster, publicKey, key } of recordedEntries(inputs)) {
    if (key !== undefined) continue;
    const message = `the authentication key of ${quoted(cluster.value)} ${keyProblem(publicKey.value)}`;
    yield diagnostic('keys/not-an-authentication-key', publicKey.at, message, { hint: restoreEntry(cluster.value) });
  }
};

function keyProblem(text: string): string {
  const { kind, bytes } = decodeBase64(text);
  if (kind === 'not-base64') return 'is not base64';
  if (kind === 'not-canonical') return 'is not canonical base64';
  return `has ${bytes.length} bytes; it is the 32 bytes of an Ed25519 key, or a public key in PEM`;
}

/** Every cluster authenticates with a key of its own, in any recorded form. */
export const authenticationKeysAreUsedOnce: SharingRule = function* ({ inputs }) {
  const entries = recordedEntries(inputs).filter((it) => it.key !== undefined);
  for (const [, [first, ...others]] of groupBy(entries, (it) => [it.key?.pem ?? ''])) {
    for (const it of first === undefined ? [] : others) {
      const message = `${quoted(first?.cluster.value ?? '')} and ${quoted(it.cluster.value)} have the same authentication key`;
      yield diagnostic('keys/authentication-used-twice', it.publicKey.at, message, {
        hint: 'remove the entry that is wrong and run "weft keys generate --replace": each cluster needs a key of its own',
        related: first && [{ message: 'the same key appears here', span: first.publicKey.at }],
      });
    }
  }
};

/** The release of every provider accepts the key of its consumer in the recorded form. */
export const providersAcceptTheKey: SharingRule = function* ({ model, inputs }) {
  const entries = new Map(recordedEntries(inputs).map((it) => [it.cluster.value, it]));
  const byConsumer = groupBy(
    model.shares.filter((it) => it.auth === 'handshake'),
    (it) => [it.consumer.name],
  );
  for (const [consumer, shares] of byConsumer) {
    const { key, publicKey } = entries.get(consumer) ?? {};
    if (key === undefined || publicKey === undefined) continue;
    const lastByte = rawOf(key)?.at(-1) ?? 1;
    const refusing = shares.flatMap(({ provider }) => {
      const why = refusedKeyForm(provider.release, { form: key.form, lastByte });
      return why === undefined ? [] : [{ provider, why }];
    });
    const [first] = refusing;
    if (first === undefined) continue;
    const names = listOf(refusing.map((it) => quoted(it.provider.name)));
    const because = first.why === 'pem' ? 'is in PEM' : 'ends in a zero byte';
    yield diagnostic(
      'keys/refused-by-release',
      publicKey.at,
      `the authentication key of ${quoted(consumer)} ${because}, and Liqo ${first.provider.release.version} in ${names} refuses such a key`,
      {
        hint: `update Liqo there to 1.0.2 or later, or remove the entry of ${quoted(consumer)} and run "weft keys generate --replace"`,
      },
    );
  }
};

/**
 * A recorded signature is that of the recorded nonce by the recorded key: a provider rejects any other, and does not
 * check again until the Tenant changes. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/tenant-controller/tenant_controller.go.
 */
export const noncesAreSigned: SharingRule = function* ({ inputs }) {
  for (const { cluster, key, signed, requests } of recordedEntries(inputs)) {
    // An entry whose request is for another key has the wrong key, which is reported once.
    if (key === undefined || isForAnotherKey(requests[0]?.read, key)) continue;
    for (const { provider, nonce, signature } of signed) {
      const { kind, bytes } = decodeBase64(signature.value);
      const verdict =
        kind === 'bytes' ? verifyNonce({ publicKey: key, nonce: nonce.value, signature: bytes }) : 'wrong';
      if (verdict !== 'wrong') continue;
      const [whose, who] =
        provider === null
          ? [quoted(cluster.value), 'every provider']
          : [`${quoted(cluster.value)} for ${quoted(provider)}`, quoted(provider)];
      const message = `the signature of ${whose} is not that of its nonce by its key, so ${who} refuses it`;
      yield diagnostic('keys/wrong-signature', signature.at, message, {
        hint: restoreEntry(cluster.value),
        related: [{ message: 'the nonce', span: nonce.at }],
      });
    }
  }
};

const isForAnotherKey = (read: ReadRequest | undefined, { spki }: PublicKey): boolean =>
  read?.kind === 'request' && !areEqual(read.request.publicKey.spki, spki);

/**
 * A recorded certificate request equals, byte for byte, the one that Liqo creates for that cluster or slice with the
 * recorded key. Kubernetes uses its names as user and groups, so a wrong request may grant rights that no review has
 * covered. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/csr.go.
 */
export const requestsAreForTheirCluster: SharingRule = function* ({ inputs }) {
  for (const { cluster, key, requests } of recordedEntries(inputs)) {
    if (key === undefined) continue;
    let isOtherKey = false;
    for (const { slice, text, read } of requests) {
      const subject = slice === null ? controlPlaneSubject(cluster.value) : sliceSubject(slice, cluster.value);
      const fault = faultOf(read, { subject, spki: key.spki });
      // All requests belong to one key: if the first is for another key, the others follow from it.
      if (fault === undefined || (fault.kind === 'other-key' && isOtherKey)) continue;
      isOtherKey ||= fault.kind === 'other-key';
      const whose = `${slice === null ? '' : `slice ${quoted(slice)} of `}${quoted(cluster.value)}`;
      const message = `the certificate request of ${whose} ${describeFault(fault, subject)}`;
      yield diagnostic('keys/wrong-request', text.at, message, { hint: restoreEntry(cluster.value) });
    }
  }
};

const UNREADABLE: Readonly<Record<UnreadableRequest, string>> = {
  'not-pem': 'is not a request in PEM, encoded as base64',
  'other-block': 'is another kind of PEM',
  'not-alone': 'has more than one block of PEM in lines of 64 columns, and Liqo refuses anything that follows it',
  'not-pkcs10': 'is not PKCS#10',
};

function describeFault(fault: RequestFault, { organization, commonName }: Subject): string {
  switch (fault.kind) {
    case 'unreadable':
      return UNREADABLE[fault.why];
    case 'other-subject': {
      const found = fault.found.map(({ type, value }) => `${type}=${value}`).join(', ');
      return `is for ${shortened(found, SHOWN_CHARACTERS)}; it must be for O=${organization}, CN=${commonName}`;
    }
    case 'other-key':
      return 'is for another key than the one that is recorded here';
    case 'other-bytes':
      return 'asks for more than a certificate with its names, or encodes them in another way than Liqo';
    case 'not-signed':
      return 'is not signed by its key';
  }
}
