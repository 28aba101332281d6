import { createPrivateKey, createPublicKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { publicKeysIn } from '../../support/public-keys-in.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILE = 'topologies/topology.keys.yaml';
const TODAY = new Date().toISOString().slice(0, 10);

async function fleet(topology = TOPOLOGY) {
  const it = workspace({ 'topologies/topology.yaml': topology });
  await it.weft('keys', 'generate', '--in-repository');
  await it.weft('compile');
  return { ...it, keys: () => parse(it.read(FILE)).keys };
}

const secretsIn = (text: string) => parseAllDocuments(text).map((it) => it.toJS());

/** The public half of a private key, in base64. */
function publicHalfOf(privateKey: string): string {
  const head = Buffer.from('302e020100300506032b656e04220420', 'hex');
  const key = createPrivateKey({
    key: Buffer.concat([head, Buffer.from(privateKey, 'base64')]),
    format: 'der',
    type: 'pkcs8',
  });
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
}

/** The text of every file below a folder. */
const textsBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => readFileSync(join(it.parentPath, it.name), 'utf8'))
    .join('\n');

describe('weft keys rotate', () => {
  it('makes the next keys of a link, and changes nothing that is in use', async () => {
    const it = await fleet();
    const before = it.keys();
    const { code, stdout, stderr } = await it.weft('keys', 'rotate', '--link', 'rome/milan');
    expect(code).toBe(0);
    expect(stderr).toContain(
      `The next keys of 1 link, milan/rome (the oldest key is of ${TODAY})\n2 Secrets for 2 clusters on stdout\n`,
    );
    const [milan, rome] = secretsIn(stdout);
    expect(rome.metadata).toEqual({ name: 'gw-keys-2', namespace: 'liqo-tenant-milan' });
    expect(publicHalfOf(rome.data.privateKey)).toBe(rome.data.publicKey);
    expect(it.keys()).toEqual({
      ...before,
      rome: { ...before.rome, milan: { ...before.rome.milan, next: { key: rome.data.publicKey, since: TODAY } } },
      milan: { ...before.milan, rome: { ...before.milan.rome, next: { key: milan.data.publicKey, since: TODAY } } },
    });
    expect((await it.weft('compile', '--check')).code).toBe(0);
    for (const secret of [rome, milan]) expect(textsBelow(it.folder)).not.toContain(secret.data.privateKey);
  });

  it('is repeated after a stop without making a key again, and completes a link of which one end has no next key', async () => {
    const it = await fleet();
    await it.weft('keys', 'rotate', '--link', 'all');
    const text = it.read(FILE);
    const again = await it.weft('keys', 'rotate', '--link', 'all');
    expect([again.code, again.stdout]).toEqual([0, '']);
    expect(again.stderr).toContain('No key is to be replaced.\n3 links have next keys already');
    expect(it.read(FILE)).toBe(text);
    const { next, ...pair } = it.keys().rome.milan;
    it.write(FILE, text.replace(/ {4}"milan": \{.*\}\n(?=$|\n|[^ ])/, `    "milan": ${JSON.stringify(pair)}\n`));
    expect(it.keys().rome.milan.next).toBeUndefined();
    const one = await it.weft('keys', 'rotate', '--link', 'rome');
    expect(secretsIn(one.stdout)).toMatchObject([{ metadata: { namespace: 'liqo-tenant-milan' } }]);
    expect(it.keys().rome.milan.next.key).not.toBe(next.key);
  });

  it('then uses them: compile, verify and plan follow, and the plan lists the steps of both ends', async () => {
    const it = await fleet();
    const { stdout } = await it.weft('keys', 'rotate', '--link', 'rome/milan');
    const made = new Map(secretsIn(stdout).map((one) => [one.metadata.namespace, one.data.publicKey]));
    const { code, stderr } = await it.weft('keys', 'rotate', '--switch');
    expect([code, stderr]).toEqual([
      0,
      `The next keys replace those of 1 link, milan/rome (the oldest key is of ${TODAY})\n${FILE} is written; each of them is recorded\nNext: weft compile\nThen "weft plan", which lists the steps of both ends and their order.\nSecrets that are no longer used then: gw-keys in liqo-tenant-rome in milan, gw-keys in liqo-tenant-milan in rome\n`,
    ]);
    expect(it.keys().rome.milan).toEqual({ key: made.get('liqo-tenant-milan'), generation: 2, since: TODAY });
    const plan = await it.weft('plan');
    expect(plan.stdout).toContain(
      'kubectl --context rome -n liqo-tenant-milan label secret gw-keys networking.liqo.io/gateway-resource-',
    );
    expect((await it.weft('compile')).code).toBe(0);
    expect((await it.weft('verify')).code).toBe(0);
    expect(it.read('out/rome/peers/milan/milan.yaml')).toContain('name: gw-keys-2');
    expect(it.read('out/milan/peers/rome/rome.yaml')).toContain(made.get('liqo-tenant-milan'));
    // The third generation has another name again.
    await it.weft('keys', 'rotate', '--link', 'rome/milan');
    await it.weft('keys', 'rotate', '--link', 'rome/milan', '--switch');
    expect(it.keys().rome.milan.generation).toBe(3);
  });

  it('answers --check with no while a key is due, and with yes otherwise', async () => {
    const it = await fleet();
    expect((await it.weft('keys', 'rotate', '--older-than', '180d', '--check')).code).toBe(0);
    it.write(FILE, it.read(FILE).replace(`since: "${TODAY}"`, 'since: "2020-01-31"'));
    const due = await it.weft('keys', 'rotate', '--older-than', '180d', '--check');
    expect([due.code, due.stderr]).toEqual([
      1,
      'To be replaced: the keys of 1 link, europe/milan (the oldest key is of 2020-01-31)\n',
    ]);
    expect((await it.weft('validate')).stdout + (await it.weft('validate')).stderr).toContain('public-keys/old');
    expect((await it.weft('view', 'links')).stdout).toContain('both since 2020-01-31');
    expect((await it.weft('keys', 'rotate', '--switch', '--check')).code).toBe(0);
  });

  it('lets Liqo make another key where it makes them, with the commands for each gateway', async () => {
    const it = workspace({
      'topologies/topology.yaml': TOPOLOGY.replace('hub: europe', 'keys: { secrets: liqo }\nhub: europe'),
    });
    const { code, stdout, stderr } = await it.weft('keys', 'rotate', '--link', 'rome/milan');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(
      '  kubectl --context rome -n liqo-tenant-milan delete secret gw-milan\n  kubectl --context rome -n liqo-tenant-milan annotate wggatewayclient/milan ',
    );
    expect(stderr).toContain('weft keys collect --replace');
    expect(existsSync(join(it.folder, FILE))).toBe(false);
    expect((await it.weft('keys', 'rotate', '--switch')).stderr).toContain('gateways make their own keys');
  });

  it.each([
    [[], 2, 'no link is named'],
    [['--link', 'rome/milan/x'], 2, '--link requires a cluster or a link, not "rome/milan/x"'],
    [['--link', 'rome/oslo'], 2, 'has no cluster "oslo"'],
    [['--older-than', '180'], 2, '--older-than requires days, not "180"'],
    [
      ['--link', 'rome/milan', '--switch'],
      1,
      '2 gateways have no next key: "milan" towards "rome", "rome" towards "milan"',
    ],
    [['--link', 'rome', '--secrets-dir', 'next'], 2, 'next is in the folder of the fleet'],
  ])('refuses %j', async (args, code, message) => {
    const it = await fleet();
    const text = it.read(FILE);
    const answer = await it.weft('keys', 'rotate', ...args);
    expect([answer.code, answer.stdout]).toEqual([code, '']);
    expect(answer.stderr).toContain(message);
    expect(it.read(FILE)).toBe(text);
  });

  it('makes no next key for a gateway that has none', async () => {
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const { code, stderr } = await it.weft('keys', 'rotate', '--link', 'rome');
    expect(code).toBe(1);
    expect(stderr).toContain('4 gateways have no key in topologies/topology.keys.yaml yet');
    expect(existsSync(join(it.folder, FILE))).toBe(false);
  });

  it('is refused for the same key twice, also among the next ones', async () => {
    const it = await fleet();
    await it.weft('keys', 'rotate', '--link', 'rome/milan');
    const keys = publicKeysIn(it.read(FILE));
    const next = it.keys().rome.milan.next.key;
    it.write(FILE, it.read(FILE).replace(next, keys['europe']?.['rome'] ?? ''));
    expect((await it.weft('validate')).stderr).toContain('keys/used-twice');
    it.write(
      FILE,
      it
        .read(FILE)
        .replace(keys['europe']?.['rome'] ?? '', next)
        .replace(next, keys['milan']?.['rome'] ?? ''),
    );
    expect((await it.weft('validate')).code).toBe(1);
  });
});
