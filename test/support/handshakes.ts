import { createHash } from 'node:crypto';
import { decodeBase64 } from '../../src/base/core/encodings.ts';
import { compile } from '../../src/compile.ts';
import { bytesOf } from '../../src/fleet/certificates/bytes.ts';
import { makeAuthentication } from '../../src/fleet/keys/generate-keys.ts';
import { printKeysFile } from '../../src/fleet/keys/keys-file.ts';
import type { Share } from '../../src/fleet/sharing/shared-model.ts';
import { TestCa } from './test-ca.ts';

/** The records of a topology's handshakes. Pairs are `rome/milan`, the consumer first. */
export interface Handshakes {
  /** Consumers without an authentication key. */
  readonly keyless?: readonly string[];
  /** Consumers whose key was made again. */
  readonly otherKeys?: readonly string[];
  /** Consumers that have signed another nonce. */
  readonly otherNonces?: readonly string[];
  /** Consumers whose slices are all without a recorded request. */
  readonly withoutRequests?: readonly string[];
  /** Pairs whose provider has not answered. */
  readonly unanswered?: readonly string[];
  /** Pairs whose certificate was signed again, and where each ends: `20270101000000Z`. */
  readonly ends?: Readonly<Record<string, string>>;
  /** Pairs with another API server. */
  readonly apiServers?: Readonly<Record<string, string>>;
  /** Pairs with the CA of another cluster. */
  readonly authorities?: Readonly<Record<string, string>>;
}

interface HandshakeTexts {
  /** The last lines of a keys file; empty without sharing. */
  readonly authentication: string;
  /** `undefined` if no provider has answered. */
  readonly identities: string | undefined;
}

/** By topology: to sign requests and certificates takes longer than to compile. */
const known = new Map<string, HandshakeTexts>();

/** The public halves of keys, and the answers of providers, the same at every run. */
export function handshakesOf(topology: string, given: Handshakes = {}): HandshakeTexts {
  const id = JSON.stringify([topology, given]);
  const texts = known.get(id) ?? handshakeTexts(topology, given);
  known.set(id, texts);
  return texts;
}

function handshakeTexts(topology: string, given: Handshakes): HandshakeTexts {
  const shares = sharesOf(topology);
  const consumers = [...new Set(shares.map((it) => it.consumer.name))].sort();
  const keys = new Map(consumers.map((it) => [it, keyOf(it, shares, given)]));
  const known = new Map([...keys].filter(([it]) => !given.keyless?.includes(it)));
  const answers = consumers.flatMap((consumer) => {
    const rows = shares
      .filter((it) => it.consumer.name === consumer && it.auth === 'handshake')
      .flatMap(({ provider }) => {
        const key = known.get(consumer)?.key;
        const pair = `${consumer}/${provider.name}`;
        return key === undefined || given.unanswered?.includes(pair) ? [] : [answer(pair, key.request, given)];
      });
    return rows.length === 0 ? [] : [`  ${JSON.stringify(consumer)}:\n${rows.join('')}`];
  });
  const printed = printKeysFile({ gateways: new Map(), authentication: known });
  return {
    authentication: known.size === 0 ? '' : printed.slice(printed.indexOf('authentication:')),
    identities: answers.length === 0 ? undefined : `version: 1\nidentities:\n${answers.join('')}`,
  };
}

function sharesOf(topology: string): readonly Share[] {
  const source = { path: 'topology.yaml', text: topology };
  const compiled = compile(
    { topology: source, keys: undefined, lock: undefined },
    { relock: [], only: [], withoutAssertions: true },
  );
  return compiled.ok ? compiled.value.model.shares : [];
}

function keyOf(consumer: string, shares: readonly Share[], given: Handshakes) {
  const own = shares.filter((it) => it.consumer.name === consumer);
  const slices = given.withoutRequests?.includes(consumer)
    ? []
    : own.flatMap((it) => it.slices.map(({ name }) => name));
  const [key, nonce] = [given.otherKeys, given.otherNonces].map((it) => (it?.includes(consumer) ? 'another' : 'a'));
  const bytes = (count: number): readonly number[] => {
    const text = `${count === 64 ? `${nonce} nonce` : `${key} key`} of ${consumer}`;
    return bytesOf(
      createHash(count === 64 ? 'sha512' : 'sha256')
        .update(text)
        .digest(),
    );
  };
  return makeAuthentication({ cluster: consumer, slices }, bytes).recorded;
}

function answer(pair: string, request: string, given: Handshakes): string {
  const provider = pair.split('/')[1] ?? '';
  const decoded = decodeBase64(request);
  if (decoded.kind !== 'bytes') throw new Error(`the request of ${pair} is no base64`);
  const ca = new TestCa(given.authorities?.[pair] ?? provider);
  const notAfter = given.ends?.[pair];
  const certificate = ca.answer(Buffer.from(decoded.bytes).toString(), notAfter === undefined ? {} : { notAfter });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return `    ${JSON.stringify(provider)}:
      apiServer: ${given.apiServers?.[pair] ?? `https://${provider}.example:6443`}
      ca: ${base64(ca.pem)}
      certificate: ${base64(certificate)}
`;
}
