import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const fleet = (topology = TOPOLOGY) => workspace({ 'topologies/topology.yaml': topology });

/** Every file below a folder with its text. */
const tree = (it: ReturnType<typeof workspace>, folder: string) =>
  Object.fromEntries(
    readdirSync(join(it.folder, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(it.folder, folder, path)).isFile())
      .sort()
      .map((path) => [path, it.read(join(folder, path))]),
  );

describe('weft compile', () => {
  it('writes bundles and lock, says what it decided, and changes nothing the second time', async () => {
    const it = fleet();
    const first = await it.weft('compile');
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/^europe from topologies\/topology\.yaml\n/);
    expect(first.stdout).toContain('2 hub links, 1 shortcut');
    expect(first.stdout).toMatch(/\d+ created in out\/; topologies\/topology\.lock\.yaml written/);
    expect(first.stdout).toContain('For details: weft view ');
    expect(first.stderr).toContain('warning keys/missing');
    const written = tree(it, 'out');
    expect(Object.keys(written)).toContain('rome/kustomization.yaml');
    const second = await it.weft('compile');
    expect(second.stdout).toMatch(/files +\d+ +\d+ unchanged in out\/\n/);
    expect(tree(it, 'out')).toEqual(written);
  });

  it('writes one cluster with the bytes of a full compile, and the whole lock', async () => {
    const [one, all] = [fleet(), fleet()];
    await all.weft('compile');
    expect((await one.weft('compile', '--cluster', 'rome')).code).toBe(0);
    const { '.weft/rome.sha256': record, ...files } = tree(one, 'out');
    const whole = tree(all, 'out');
    expect(Object.keys(files).every((path) => path.startsWith('rome/'))).toBe(true);
    expect(files).toEqual(Object.fromEntries(Object.entries(whole).filter(([path]) => path.startsWith('rome/'))));
    expect(record).toBe(whole['.weft/rome.sha256']);
    expect(one.read('topologies/topology.lock.yaml')).toBe(all.read('topologies/topology.lock.yaml'));
  });

  it('writes nothing when the topology has errors, and exits 1', async () => {
    const it = fleet(TOPOLOGY.replace('10.200.0.0/16', '10.200.0.1/16'));
    const answer = await it.weft('compile');
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toMatch(/^topologies\/topology\.yaml:6:\d+: error topology\/host-bits: /m);
    expect(readdirSync(it.folder)).toEqual(['topologies']);
  });

  it.each([
    ['nothing', ''],
    ['no YAML', '{{{'],
    ['no text', '\u0000\u0001\ufffd'],
  ])('says so when the file holds %s, and exits 1', async (_, text) => {
    const answer = await fleet(text).weft('compile');
    expect(answer.code).toBe(1);
    expect(answer.stderr).toMatch(/topologies\/topology\.yaml:1:1: error source\//);
  });

  it('cannot answer without a file, and knows what was meant', async () => {
    const it = workspace({ 'fleets/asia.yaml': TOPOLOGY });
    expect(await it.weft('compile')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('neither a file topology.yaml nor a folder topologies/'),
    });
    const answer = await it.weft('compile', 'fleets/aisa.yaml');
    expect(answer).toMatchObject({ code: 2, stderr: expect.stringContaining('did you mean fleets/asia.yaml?') });
  });

  it('takes a topology, an output folder and a lock from elsewhere', async () => {
    const it = workspace({ 'a/x.yaml': TOPOLOGY });
    expect((await it.weft('compile', 'a/x.yaml', '--out', 'b/bundles/', '--lock', 'c/locked.yaml')).code).toBe(0);
    expect(existsSync(join(it.folder, 'b/bundles/rome/kustomization.yaml'))).toBe(true);
    expect(it.read('c/locked.yaml')).toContain('decisions:');
    expect(existsSync(join(it.folder, 'a/x.lock.yaml'))).toBe(false);
  });

  it.each([
    ['out/addresses.json', [], 'this path belongs to the bundles'],
    ['out/rome/kustomization.yaml', [], 'this path belongs to the bundles'],
    ['out/milan/kustomization.yaml', ['--cluster', 'rome'], 'this path belongs to the bundles'],
    ['out/.weft/rome.sha256', [], 'is reserved for weft'],
    ['out/.weft/lock', ['--check'], 'is reserved for weft'],
  ])('refuses a lock at %s, where it would be lost, and exits 2', async (lock, more, reason) => {
    const it = fleet();
    const answer = await it.weft('compile', '--lock', lock, ...more);
    expect(answer.stderr).toContain(`${lock}: the lock file cannot be`);
    expect(answer.stderr).toContain(reason);
    expect(answer.code).toBe(2);
    expect(readdirSync(it.folder)).toEqual(['topologies']);
  });

  it.each([['--cluster'], ['--relock']])('refuses %s with a cluster that there is not', async (option) => {
    const it = fleet();
    const answer = await it.weft('compile', option, 'rmoe');
    expect(answer).toMatchObject({ code: 2, stdout: '' });
    expect(answer.stderr).toContain('no cluster "rmoe"\n  hint: did you mean "rome"?');
    expect(existsSync(join(it.folder, 'out'))).toBe(false);
  });
});

describe('weft compile --check', () => {
  it('writes nothing and says what differs', async () => {
    const it = fleet();
    const answer = await it.weft('compile', '--check');
    expect(answer.code).toBe(1);
    expect(answer.stdout).toMatch(/^out\/ is out of date:\n {2}~ topologies\/topology\.lock\.yaml\n {2}\+ out\//);
    expect(readdirSync(it.folder)).toEqual(['topologies']);
    expect(readdirSync(join(it.folder, 'topologies'))).toEqual(['topology.yaml']);
  });

  it('is content after a compile, and not after an edit of either side', async () => {
    const it = fleet();
    await it.weft('compile');
    expect(await it.weft('compile', '--check')).toMatchObject({
      code: 0,
      stdout: 'out/ and topologies/topology.lock.yaml are current.\n',
    });
    const text = it.read('out/rome/kustomization.yaml');
    it.write('out/rome/kustomization.yaml', `${text}# mine\n`);
    expect(await it.weft('compile', '--check')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('  ~ out/rome/kustomization.yaml\n'),
    });
    it.write('out/rome/kustomization.yaml', text);
    it.write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    expect((await it.weft('compile', '--check', '--quiet')).stdout).toContain('  - out/rome/peers/milan/milan.yaml\n');
  });

  it('lists the differences for programs', async () => {
    const it = fleet();
    await it.weft('compile');
    it.write('topologies/topology.yaml', TOPOLOGY.replace('203.0.113.30', '203.0.113.31'));
    const { code, stdout } = await it.weft('compile', '--check', '-o', 'json');
    expect(code).toBe(1);
    const document = JSON.parse(stdout);
    expect(document.ok).toBe(false);
    expect(document.results[0].differences).toContainEqual({
      action: 'change',
      file: 'out/rome/peers/milan/milan.yaml',
    });
  });
});

describe('weft compile --frozen-lock', () => {
  it('fails instead of deciding, and writes nothing', async () => {
    const it = fleet();
    const answer = await it.weft('compile', '--frozen-lock');
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain('the lock topologies/topology.lock.yaml would change: 3 places in the join order');
    expect(readdirSync(it.folder)).toEqual(['topologies']);
  });

  it('compiles when everything is decided', async () => {
    const it = fleet();
    await it.weft('compile');
    expect((await it.weft('compile', '--frozen-lock')).code).toBe(0);
  });
});

describe('what weft compile guards', () => {
  const alone = TOPOLOGY.replace('  rome:   { podCIDR', '  rome:   { hub: [], podCIDR').replace(
    'shortcuts:\n  - [rome, milan]\n',
    '',
  );

  it('a full bundle is not replaced by an empty one unasked', async () => {
    const it = fleet();
    await it.weft('compile');
    const before = tree(it, 'out');
    it.write('topologies/topology.yaml', alone);
    const answer = await it.weft('compile');
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain('"rome" would have no peer left, but out/rome/ contains some; nothing is written');
    expect(answer.stderr).toContain('`retired: true`');
    expect(tree(it, 'out')).toEqual(before);
    expect((await it.weft('compile', '--cluster', 'milan', '--allow-destroy')).code).toBe(0);
    expect((await it.weft('compile', '--allow-empty')).code).toBe(0);
    expect(it.read('out/rome/kustomization.yaml')).toContain('resources: []');
  });

  it('a fleet is not emptied unasked', async () => {
    const it = fleet();
    await it.weft('compile');
    const before = tree(it, 'out');
    it.write('topologies/topology.yaml', 'version: 1\nname: europe\nclusters: {}\n');
    const answer = await it.weft('compile');
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    expect(answer.stderr).toMatch(
      /error: topologies\/topology\.yaml has no clusters, but out\/ contains \d+ files; nothing/,
    );
    expect(tree(it, 'out')).toEqual(before);
    const meant = await it.weft('compile', '--allow-empty');
    expect(meant.stdout).toContain(
      'europe, milan, rome are no longer in the topology, so out/europe/, out/milan/ and out/rome/ were removed.',
    );
  });

  it('a retired cluster may be emptied, and one that is removed is reported', async () => {
    const it = fleet();
    await it.weft('compile');
    const without = TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '');
    it.write('topologies/topology.yaml', without.replace('rome:   { ', 'rome:   { retired: true, '));
    expect((await it.weft('compile', '--allow-destroy')).code).toBe(0);
    it.write('topologies/topology.yaml', without.replace(/ {2}rome: .*\n/, ''));
    const gone = await it.weft('compile');
    expect(gone.stdout).toContain('rome is no longer in the topology, so out/rome/ was removed.');
    expect(existsSync(join(it.folder, 'out/rome'))).toBe(false);
  });

  it('a file that weft did not write is not overwritten', async () => {
    const it = fleet();
    await it.weft('compile', '--cluster', 'europe', '--lock', 'elsewhere.yaml');
    it.write('out/rome/kustomization.yaml', 'mine\n');
    const answer = await it.weft('compile');
    expect(answer.code).toBe(2);
    expect(answer.stderr).toMatch(/^topologies|^error: out\/rome\/kustomization\.yaml: /m);
    expect(answer.stderr).toContain('nothing is written');
    expect(it.read('out/rome/kustomization.yaml')).toBe('mine\n');
    expect(existsSync(join(it.folder, 'topologies/topology.lock.yaml'))).toBe(false);
  });
});

describe('weft compile --all', () => {
  const asia = TOPOLOGY.replace('name: europe', 'name: asia');

  it('gives each of several topologies a folder by the name of its fleet', async () => {
    const it = workspace({ 'topologies/a.yaml': asia, 'topologies/e.yaml': TOPOLOGY });
    const answer = await it.weft('compile', '--all');
    expect(answer.code).toBe(0);
    expect(readdirSync(join(it.folder, 'out')).sort()).toEqual(['asia', 'europe']);
    expect(readdirSync(join(it.folder, 'topologies'))).toEqual(['a.lock.yaml', 'a.yaml', 'e.lock.yaml', 'e.yaml']);
    expect(answer.stdout.match(/ from topologies\//g)).toHaveLength(2);
    const { results } = JSON.parse((await it.weft('compile', '--all', '-o', 'json')).stdout);
    expect(results.map((result: { topology: string }) => result.topology)).toEqual([
      'topologies/a.yaml',
      'topologies/e.yaml',
    ]);
  });

  it('uses out/ itself for a single one', async () => {
    const it = fleet();
    expect((await it.weft('compile', '--all')).code).toBe(0);
    expect(existsSync(join(it.folder, 'out/rome'))).toBe(true);
  });

  it('leaves no bundles behind when a second topology is added, and keeps the layout when it goes', async () => {
    const it = workspace({ 'topologies/e.yaml': TOPOLOGY });
    expect((await it.weft('compile', '--all')).code).toBe(0);
    it.write('topologies/a.yaml', asia);
    const before = readdirSync(join(it.folder, 'out'));
    const { code, stderr } = await it.weft('compile', '--all');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'error: out/ itself contains the bundles of the fleet "europe", and each of several topologies has a folder of its own in it; nothing is written\n' +
          '  hint: move everything in out/ to out/europe/, and compile again\n',
      ),
    ]);
    expect(readdirSync(join(it.folder, 'out'))).toEqual(before);
    renameSync(join(it.folder, 'out'), join(it.folder, 'europe'));
    mkdirSync(join(it.folder, 'out'));
    renameSync(join(it.folder, 'europe'), join(it.folder, 'out/europe'));
    expect((await it.weft('compile', '--all')).code).toBe(0);
    expect(readdirSync(join(it.folder, 'out')).sort()).toEqual(['asia', 'europe']);
    rmSync(join(it.folder, 'topologies/a.yaml'));
    expect((await it.weft('compile', '--all', '--check')).code).toBe(0);
    expect((await it.weft('compile', '--all')).code).toBe(0);
    expect(readdirSync(join(it.folder, 'out')).sort()).toEqual(['asia', 'europe']);
  });

  it('writes none of them when one has errors, or two have one name', async () => {
    const broken = workspace({ 'topologies/a.yaml': 'version: 1\n', 'topologies/e.yaml': TOPOLOGY });
    expect((await broken.weft('compile', '--all')).code).toBe(1);
    const alike = workspace({ 'topologies/a.yaml': TOPOLOGY, 'topologies/e.yaml': TOPOLOGY });
    expect(await alike.weft('compile', '--all')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('topologies/a.yaml and topologies/e.yaml both describe a fleet "europe"'),
    });
    for (const it of [broken, alike]) expect(readdirSync(it.folder)).toEqual(['topologies']);
  });
});

describe('output for programs', () => {
  it('is one JSON document on stdout, whatever comes out', async () => {
    const good = JSON.parse((await fleet().weft('compile', '-o', 'json')).stdout);
    expect(good).toMatchObject({
      schemaVersion: 1,
      ok: true,
      results: [{ topology: 'topologies/topology.yaml', disk: { out: 'out', changed: 0 } }],
    });
    expect(good.results[0].summary.links).toEqual({ hub: 2, peering: 0, shortcut: 1 });
    const bad = JSON.parse((await fleet('version: 1\n').weft('compile', '-o', 'json')).stdout);
    expect([bad.ok, bad.results]).toEqual([false, undefined]);
    expect(bad.diagnostics.length).toBeGreaterThan(0);
  });

  it('is annotations inside GitHub Actions, beside the text, with paths from the root of the checkout', async () => {
    const it = workspace({ 'fleet/topologies/topology.yaml': 'version: 1\n' });
    const here = { env: { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: it.folder } };
    const answer = await it.weftWith(here, 'validate', 'fleet/topologies');
    expect(answer.code).toBe(1);
    expect(answer.stdout).toMatch(/^::error file=fleet\/topologies\/topology\.yaml,line=1/);
    expect(answer.stderr).toContain('fleet/topologies/topology.yaml:1:');
    expect((await it.weftWith(here, 'validate', 'fleet/topologies', '-o', 'text')).stdout).toBe('');
  });

  it('is SARIF when asked for', async () => {
    const { stdout, code } = await fleet('version: 1\n').weft('validate', '-o', 'sarif');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).runs[0].tool.driver).toMatchObject({ name: 'weft', version: '9.9.9' });
  });

  it('is quiet with --quiet, but for what is wrong', async () => {
    expect(await fleet().weft('compile', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await fleet('version: 1\n').weft('compile', '--quiet')).stderr).toContain('error topology/');
  });

  it('has colours on a terminal only', async () => {
    const it = fleet();
    expect((await it.weftWith({ stdoutIsTTY: true, stderrIsTTY: true }, 'compile')).stderr).toContain('\u001b[');
    const { stdout, stderr } = await it.weft('compile');
    expect(stdout + stderr).not.toContain('\u001b');
  });
});

describe('weft validate', () => {
  it('says that all is well, and writes nothing', async () => {
    const it = fleet();
    expect(await it.weft('validate')).toMatchObject({
      code: 0,
      stdout: 'topologies/topology.yaml is valid: 3 clusters, 3 links\n',
    });
    expect(readdirSync(it.folder)).toEqual(['topologies']);
  });

  it('tells of mistakes in all three files in one run', async () => {
    const it = fleet(TOPOLOGY.replace('podCIDR: 10.200', 'podCDIR: 10.200'));
    it.write('topologies/topology.keys.yaml', 'version: 1\nkyes: {}\n');
    it.write('topologies/topology.lock.yaml', 'version: 1\ndecisions: []\n');
    const { code, stderr } = await it.weft('validate');
    expect(code).toBe(1);
    for (const file of ['topology.yaml', 'topology.keys.yaml', 'topology.lock.yaml'])
      expect(stderr).toMatch(new RegExp(`^topologies/${file}:\\d+:\\d+: error `, 'm'));
    expect(stderr).toContain('did you mean "podCIDR"?');
  });
});
