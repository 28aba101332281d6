import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { firstPair } from '../../../src/base/core/key-pair.ts';
import { bytesOf, bytesOfHex } from '../../../src/fleet/certificates/bytes.ts';
import { generateKeys, makeAuthentication } from '../../../src/fleet/keys/generate-keys.ts';
import { printKeysFile } from '../../../src/fleet/keys/keys-file.ts';
import { readAuthentication } from '../../../src/fleet/sharing/recorded-inputs.ts';
import { parseKeys } from '../../../src/fleet/topology/parse-recorded.ts';
import { WORKED_EXAMPLE as LIQO } from '../certificates/worked-example.ts';

const nonce = bytesOf(Buffer.from(LIQO.nonce, 'base64'));
const seed = bytesOfHex(LIQO.seedHex);
/** sha256("124"): the public half ends in zero. */
const ENDS_IN_ZERO = bytesOfHex('6affdae3b3c1aa6aa7689e9b6a7b3225a636aa1ac0025f490cca1285ceaf1487');

/** Random bytes that are none: each call gives the next ones. */
function drawn(...all: readonly (readonly number[])[]) {
  const left = [...all];
  return (count: number): readonly number[] => {
    const next = left.shift();
    if (next?.length !== count) throw new Error(`${count} bytes were asked for`);
    return next;
  };
}

const rome = {
  cluster: 'rome',
  liqoNamespace: 'liqo',
  providers: ['milan'],
  tenantNamespaces: ['liqo-tenant-rome'],
  slices: ['milan'],
};
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('the authentication key of a consumer', () => {
  it('comes with what Liqo would have made of the same key and nonce', () => {
    const { recorded } = makeAuthentication(rome, drawn(seed, nonce));
    expect(recorded).toEqual({
      key: {
        publicKey: LIQO.publicKeyRawBase64,
        nonce: LIQO.nonce,
        signature: LIQO.signatureBase64,
        request: base64(LIQO.controlPlaneCsrPem),
      },
      slices: new Map([['milan', base64(LIQO.sliceCsrPem)]]),
    });
  });

  it('is drawn again if its public half ends in zero', () => {
    expect(makeAuthentication(rome, drawn(ENDS_IN_ZERO, ENDS_IN_ZERO, seed, nonce)).recorded.key.publicKey).toBe(
      LIQO.publicKeyRawBase64,
    );
    expect(() => makeAuthentication(rome, drawn(ENDS_IN_ZERO, nonce))).toThrow('32 bytes were asked for');
  });

  const generated = generateKeys({
    gateways: [{ cluster: 'rome', peer: 'milan', namespace: 'liqo-tenant-milan', secretName: 'gw-keys' }],
    consumers: [rome],
    recorded: { gateways: new Map(), authentication: new Map() },
    newPair: () => ({ privateKey: 'private', publicKey: 'public' }),
    randomBytes: drawn(seed, nonce),
    today: '2026-11-28',
  });

  it('is the Secret that Liqo looks for, before those of gateways', () => {
    const [, first = '', second = ''] = (generated.secrets.get('rome') ?? '').split('---\n');
    expect(parse(first)).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: 'authentication-keys', namespace: 'liqo' },
      data: { privateKey: base64(LIQO.privateKeyPKCS8Pem), publicKey: base64(LIQO.publicKeySpkiPem) },
    });
    expect(first).toContain('Apply it before Liqo is installed there (first: kubectl create namespace liqo)');
    expect(second).toContain('the gateway towards milan');
  });

  it('is recorded without its private half, and read back', () => {
    for (const secret of [LIQO.seedHex, LIQO.privateKeyPKCS8Pem, base64(LIQO.privateKeyPKCS8Pem)])
      expect(generated.keysFile).not.toContain(secret);
    const parsed = parseKeys({ path: 'a.keys.yaml', text: generated.keysFile });
    if (!parsed.ok) throw new Error(parsed.diagnostics[0]?.message);
    expect(parsed.diagnostics).toEqual([]);
    const authentication = readAuthentication(parsed.value);
    expect(authentication).toEqual(new Map([['rome', makeAuthentication(rome, drawn(seed, nonce)).recorded]]));
    expect(
      printKeysFile({
        gateways: new Map([['rome', new Map([['milan', firstPair('public', '2026-11-28')]])]]),
        authentication,
      }),
    ).toBe(generated.keysFile);
  });

  it.each(['on', '0x10', 'null'])('keeps a slice called %s a string in YAML 1.1 and 1.2', (name) => {
    const { recorded } = makeAuthentication({ cluster: name, slices: [name] }, drawn(seed, nonce));
    const keysFile = printKeysFile({ gateways: new Map(), authentication: new Map([[name, recorded]]) });
    for (const version of ['1.1', '1.2'] as const)
      expect(Object.keys(parse(keysFile, { version }).authentication[name].slices)).toEqual([name]);
  });
});
