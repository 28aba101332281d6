import { sortedEntries } from '../../base/core/collections.ts';
import { encodeBase64, utf8Bytes } from '../../base/core/encodings.ts';
import { firstPair, type RecordedPair } from '../../base/core/key-pair.ts';
import { firstOf } from '../../base/core/words.ts';
import { render } from '../../base/text/render.ts';
import {
  type AuthenticationKeyPair,
  authenticationKeyOf,
  NONCE_BYTES,
  nonceOf,
  SEED_BYTES,
  signNonce,
} from '../certificates/authentication-key.ts';
import { controlPlaneSubject, makeRequest, type Subject, sliceSubject } from '../certificates/certificate-request.ts';
import type { RecordedKey } from '../sharing/recorded-inputs.ts';
import { printKeysFile, type RecordedKeys } from './keys-file.ts';
import type { KeylessConsumer, KeylessGateway, KeyPair } from './missing-keys.ts';

interface KeysRequest {
  readonly gateways: readonly KeylessGateway[];
  readonly consumers: readonly KeylessConsumer[];
  /** Everything that the keys file contains now. */
  readonly recorded: RecordedKeys;
  /** Creates a new random pair at each call. The caller passes it in, so that this room stays pure. */
  readonly newPair: () => KeyPair;
  readonly randomBytes: RandomBytes;
  /** Written like `2026-11-28`. */
  readonly today: string;
}

interface GeneratedKeys {
  /** Text of the next keys file. */
  readonly keysFile: string;
  /** Secrets by cluster, in order of name: a YAML stream each, to be applied in that cluster. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** Keys for the gateways and the consumers that have none. Recorded keys do not change. */
export function generateKeys(request: KeysRequest): GeneratedKeys {
  const { gateways, consumers, recorded, newPair, randomBytes, today } = request;
  const keys = new Map([...recorded.gateways].map(([cluster, byPeer]) => [cluster, new Map(byPeer)]));
  const authentication = new Map(recorded.authentication);
  const secrets = new Map<string, string>();
  // Before the gateways' Secrets, because it is needed before Liqo is installed.
  for (const consumer of consumers) {
    const made = makeAuthentication(consumer, randomBytes);
    authentication.set(consumer.cluster, made.recorded);
    secrets.set(consumer.cluster, printAuthenticationSecret(consumer, made.key));
  }
  for (const gateway of gateways) {
    const pair = newPair();
    const byPeer = keys.get(gateway.cluster) ?? new Map<string, RecordedPair>();
    // The Secret of an unknown key that is replaced has the name of its generation.
    const { generation = 1, next = null } = byPeer.get(gateway.peer) ?? {};
    keys.set(gateway.cluster, byPeer.set(gateway.peer, { ...firstPair(pair.publicKey, today), generation, next }));
    const secret = printKeySecret(gateway, pair);
    secrets.set(gateway.cluster, (secrets.get(gateway.cluster) ?? '') + secret);
  }
  const inOrder = new Map(sortedEntries(secrets));
  return { keysFile: printKeysFile({ gateways: keys, authentication }), secrets: inOrder };
}

/**
 * The Secret that a gateway mounts. Liqo searches by both labels, so that they are on the Secret in use and not on the next
 * one: two are an error. The value under `data` is the base64 of the raw bytes. Source: liqotech/liqo
 * pkg/liqo-controller-manager/networking/external-network/wireguard, v1.2.0.
 */
export function printKeySecret(
  { cluster, peer, namespace, secretName }: KeylessGateway,
  pair: KeyPair,
  isNext = false,
): string {
  return render('keys/key-secret', {
    cluster,
    peer,
    name: JSON.stringify(secretName),
    namespace: JSON.stringify(namespace),
    remote: isNext ? null : JSON.stringify(peer),
    privateKey: JSON.stringify(pair.privateKey),
    publicKey: JSON.stringify(pair.publicKey),
  });
}

/** Largest number of providers, and of namespaces in them, in the comment. */
const SHOWN_PROVIDERS = 3;

/**
 * The Secret from which Liqo reads its key when it starts; it creates a key only if there is none. Both halves are PEM.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/keys.go (InitClusterKeys).
 */
function printAuthenticationSecret(
  { cluster, liqoNamespace, providers, tenantNamespaces }: KeylessConsumer,
  { privateKeyPem, publicKeyPem }: AuthenticationKeyPair,
): string {
  const base64 = (pem: string): string => JSON.stringify(encodeBase64(utf8Bytes(pem)));
  return render('keys/authentication-secret', {
    cluster,
    providers: firstOf(providers, SHOWN_PROVIDERS),
    tenant: firstOf(tenantNamespaces, SHOWN_PROVIDERS),
    liqo: liqoNamespace,
    namespace: JSON.stringify(liqoNamespace),
    privateKey: base64(privateKeyPem),
    publicKey: base64(publicKeyPem),
  });
}

/** Creates new random bytes at each call. */
export type RandomBytes = (count: number) => readonly number[];

interface MadeAuthentication {
  /** The key with its private half. */
  readonly key: AuthenticationKeyPair;
  /** The public part of the key. */
  readonly recorded: RecordedKey;
}

/** A new key of a consumer, and everything that must be signed with it: no later run has the private half. */
export function makeAuthentication(
  { cluster, slices }: Pick<KeylessConsumer, 'cluster' | 'slices'>,
  randomBytes: RandomBytes,
): MadeAuthentication {
  const key = newKey(randomBytes);
  const nonce = nonceOf(randomBytes(NONCE_BYTES));
  const requestFor = (subject: Subject): string => encodeBase64(utf8Bytes(makeRequest(key, subject)));
  const recorded = {
    key: {
      publicKey: encodeBase64(key.publicKey),
      nonce,
      signature: encodeBase64(signNonce(key, nonce)),
      request: requestFor(controlPlaneSubject(cluster)),
    },
    slices: new Map(slices.map((it) => [it, requestFor(sliceSubject(it, cluster))])),
  };
  return { key, recorded };
}

/**
 * Creates a key. Liqo 1.0.0 and 1.0.1 reject a key whose last byte is zero, one of 256. It is replaced for any release,
 * because a provider with one of those releases may be added later.
 */
function newKey(randomBytes: RandomBytes): AuthenticationKeyPair {
  for (;;) {
    const key = authenticationKeyOf(randomBytes(SEED_BYTES));
    if (key.publicKey.at(-1) !== 0) return key;
  }
}
