import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { drawn, firstOfEach, runsOf } from '../../support/drawn.ts';
import { publicKeysIn as publicKeysOf } from '../../support/public-keys-in.ts';
import { TOPOLOGY } from './memory-host.ts';

const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;
const KEYS = 'topologies/topology.keys.yaml';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-keys-'));
  mkdirSync(join(folder, 'fleet/topologies'), { recursive: true });
  mkdirSync(join(folder, 'fleet/.git'));
  writeFileSync(join(folder, 'fleet/topologies/topology.yaml'), TOPOLOGY);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (path: string): string => join(folder, 'fleet', path);

/** A command line of a shell in the folder of the fleet; `weft` is the built program. */
const shell = (command: string) => {
  const script = `weft() { '${process.execPath}' '${WEFT}' "$@"; }; ${command}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: at('.'), encoding: 'utf8' });
  return { status, stdout, stderr };
};

const recorded = (): Record<string, Record<string, string>> => publicKeysOf(readFileSync(at(KEYS), 'utf8'));
/** Rome and Milan borrow from each other. */
const SHARING = 'sharing:\n  - { consumer: rome, provider: milan }\n  - { consumer: milan, provider: rome }\n';

const publicKeysIn = (text: string): readonly string[] =>
  parseAllDocuments(text).map((it) => (it.toJS() as { data: { publicKey: string } }).data.publicKey);
const allRecorded = (): readonly string[] => [
  ...Object.values(recorded()).flatMap((it) => Object.values(it)),
  ...Object.values(authentication()).map((it) => pemOf(it.publicKey)),
];
const authentication = (): Record<string, { publicKey: string }> =>
  parse(readFileSync(at(KEYS), 'utf8')).authentication ?? {};
/** The form in the Secret: base64 of the PEM of the 32 bytes. */
const pemOf = (raw: string): string => {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(raw, 'base64')]);
  const lines = ['-----BEGIN PUBLIC KEY-----', der.toString('base64'), '-----END PUBLIC KEY-----', ''];
  return Buffer.from(lines.join('\n')).toString('base64');
};

/** Targets that lose Secrets or publish them; most repositories are asked for within the process as well. */
const LOST: readonly (readonly [string, string, string])[] = [
  ['the null device', 'weft keys generate >/dev/null', 'would be lost'],
  ['a closed stdout', 'weft keys generate >&-', 'would be lost'],
  ['a file in the repository', 'weft keys generate >secrets.yaml', 'is in the git repository'],
  [
    'a file in a bare repository',
    'git init -q --bare ../bare; weft keys generate >../bare/x',
    'is in the git repository',
  ],
  [
    'a folder that is a link into a repository',
    'ln -s "$PWD" ../link; weft keys generate --secrets-dir ../link/x',
    'is in the git repository',
  ],
  [
    'a folder in another repository',
    'mkdir -p ../other/.git; weft keys generate --secrets-dir ../other/x',
    'is in the git repository',
  ],
  ['a full device', 'weft keys generate >/dev/full', 'no space left'],
];

describe('weft keys generate, as a process', () => {
  it.each(
    drawn(
      LOST,
      firstOfEach(([where, , message]) => (where.includes('bare') ? 'bare' : message)),
    ),
  )('records no key when the Secrets go to %s', (_, command, message) => {
    const { status, stderr } = shell(command);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync(at(KEYS))).toBe(false);
    expect(stderr).not.toContain('privateKey');
    expect(readdirSync(at('topologies'))).toEqual(['topology.yaml']);
  });

  it('writes into a repository when that is asked for', () => {
    expect(shell('weft keys generate --in-repository >secrets.yaml').status).toBe(0);
    expect([...publicKeysIn(readFileSync(at('secrets.yaml'), 'utf8'))].sort()).toEqual([...allRecorded()].sort());
  });

  it('writes into a file outside of any repository', () => {
    expect(shell('weft keys generate >../secrets.yaml').status).toBe(0);
    expect(publicKeysIn(readFileSync(join(folder, 'secrets.yaml'), 'utf8'))).toHaveLength(6);
  });

  it('loses no key when two run at once, each for another cluster', async () => {
    const outputs = await Promise.all(
      ['rome', 'milan', 'europe'].map(
        (cluster) =>
          new Promise<string>((resolve) => {
            const child = spawn(process.execPath, [WEFT, 'keys', 'generate', '--cluster', cluster], { cwd: at('.') });
            let text = '';
            child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk;
            });
            child.on('close', () => resolve(text));
          }),
      ),
    );
    expect([...outputs.flatMap(publicKeysIn)].sort()).toEqual([...allRecorded()].sort());
    expect(allRecorded()).toHaveLength(6);
    expect(readdirSync(at('topologies')).sort()).toEqual(['topology.keys.yaml', 'topology.yaml']);
  });

  it('makes each key once when two run at once for the same gateways and consumers', async () => {
    writeFileSync(at('topologies/topology.yaml'), TOPOLOGY + SHARING);
    const run = (name: string) =>
      new Promise<void>((resolve) => {
        const args = [WEFT, 'keys', 'generate', '--secrets-dir', join(folder, name)];
        spawn(process.execPath, args, { cwd: at('.') }).on('close', () => resolve());
      });
    await Promise.all([run('a'), run('b')]);
    const written = ['a', 'b']
      .map((it) => join(folder, it))
      .filter((it) => existsSync(it))
      .flatMap((it) => readdirSync(it).map((name) => readFileSync(join(it, name), 'utf8')));
    expect([...written.flatMap(publicKeysIn)].sort()).toEqual([...allRecorded()].sort());
    expect(allRecorded()).toHaveLength(8);
  });

  it('leaves Secrets and recorded keys that match when it is stopped at any moment', async () => {
    writeFileSync(at('topologies/topology.yaml'), TOPOLOGY + SHARING);
    for (let delay = 0; delay < 400; delay += 400 / runsOf(16, 5)) {
      const secrets = join(folder, `secrets-${delay}`);
      const child = spawn(process.execPath, [WEFT, 'keys', 'generate', '--secrets-dir', secrets], { cwd: at('.') });
      const ended = new Promise((resolve) => child.on('close', resolve));
      setTimeout(() => child.kill('SIGTERM'), delay);
      await ended;
      const files = existsSync(secrets) ? readdirSync(secrets) : [];
      const written = files.flatMap((it) => publicKeysIn(readFileSync(join(secrets, it), 'utf8')));
      expect([delay, [...written].sort()]).toEqual([delay, existsSync(at(KEYS)) ? [...allRecorded()].sort() : []]);
      expect(readdirSync(at('topologies')).filter((it) => it.endsWith('.new'))).toEqual([]);
      rmSync(at(KEYS), { force: true });
    }
  });

  it('makes no new key for a gateway whose key is in the bundles', () => {
    expect(shell('weft keys generate >../secrets.yaml && weft compile').status).toBe(0);
    const before = allRecorded();
    rmSync(at(KEYS));
    const { status, stderr } = shell('weft keys generate --secrets-dir ../secrets');
    expect(status).toBe(1);
    expect(stderr).toContain('6 gateways have a key in out/');
    expect(stderr).toContain(`restore ${KEYS} from git, or pass --replace`);
    expect(existsSync(at(KEYS))).toBe(false);
    const replaced = shell('weft keys generate --secrets-dir ../secrets --replace');
    expect([replaced.status, replaced.stderr]).toEqual([0, expect.stringContaining('6 keys were in use')]);
    expect(allRecorded().filter((it) => before.includes(it))).toEqual([]);
  });

  it('keeps a link to the keys file', () => {
    mkdirSync(at('shared'));
    writeFileSync(at('shared/keys.yaml'), 'version: 1\nkeys: {}\n');
    symlinkSync('../shared/keys.yaml', at(KEYS));
    expect(shell('weft keys generate >../secrets.yaml').status).toBe(0);
    expect(readFileSync(at('shared/keys.yaml'), 'utf8')).toContain('"rome":');
  });
});
