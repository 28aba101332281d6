import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { publicKeysIn } from '../../support/public-keys-in.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const fleet = () => workspace({ 'repo/topologies/topology.yaml': TOPOLOGY });
const topology = 'repo/topologies';
const keysFile = 'repo/topologies/topology.keys.yaml';
const secretsIn = (text: string) => parseAllDocuments(text).map((it) => it.toJS());
const hasWireGuard = spawnSync('wg', ['--version']).status === 0;

describe('weft keys generate', () => {
  it('prints a Secret a gateway once, and records the public halves', async () => {
    const it = fleet();
    const { code, stdout, stderr } = await it.weft('keys', 'generate', topology);
    expect(code).toBe(0);
    const secrets = secretsIn(stdout);
    expect(secrets.map((secret) => secret.metadata.namespace)).toEqual([
      'liqo-tenant-milan',
      'liqo-tenant-rome',
      'liqo-tenant-europe',
      'liqo-tenant-rome',
      'liqo-tenant-europe',
      'liqo-tenant-milan',
    ]);
    expect(stdout).toContain('# For cluster europe: the gateway towards milan.');
    const keys = publicKeysIn(it.read(keysFile));
    expect(keys['europe']?.['milan']).toBe(secrets[0].data.publicKey);
    expect(keys['rome']?.['milan']).toBe(secrets[5].data.publicKey);
    expect(stderr).toContain(`6 Secrets for 3 clusters on stdout\n`);
    for (const secret of secrets) expect(it.read(keysFile)).not.toContain(secret.data.privateKey);
    const after = await it.weft('validate', topology);
    expect(after.stderr).not.toContain('keys/');
  });

  it('works where assertions are broken by the missing keys alone', async () => {
    const it = fleet();
    const asserted = `${TOPOLOGY}assertions:\n  - { from: rome, to: milan, expect: reachable }\n`;
    it.write('repo/topologies/topology.yaml', asserted);
    expect(await it.weft('validate', topology)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('hint: run "weft keys generate", or correct the assertion\n'),
    });
    expect(await it.weft('keys', 'generate', topology)).toMatchObject({ code: 0 });
    expect((await it.weft('validate', topology)).code).toBe(0);
  });

  it('does not replace a key that the bundles have under the former name of a cluster', async () => {
    const it = fleet();
    await it.weft('keys', 'generate', topology);
    expect((await it.weft('compile', topology, '--out', 'repo/out')).code).toBe(0);
    it.write(keysFile, 'version: 1\nkeys: {}\n');
    it.write(
      'repo/topologies/topology.yaml',
      TOPOLOGY.replace('  rome:   {', '  roma: { renamedFrom: rome,').replace('[rome, milan]', '[roma, milan]'),
    );
    const { code, stdout, stderr } = await it.weft('keys', 'generate', topology, '--out', 'repo/out');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('error: 6 gateways have a key in repo/out/');
    expect(stderr).toContain('"europe" towards "roma"');
  });

  it.each([
    ['each of several topologies has its own', '', ['--all'], 'out/europe'],
    [
      'entry points read them',
      'gitops: { repository: https://github.com/example/network, path: manifests/net, argo: {} }\n',
      ['--out', 'manifests/net'],
      'manifests/net',
    ],
  ])('does not replace a key that the bundles have in the folder where %s', async (_, gitops, options, out) => {
    const path = 'topologies/topology.yaml';
    const it = workspace({ [path]: TOPOLOGY + gitops });
    execFileSync('git', ['init', '-q'], { cwd: it.folder });
    if (gitops === '') it.write('topologies/asia.yaml', TOPOLOGY.replace('name: europe', 'name: asia'));
    await it.weft('keys', 'generate', path);
    expect((await it.weft('compile', ...(gitops === '' ? [] : [path]), ...options)).code).toBe(0);
    rmSync(join(it.folder, 'topologies/topology.keys.yaml'));
    const { code, stdout, stderr } = await it.weft('keys', 'generate', path);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      `error: 6 gateways have a key in ${out}/ that topologies/topology.keys.yaml does not contain`,
    );
    expect(existsSync(join(it.folder, 'topologies/topology.keys.yaml'))).toBe(false);
  });

  it('takes no key of another fleet for its own, although its clusters have the same names', async () => {
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    await it.weft('keys', 'generate');
    expect((await it.weft('compile')).code).toBe(0);
    it.write('topologies/asia.yaml', TOPOLOGY.replace('name: europe', 'name: asia'));
    expect(await it.weft('keys', 'generate', 'topologies/asia.yaml')).toMatchObject({ code: 0 });
  });

  it('writes the keys of a renamed cluster under its new name, and makes none', async () => {
    const it = fleet();
    await it.weft('keys', 'generate', topology);
    const before = publicKeysIn(it.read(keysFile));
    it.write(
      'repo/topologies/topology.yaml',
      TOPOLOGY.replace('  rome:   {', '  roma: { renamedFrom: rome,').replace('[rome, milan]', '[roma, milan]'),
    );
    const { code, stdout, stderr } = await it.weft('keys', 'generate', topology);
    expect([code, stdout, stderr]).toEqual([
      0,
      '',
      `The keys of roma have the new name.\n${keysFile} is written; every key is recorded\nNext: weft compile\n`,
    ]);
    const keys = publicKeysIn(it.read(keysFile));
    expect([keys['rome'], keys['roma'], keys['europe']?.['roma']]).toEqual([
      undefined,
      before['rome'],
      before['europe']?.['rome'],
    ]);
    expect((await it.weft('keys', 'generate', topology)).stderr).toContain('stays as it is; every key is recorded');
  });

  it.skipIf(!hasWireGuard && !process.env['CI'])(
    'makes pairs that WireGuard takes for pairs (skipped without wg)',
    async () => {
      const it = fleet();
      for (const { data } of secretsIn((await it.weft('keys', 'generate', topology)).stdout)) {
        expect(execFileSync('wg', ['pubkey'], { input: data.privateKey, encoding: 'utf8' }).trim()).toBe(
          data.publicKey,
        );
      }
    },
  );

  it('keeps what is recorded, makes what is asked for, and has nothing to do in the end', async () => {
    const it = fleet();
    expect(secretsIn((await it.weft('keys', 'generate', topology, '--cluster', 'rome')).stdout)).toHaveLength(2);
    const { rome } = publicKeysIn(it.read(keysFile));
    expect(secretsIn((await it.weft('keys', 'generate', topology)).stdout)).toHaveLength(4);
    expect(publicKeysIn(it.read(keysFile)).rome).toEqual(rome);
    const done = it.read(keysFile);
    expect(await it.weft('keys', 'generate', topology)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(`^${keysFile} stays as it is; every key is recorded\nSecrets are written once, `),
    });
    expect((await it.weft('keys', 'generate', topology, '--replace')).stderr).toContain('remove its entry there first');
    expect(it.read(keysFile)).toBe(done);
    expect(await it.weft('keys', 'generate', topology, '--cluster', 'rmoe')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "rome"?'),
    });
  });

  it('reports missing keys with --check, and writes nothing', async () => {
    const it = fleet();
    const check = ['keys', 'generate', topology, '--check'];
    expect(await it.weftWith({ stdoutIsTTY: true }, ...check)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${keysFile} would change; 6 keys of 3 clusters missing\n`,
    });
    expect(existsSync(join(it.folder, keysFile))).toBe(false);
    expect(await it.weft('keys', 'generate', topology, '--cluster', 'rome', '-q')).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect(await it.weft(...check, '--cluster', 'rome')).toEqual({
      code: 0,
      stdout: '',
      stderr: `${keysFile} stays as it is; every key of rome is recorded\n`,
    });
    expect((await it.weft(...check)).stderr).toContain('4 keys of 2 clusters missing');
    it.write(
      'repo/topologies/topology.yaml',
      TOPOLOGY.replace('  rome:   {', '  roma: { renamedFrom: rome,').replace('[rome, milan]', '[roma, milan]'),
    );
    const before = it.read(keysFile);
    expect(await it.weft(...check, '--cluster', 'roma')).toMatchObject({
      code: 1,
      stderr: `The keys of roma would get the new name.\n${keysFile} would change; every key of roma is recorded\n`,
    });
    expect(it.read(keysFile)).toBe(before);
  });

  it('refuses a terminal unless told to show them', async () => {
    const it = fleet();
    const refused = await it.weftWith({ stdoutIsTTY: true }, 'keys', 'generate', topology);
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('stdout is a terminal') });
    expect(existsSync(join(it.folder, keysFile))).toBe(false);
    expect((await it.weftWith({ stdoutIsTTY: true }, 'keys', 'generate', topology, '--show')).stdout).toContain(
      'kind: Secret',
    );
  });

  it('records no public key whose private half was not written', async () => {
    const it = fleet();
    const answer = await it.weftWith({ stdoutIsClosed: true }, 'keys', 'generate', topology);
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('no key was recorded') });
    expect(existsSync(join(it.folder, keysFile))).toBe(false);
  });

  it('writes a file a cluster for its owner alone', async () => {
    const it = fleet();
    const answer = await it.weft('keys', 'generate', topology, '--secrets-dir', 'secrets/new');
    expect(answer).toMatchObject({ code: 0, stdout: '' });
    expect(readdirSync(join(it.folder, 'secrets/new'))).toEqual(['europe.yaml', 'milan.yaml', 'rome.yaml']);
    expect(statSync(join(it.folder, 'secrets/new/rome.yaml')).mode & 0o777).toBe(0o600);
    expect(statSync(join(it.folder, 'secrets/new')).mode & 0o777).toBe(0o700);
    const [secret] = secretsIn(it.read('secrets/new/rome.yaml'));
    expect(publicKeysIn(it.read(keysFile))['rome']?.['europe']).toBe(secret.data.publicKey);
  });

  it('overwrites no Secret, and leaves nothing behind then', async () => {
    const it = fleet();
    it.write('secrets/milan.yaml', 'precious\n');
    const answer = await it.weft('keys', 'generate', topology, '--secrets-dir', 'secrets');
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('secrets/milan.yaml already exists') });
    expect(readdirSync(join(it.folder, 'secrets'))).toEqual(['milan.yaml']);
    expect(it.read('secrets/milan.yaml')).toBe('precious\n');
    expect(existsSync(join(it.folder, keysFile))).toBe(false);
  });

  it.each(['repo/secrets', 'repo', 'link/secrets', 'repo/topologies/../deep/er'])(
    'refuses %s, which is in the repository',
    async (folder) => {
      const it = fleet();
      mkdirSync(join(it.folder, 'repo/.git'));
      symlinkSync(join(it.folder, 'repo'), join(it.folder, 'link'));
      const answer = await it.weft('keys', 'generate', topology, '--secrets-dir', folder);
      expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('is in the git repository') });
      expect(readdirSync(join(it.folder, 'repo')).sort()).toEqual(['.git', 'topologies']);
      expect((await it.weft('keys', 'generate', topology, '--secrets-dir', 'repository')).code).toBe(0);
    },
  );

  it('refuses the folder of the fleet before it is a repository, and takes one beside it', async () => {
    const it = fleet();
    for (const folder of ['repo', 'repo/secrets', 'repo/topologies']) {
      const answer = await it.weft('keys', 'generate', topology, '--secrets-dir', folder);
      expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('is in the folder of the fleet') });
    }
    expect(readdirSync(join(it.folder, 'repo'))).toEqual(['topologies']);
    expect((await it.weft('keys', 'generate', topology, '--secrets-dir', 'repo-secrets')).code).toBe(0);
  });

  it('makes the keys that an assertion of the topology needs', async () => {
    const it = workspace({
      'topologies/topology.yaml': `${TOPOLOGY}assertions:\n  - { from: rome, to: milan, expect: reachable }\n`,
    });
    expect((await it.weft('validate')).code).toBe(1);
    expect((await it.weft('keys', 'generate')).code).toBe(0);
    expect((await it.weft('validate')).code).toBe(0);
  });

  it('makes no keys for a topology with errors', async () => {
    const it = workspace({ 'topologies/topology.yaml': 'version: 1\n' });
    expect(await it.weft('keys', 'generate')).toMatchObject({ code: 1, stdout: '' });
  });
});
