import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';

/** A fleet of Liqo 1.2 with keys and bundles in the last commit. */
async function fleet() {
  const it = workspace({ [PATH]: TOPOLOGY.replace('hub: europe', 'liqo: { version: "1.2" }\nhub: europe') });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=weft', '-c', 'user.email=weft@example.com', ...args], {
      cwd: it.folder,
      stdio: 'pipe',
    });
  git('init', '-q');
  await it.weft('keys', 'generate', '--in-repository');
  await it.weft('compile');
  git('add', '-A');
  git('commit', '-qm', 'the fleet');
  return { ...it, git, edit: (from: string, to: string) => it.write(PATH, it.read(PATH).replace(from, to)) };
}

const below = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(folder.length + 1))
    .sort();

describe('weft plan --steps', () => {
  it('writes each state with its files, and a list with what to do between them', async () => {
    const it = await fleet();
    it.edit('milan:  { podCIDR: 10.202.0.0/16', 'milan:  { podCIDR: 10.220.0.0/16');
    const { code, stdout } = await it.weft('plan', '--steps', 'steps');
    expect(code).toBe(0);
    expect(stdout).toContain(
      '2 states, in steps/. Each compiles and verifies by itself; apply one, observe, then the next.\n\n1-add: ',
    );
    const files = ['topology.keys.yaml', 'topology.lock.yaml', 'topology.yaml'];
    expect(below(join(it.folder, 'steps'))).toEqual([
      ...files.map((one) => `0-base/${one}`),
      ...files.map((one) => `1-add/${one}`),
      ...files.map((one) => `2-finish/${one}`),
      'steps.md',
    ]);
    expect(it.read('steps/2-finish/topology.yaml')).toBe(it.read(PATH));
    for (const one of files)
      expect(it.read(`steps/0-base/${one}`)).toBe(it.git('show', `HEAD:topologies/${one}`).toString());
    expect(it.read('steps/steps.md')).toContain('## 1-add: everything new, beside everything old\n\n- ');
    // Each state is a topology, whose own compile changes nothing of it.
    for (const name of ['0-base', '1-add', '2-finish']) {
      const before = it.read(`steps/${name}/topology.lock.yaml`);
      expect(await it.weft('compile', `steps/${name}/topology.yaml`, '--out', `${name}-out`)).toMatchObject({
        code: 0,
      });
      expect(it.read(`steps/${name}/topology.lock.yaml`)).toBe(before);
      expect(await it.weft('verify', `steps/${name}/topology.yaml`, '--out', `${name}-out`)).toMatchObject({ code: 0 });
    }
  });

  it('starts from another commit with --base, and answers in JSON by its schema', async () => {
    const it = await fleet();
    it.edit('liqo: { version: "1.2" }', 'liqo: { version: "1.1" }');
    await it.weft('compile', '--allow-destroy');
    it.git('commit', '-qam', 'an older release');
    it.edit('liqo: { version: "1.1" }', 'liqo: { version: "1.2" }');
    const old = JSON.parse((await it.weft('plan', '--steps', 'a', '-o', 'json')).stdout);
    expect(old.stages.map((one: { name: string }) => one.name)).toEqual(['1-finish']);
    expect(old.stages[0].observe).toContainEqual(expect.objectContaining({ cluster: 'rome', when: 'before' }));
    const same = JSON.parse((await it.weft('plan', '--steps', 'b', '--base', 'HEAD~1', '-o', 'json')).stdout);
    expect(same.stages[0].plan.empty).toBe(true);
  });

  it('writes nothing where something is, or where bundles are', async () => {
    const it = await fleet();
    it.edit('10.202.0.0/16, gateway', '10.220.0.0/16, gateway');
    mkdirSync(join(it.folder, 'mine'));
    for (const [folder, reason] of [
      ['mine', 'mine: it exists; no state is written'],
      ['out/steps', 'only compiled files belong in out/'],
    ] as const) {
      const answer = await it.weft('plan', '--steps', folder);
      expect([answer.code, answer.stderr]).toEqual([2, expect.stringContaining(reason)]);
    }
    expect(readdirSync(join(it.folder, 'mine'))).toEqual([]);
    expect(existsSync(join(it.folder, 'out/steps'))).toBe(false);
  });

  it('needs a commit to start from, and nothing live', async () => {
    const it = workspace({ [PATH]: TOPOLOGY });
    await it.weft('compile');
    expect((await it.weft('plan', '--steps', 'steps')).stderr).toContain('there is no topology to start from');
    expect((await it.weft('plan', '--steps', 'steps', '--live', 'dump.json')).stderr).toContain(
      '--steps and --live exclude each other',
    );
    expect(existsSync(join(it.folder, 'steps'))).toBe(false);
  });

  it('has no private key in any state', async () => {
    const it = await fleet();
    const made = await it.weft('keys', 'rotate', '--link', 'rome/milan');
    const secrets = [...made.stdout.matchAll(/privateKey: "(.*)"/g)].map(([, key]) => key ?? '');
    await it.weft('keys', 'rotate', '--switch');
    await it.weft('plan', '--steps', 'steps');
    const texts = below(join(it.folder, 'steps')).map((path) => readFileSync(join(it.folder, 'steps', path), 'utf8'));
    expect(secrets).toHaveLength(2);
    for (const secret of secrets) expect(texts.join('\n')).not.toContain(secret);
    expect(texts.join('\n')).toContain('next: { key: ');
  });
});
