import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { utf8Bytes } from '../../src/base/core/encodings.ts';
import { authenticationKeyOf } from '../../src/fleet/certificates/authentication-key.ts';
import { type Bytes, bytesOf, bytesOfHex, pemBlocksIn, printPem } from '../../src/fleet/certificates/bytes.ts';
import { readRequest } from '../../src/fleet/certificates/certificate-request.ts';
import { printDer, TAG } from '../../src/fleet/certificates/der.ts';
import { type Attribute, printName } from '../../src/fleet/certificates/distinguished-name.ts';

/**
 * A CA that answers requests as the one of `vectors/sharing` did, byte for byte: Ed25519 key of sha256("test CA of <cluster>"),
 * serial number of the request, fixed dates. With `keys` the CA has a key of another algorithm, random at every run.
 */
export class TestCa {
  readonly name: readonly Attribute[];
  readonly #key: KeyObject;
  readonly #spki: Bytes;

  constructor(cluster: string, keys: 'ed25519' | 'rsa' | 'ec' = 'ed25519') {
    this.name = [{ type: 'CN', value: `test CA of ${cluster}` }];
    this.#key = keys === 'ed25519' ? keyOf(`test CA of ${cluster}`) : randomKey(keys);
    this.#spki = spkiOf(this.#key);
  }

  get keyId(): Bytes {
    const key = Uint8Array.from(this.#spki.slice(-32));
    return bytesOf(createHash('sha256').update(key).digest()).slice(0, 20);
  }

  /** Its own certificate, in PEM. */
  get pem(): string {
    return this.own();
  }

  /** Its own certificate with other bits of keyUsage than keyCertSign. */
  own(usage: Bytes = [2, 4]): string {
    return this.#sign({
      serial: [1],
      subject: this.name,
      spki: this.#spki,
      extensions: [
        extension('551d0f', true, printDer(TAG.bitString, usage)),
        extension('551d13', true, printDer(TAG.sequence, [1, 1, 0xff])),
        extension('551d0e', false, printDer(OCTETS, this.keyId)),
      ],
    });
  }

  /** The certificate that it answers a request with, in PEM. */
  answer(request: string, more: Partial<Answer> = {}): string {
    const read = readRequest(request);
    if (read.kind !== 'request') throw new Error(`the request is ${read.why}`);
    const hash = createHash('sha256').update(Uint8Array.from(pemBlocksIn(request)[0]?.bytes ?? []));
    const serial = shiftRight(bytesOf(hash.digest()).slice(0, 8));
    const { notBefore = DATES.notBefore, notAfter = DATES.notAfter, purposes = [CLIENT_AUTH], authority } = more;
    return this.#sign({
      serial,
      subject: read.request.subject,
      spki: read.request.publicKey.spki,
      notBefore,
      notAfter,
      extensions: [
        extension('551d0f', true, [TAG.bitString, 2, 5, 0xa0]),
        ...(purposes.length === 0 ? [] : [extension('551d25', false, printDer(TAG.sequence, ...purposes.map(idOf)))]),
        ...(authority === undefined ? [] : [extension('551d23', false, printDer(TAG.sequence, ...authority))]),
      ],
    });
  }

  #sign(body: Partial<Validity> & Omit<Body, keyof Validity>): string {
    const { serial, subject, spki, notBefore = DATES.notBefore, notAfter = DATES.notAfter, extensions } = body;
    const { id, hash } = ALGORITHMS[this.#key.asymmetricKeyType ?? ''] ?? ALGORITHMS['ed25519'];
    const signed = printDer(
      TAG.sequence,
      printDer(0xa0, printDer(TAG.integer, [2])),
      printDer(TAG.integer, positive(serial)),
      id,
      printName(this.name),
      printDer(TAG.sequence, time(notBefore), time(notAfter)),
      printName(subject),
      spki,
      printDer(0xa3, printDer(TAG.sequence, ...extensions)),
    );
    const signature = bytesOf(sign(hash, Uint8Array.from(signed), this.#key));
    return printPem('CERTIFICATE', printDer(TAG.sequence, signed, id, printDer(TAG.bitString, [0], signature)));
  }
}

const keyOf = (seedText: string): KeyObject => createPrivateKey(testKey(seedText).privateKeyPem);

/** A key of the recordings: its seed is the hash of a text, so it protects nothing. */
export const testKey = (seedText: string) =>
  authenticationKeyOf(bytesOf(createHash('sha256').update(seedText).digest()));

interface Validity {
  /** A time such as `20260101000000Z`. */
  readonly notBefore: string;
  readonly notAfter: string;
}

interface Answer extends Validity {
  readonly purposes: readonly string[];
  /** The parts of authorityKeyIdentifier. */
  readonly authority: readonly Bytes[];
}

interface Body extends Validity {
  readonly serial: Bytes;
  readonly subject: readonly Attribute[];
  readonly spki: Bytes;
  readonly extensions: readonly Bytes[];
}

const DATES: Validity = { notBefore: '20260101000000Z', notAfter: '21260101000000Z' };
const CLIENT_AUTH = '2b06010505070302';
const OCTETS = 0x04;

const ALGORITHMS: Readonly<Record<string, { readonly id: Bytes; readonly hash: string | null }>> & {
  readonly ed25519: { readonly id: Bytes; readonly hash: null };
} = {
  ed25519: { id: printDer(TAG.sequence, idOf('2b6570')), hash: null },
  rsa: { id: printDer(TAG.sequence, idOf('2a864886f70d01010b'), printDer(0x05)), hash: 'sha256' },
  ec: { id: printDer(TAG.sequence, idOf('2a8648ce3d040302')), hash: 'sha256' },
};

function idOf(hex: string): Bytes {
  return printDer(TAG.objectId, bytesOfHex(hex));
}

const extension = (id: string, critical: boolean, value: Bytes): Bytes =>
  printDer(TAG.sequence, idOf(id), critical ? [1, 1, 0xff] : [], printDer(OCTETS, value));

/** Years until 2049 have two digits. */
const time = (text: string): Bytes =>
  text.startsWith('20') && text < '2050'
    ? printDer(TAG.utcTime, utf8Bytes(text.slice(2)))
    : printDer(TAG.generalizedTime, utf8Bytes(text));

/** By one bit, without leading zeros. */
function shiftRight(bytes: Bytes): Bytes {
  const number = BigInt(`0x${bytes.map((it) => it.toString(16).padStart(2, '0')).join('')}`) >> 1n;
  const hex = number.toString(16);
  return bytesOfHex(hex.length % 2 === 0 ? hex : `0${hex}`);
}

const positive = (bytes: Bytes): Bytes => ((bytes[0] ?? 0) >= 0x80 ? [0, ...bytes] : bytes);

const randomKey = (keys: 'rsa' | 'ec'): KeyObject =>
  keys === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const spkiOf = (key: KeyObject): Bytes => bytesOf(createPublicKey(key).export({ type: 'spki', format: 'der' }));
