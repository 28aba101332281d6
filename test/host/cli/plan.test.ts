import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { keysOf } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
const WITHOUT_SHORTCUT = TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '');
const WITHOUT_ROME = WITHOUT_SHORTCUT.replace(/ {2}rome:.*\n/, '');

/** A folder with a compiled fleet. */
async function compiledFleet(topology = TOPOLOGY) {
  const keys = keysOf({ path: PATH, text: topology })?.text ?? '';
  const it = workspace({ [PATH]: topology, 'topologies/topology.keys.yaml': keys });
  expect((await it.weft('compile')).code).toBe(0);
  return it;
}

/** The fleet, committed. */
async function committedFleet(topology = TOPOLOGY) {
  const it = await compiledFleet(topology);
  const git = (...args: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', ...args],
      { cwd: it.folder, stdio: 'pipe' },
    );
  git('init', '--quiet');
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'fleet');
  };
  commit();
  return { ...it, git, commit };
}

const snapshot = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && !(it.parentPath ?? it.path).includes('.git'))
    .map((it) => join(it.parentPath ?? it.path, it.name))
    .map((it) => `${it} ${readFileSync(it, 'utf8')}`)
    .sort();

const lastLine = (text: string): string | undefined => text.trimEnd().split('\n').at(-1);

describe('weft plan', () => {
  it('has nothing to do after compile, and writes nothing', async () => {
    const it = await compiledFleet();
    const before = snapshot(it.folder);
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect([plan.code, plan.stdout]).toEqual([0, 'Nothing to do: europe matches its topology.\n']);
    expect(snapshot(it.folder)).toEqual(before);
  });

  it('shows with --new what a new fleet needs, also when all of it is compiled and committed', async () => {
    const it = workspace({ [PATH]: TOPOLOGY });
    const first = await it.weft('plan');
    const compiled = await it.weft('compile');
    const [, line = ''] = /^What to do now, step by step: weft (.*)$/m.exec(compiled.stdout) ?? [];
    expect((await it.weft('plan')).stdout).toContain('Nothing to do');
    const again = await it.weft(...line.split(' '));
    const stepsOf = (text: string) => text.slice(text.indexOf('What to do'));
    expect(stepsOf(again.stdout)).toBe(stepsOf(first.stdout));
    expect(first.stdout).toContain('install Liqo');
    expect((await it.weft('compile')).stdout).not.toContain('--new');
    for (const other of ['--base', '--base-dir', '--live']) {
      const { code, stderr } = await it.weft('plan', '--new', other, 'x');
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^error: --\S+ and --\S+ exclude each other/)]);
    }
  });

  it('says what an edit would do, before anything is compiled', async () => {
    const it = await compiledFleet();
    it.write(PATH, WITHOUT_SHORTCUT);
    const before = snapshot(it.folder);
    const plan = await it.weft('plan');
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain('- milan and rome: the shortcut is removed');
    expect(lastLine(plan.stdout)).toBe(
      'Plan: 0 to add, 0 to change, 1 to remove; live flows break between 1 pair of clusters.',
    );
    expect((await it.weft('plan', '--detailed-exitcode')).code).toBe(2);
    expect(snapshot(it.folder)).toEqual(before);
  });

  it('says that everything is new where nothing was compiled', async () => {
    const it = workspace({ [PATH]: TOPOLOGY });
    const plan = await it.weft('plan');
    expect(lastLine(plan.stdout)).toBe('Plan: 6 to add, 0 to change, 0 to remove; no live flow breaks.');
  });

  it('compares with a commit, and knows its topology', async () => {
    const it = await committedFleet(TOPOLOGY.replace('hub:', 'liqo: { version: "1.1.1" }\nhub:'));
    it.write(PATH, TOPOLOGY.replace('hub:', 'liqo: { version: "1.1.2" }\nhub:'));
    await it.weft('compile');
    expect((await it.weft('plan')).stdout).toMatch(/^Nothing to do/);
    const plan = await it.weft('plan', '--base', 'HEAD');
    expect(plan.stdout).toContain('~ rome runs Liqo 1.1.2 instead of 1.1.1');
    it.commit();
    expect((await it.weft('plan', '--base', 'HEAD')).stdout).toMatch(/^Nothing to do/);
    expect((await it.weft('plan', '--base', 'HEAD~1')).stdout).toContain('runs Liqo 1.1.2 instead of 1.1.1');
  });

  it('compares with the topology of a commit that has no out/', async () => {
    const it = workspace({ [PATH]: TOPOLOGY, '.gitignore': 'out/\n' });
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: it.folder, stdio: 'pipe' });
    git('init', '--quiet');
    git('add', '--all');
    git(
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      '-c',
      'commit.gpgsign=false',
      'commit',
      '--quiet',
      '-m',
      'a',
    );
    it.write(PATH, WITHOUT_SHORTCUT);
    expect(lastLine((await it.weft('plan', '--base', 'HEAD')).stdout)).toContain('1 to remove');
  });

  it('compares with a folder that has the same paths', async () => {
    const it = await compiledFleet();
    for (const path of readdirSync(it.folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )) {
      const name = join(path.parentPath ?? path.path, path.name).slice(it.folder.length + 1);
      it.write(`../base-of-${it.folder.split('/').at(-1)}/${name}`, it.read(name));
    }
    it.write(PATH, WITHOUT_SHORTCUT);
    const folder = `../base-of-${it.folder.split('/').at(-1)}`;
    const plan = await it.weft('plan', '--base-dir', folder);
    expect(lastLine(plan.stdout)).toContain('1 to remove');
    execFileSync('rm', ['-r', join(it.folder, folder)]);
  });

  it('does not start from a folder that does not exist, and names it', async () => {
    const { weft } = await compiledFleet();
    const missing = await weft('plan', '--base-dir', 'no/such');
    expect([missing.code, missing.stdout]).toEqual([2, '']);
    expect(missing.stderr).toContain('error: there is no folder no/such, from which the plan would start');
  });

  it('leaves files alone that are not its own', async () => {
    const it = await compiledFleet();
    it.write('out/rome/mine.yaml', 'kind: Mine\n');
    expect((await it.weft('plan', '--detailed-exitcode')).code).toBe(0);
    it.write('out/rome/helm-values.yaml', 'ipam: {}\n');
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect([plan.code, plan.stdout.includes('mine.yaml')]).toEqual([2, false]);
  });

  it('reports a lock that alone is out of date', async () => {
    const it = await compiledFleet();
    it.write(
      'topologies/topology.lock.yaml',
      it.read('topologies/topology.lock.yaml').replace(/^ {2}rome\/europe\/port.*\n/m, ''),
    );
    const plan = await it.weft('plan');
    expect(plan.stdout).toContain('only the lock: 1 line added, 0 lines removed');
  });

  it('says what --relock would move', async () => {
    const it = await compiledFleet(TOPOLOGY.replace('externalCIDR: auto, ', ''));
    const first = TOPOLOGY.replace('externalCIDR: auto, ', '').replace(
      '10.202.0.0/16, gateway',
      '10.203.0.0/16, gateway',
    );
    it.write(PATH, first);
    await it.weft('compile');
    expect((await it.weft('plan')).stdout).toContain('Views that the lock keeps and a rebuild would move');
    expect((await it.weft('plan', '--relock', 'europe')).stdout).toContain('~ europe sees rome');
  });
});

describe('decisions of the lock that no compile would make', () => {
  const OSLO = TOPOLOGY.replace('shortcuts:', '  oslo:   { podCIDR: 10.202.0.0/16 }\nshortcuts:');
  const LOCK = 'topologies/topology.lock.yaml';
  const EXTERNAL = /( {2}oslo\/external: )(\S+)/;

  /** The fleet with a new cluster that is compiled, and its external CIDR in the lock. */
  async function grownFleet() {
    const it = await committedFleet();
    it.write(PATH, OSLO);
    expect((await it.weft('compile')).code).toBe(0);
    const chosen = EXTERNAL.exec(it.read(LOCK))?.[2] ?? '';
    return { ...it, chosen };
  }

  it('are a change of trust, with what a compile would choose', async () => {
    const it = await grownFleet();
    it.write(LOCK, it.read(LOCK).replace(EXTERNAL, '$110.77.0.0/20'));
    const plan = await it.weft('plan', '--base', 'HEAD', '--detailed-exitcode');
    expect(plan.code).toBe(2);
    expect(plan.stdout).toContain(
      `the lock decides for oslo: external CIDR 10.77.0.0/20, where a compile would choose ${it.chosen}`,
    );
    expect(plan.stdout).toContain(
      'what `weft import` and `weft drift --adopt` recorded is live, and stays; take other lines out',
    );
    const json = JSON.parse((await it.weft('plan', '--base', 'HEAD', '-o', 'json')).stdout);
    expect(json.plan.changes).toContainEqual(
      expect.objectContaining({
        ...{ kind: 'decision-picked', cluster: 'oslo', towards: null, what: 'external CIDR' },
        ...{ from: it.chosen, to: '10.77.0.0/20', disruptive: true },
      }),
    );
    const { stdout } = await it.weft('plan', '--base', 'HEAD', '-o', 'github');
    expect(stdout).toMatch(/plan\/changes-trust.*the lock decides for oslo/);
  });

  it('are not those that a compile has just made', async () => {
    const it = await grownFleet();
    expect((await it.weft('plan', '--base', 'HEAD')).stdout).not.toContain('the lock decides');
  });
});

describe('the guard', () => {
  it('refuses to take away more than a third unasked', async () => {
    const it = await compiledFleet();
    it.write(PATH, WITHOUT_ROME.replace(/ {2}milan:.*\n/, ''));
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect(plan.code).toBe(1);
    expect(plan.stderr).toContain('error plan/removes-too-much: 2 of 3 clusters would be removed: milan, rome');
    expect(plan.stdout).toContain('rome leaves the fleet');
    expect((await it.weft('plan', '--allow-destroy')).code).toBe(0);
    expect((await it.weft('plan', '--allow-destroy', '--detailed-exitcode')).code).toBe(2);
    expect((await it.weft('plan', '--max-removed', '70%')).code).toBe(0);
    const json = JSON.parse((await it.weft('plan', '-o', 'json')).stdout);
    expect([json.ok, json.diagnostics.some((it: { code: string }) => it.code === 'plan/removes-too-much')]).toEqual([
      false,
      true,
    ]);
  });

  it('says that decisions stay when a rename is finished in the change that made it', async () => {
    const it = await committedFleet();
    const renaming = TOPOLOGY.replace('  rome:   {', '  roma: { renamedFrom: rome,').replace(
      '[rome, milan]',
      '[roma, milan]',
    );
    it.write(PATH, renaming);
    expect((await it.weft('compile')).code).toBe(0);
    expect((await it.weft('keys', 'generate')).code).toBe(0);
    it.write(PATH, renaming.replace(' renamedFrom: rome,', ''));
    expect((await it.weft('compile')).code).toBe(0);
    const { stdout } = await it.weft('plan', '--base', 'HEAD');
    expect(stdout).toContain('rome is now called roma (same networks, same peers)');
    expect(stdout).toContain('ports and keys stay');
    expect(stdout).not.toMatch(/renamedFrom|decided again/);
  });

  it('refuses keys that are lost, and keys that another gateway had', async () => {
    const it = await compiledFleet();
    const keysFile = 'topologies/topology.keys.yaml';
    const keys = it.read(keysFile);
    const recorded = parse(keys).keys;
    const [rome, europe] = [recorded.europe.rome, recorded.rome.europe];
    it.write(keysFile, keys.replace(rome, 'x').replace(europe, rome).replace(/\bx\b/, europe));
    const swapped = await it.weft('plan');
    expect([swapped.code, swapped.stderr]).toEqual([
      1,
      expect.stringContaining(
        'error plan/loses-keys: 2 of 6 gateways would have the key that another gateway had: europe towards rome, rome towards europe',
      ),
    ]);
    for (const args of [['compile'], ['compile', '--check']]) {
      const compiled = await it.weft(...args);
      expect([compiled.code, compiled.stderr]).toEqual([
        1,
        expect.stringContaining('2 gateways would have the key that another gateway had: "europe" towards "rome"'),
      ]);
      expect(compiled.stderr).toContain(`exchange them back in ${keysFile}: no gateway has the private half`);
    }
    const milan = recorded.europe.milan;
    it.write(keysFile, keys.replace(rome, 'x').replace(milan, rome).replace(/\bx\b/, milan));
    for (const command of ['plan', 'compile']) {
      const { code, stderr } = await it.weft(command);
      expect([command, code, stderr]).toEqual([
        command,
        1,
        expect.stringContaining('gateways would have the key that another gateway had'),
      ]);
    }
    expect((await it.weft('compile', '--allow-destroy')).code).toBe(0);
    it.write(keysFile, keys);
    expect((await it.weft('compile')).stderr).toContain('pass --allow-destroy if this corrects such a mistake');
    expect((await it.weft('compile', '--allow-destroy')).code).toBe(0);
    it.write(keysFile, 'version: 1\nkeys: {}\n');
    const json = JSON.parse((await it.weft('plan', '-o', 'json')).stdout);
    expect(json.diagnostics.map(({ code }: { code: string }) => code)).toContain('plan/loses-keys');
    expect((await it.weft('verify')).stderr).toContain(`restore ${keysFile} from git`);
    expect((await it.weft('verify', '--verbose')).stderr).toContain(
      '"rome" has a PublicKey of "europe", but the keys file has no key of "europe" towards it\n',
    );
    const lost = await it.weft('plan');
    expect([lost.code, lost.stderr]).toEqual([
      1,
      expect.stringContaining('error plan/loses-keys: 6 of 6 gateways had a key and would have none: europe towards'),
    ]);
    expect((await it.weft('plan', '--allow-destroy')).code).toBe(0);
    for (const args of [['compile'], ['compile', '--check']]) {
      const compiled = await it.weft(...args);
      expect([compiled.code, compiled.stderr]).toEqual([
        1,
        expect.stringContaining('6 gateways had a key and would have none: "europe" towards "milan"'),
      ]);
      expect(compiled.stderr).toContain(`restore ${keysFile} from git, or pass --allow-destroy`);
    }
    expect((await it.weft('compile', '--allow-destroy')).code).toBe(0);
  });

  it.each(['2', '1/0', 'half', '-1', '1e9', ''])('takes no share like %j', async (share) => {
    const it = await compiledFleet();
    const plan = await it.weft('plan', `--max-removed=${share}`);
    expect([plan.code, plan.stderr]).toEqual([2, expect.stringContaining('--max-removed must be a share from 0 to 1')]);
  });
});

describe('the forms of a plan', () => {
  it('is one JSON document, also when the topology has errors', async () => {
    const it = await compiledFleet();
    it.write(PATH, WITHOUT_SHORTCUT);
    const json = JSON.parse((await it.weft('plan', '-o', 'json')).stdout);
    expect(json).toMatchObject({
      schemaVersion: 1,
      ok: true,
      plan: { empty: false, counts: { remove: 1, disruptive: 1 } },
    });
    it.write(PATH, 'version: 1\n');
    const broken = await it.weft('plan', '-o', 'json');
    expect([broken.code, JSON.parse(broken.stdout).plan]).toEqual([1, undefined]);
  });

  it('is Markdown that begins with a picture and the blast radius', async () => {
    const it = await compiledFleet();
    it.write(PATH, WITHOUT_SHORTCUT);
    const { stdout } = await it.weft('plan', '-o', 'markdown');
    const [line, picture, title] = stdout.split('\n\n');
    expect(line).toBe('**Plan: 0 to add, 0 to change, 1 to remove; live flows break between 1 pair of clusters.**');
    expect(picture).toMatch(/^```mermaid\nflowchart RL\n[^`]*\n```$/);
    expect(picture).toContain('removed shortcut<br>breaks live flows');
    expect(picture).not.toContain('europe</b>');
    expect(title).toBe('### Blast radius: 2 clusters');
  });

  it('is annotations and SARIF at the place in the topology', async () => {
    const it = await compiledFleet();
    it.write(PATH, WITHOUT_SHORTCUT);
    expect((await it.weft('plan', '-o', 'github')).stdout).toMatch(
      /^::warning file=topologies\/topology.yaml,.*title=plan\/link-removed::/m,
    );
    const sarif = JSON.parse((await it.weft('plan', '-o', 'sarif')).stdout);
    expect(sarif.runs[0].results.map((it: { ruleId: string }) => it.ruleId)).toContain('plan/link-removed');
  });
});

describe('a plan of an edit that accepts warnings', () => {
  const ENTRY = '{ code: topology/nothing-reserved, cluster: rome, reason: its nodes have no network }';
  const BEFORE = TOPOLOGY.replace(', reserved: [192.168.10.0/24]', '');
  const EARLIER = `${BEFORE}accept:\n  - ${ENTRY}\n`;
  const LATER = `${EARLIER}  - { code: topology/nothing-reserved, reason: all are alike }\n`;

  it('names what the edit accepts, with the reason, and counts what is accepted in all', async () => {
    const it = await committedFleet(EARLIER);
    expect((await it.weft('plan')).stdout).toBe(
      'Nothing to do: europe matches its topology.\n\n1 note accepted in all\n' +
        'This compares with out/; with --base main, it shows what a branch changes.\n',
    );
    expect((await it.weft('plan', '--base', 'HEAD')).stdout).not.toContain('compares with');
    it.write(PATH, LATER);
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect([plan.code, plan.stdout.split('\n\n')[1]]).toEqual([
      0,
      [
        'Accepted by this change',
        '  + topology/nothing-reserved in the whole fleet (3 notes): all are alike',
        '3 notes accepted in all',
        'This compares with out/; with --base main, it shows what a branch changes.\n',
      ].join('\n'),
    ]);
    const { acceptances } = JSON.parse((await it.weft('plan', '-o', 'json')).stdout).plan;
    const added = [{ code: 'topology/nothing-reserved', clusters: [], reason: 'all are alike', count: 3 }];
    expect(acceptances).toEqual({ warnings: 0, notes: 3, added });
    expect((await it.weft('plan', '-o', 'markdown')).stdout).toContain(
      '\n### Accepted by this change\n\n- `+` topology/nothing-reserved in the whole fleet (3 notes): all are alike\n',
    );
  });

  it('compares with the base that is named, and with nothing where there is no commit', async () => {
    const it = await committedFleet(BEFORE);
    it.write(PATH, EARLIER);
    it.commit();
    expect((await it.weft('plan', '--base', 'HEAD')).stdout).not.toContain('Accepted by this change');
    expect((await it.weft('plan', '--base', 'HEAD~1')).stdout).toContain(
      '+ topology/nothing-reserved in rome (1 note): its nodes have no network\n',
    );
    const uncommitted = await compiledFleet(EARLIER);
    expect((await uncommitted.weft('plan')).stdout).not.toContain('Accepted by this change');
  });
});

describe('a plan of an edit of assertions', () => {
  const RULE = '  - { from: rome, to: milan, expect: reachable, via: shortcut }\n';
  const ASSERTING = `${TOPOLOGY}assertions:\n  - { from: rome, to: europe, expect: reachable }\n${RULE}`;

  it('shows what is no longer demanded, and is not empty', async () => {
    const it = await committedFleet(ASSERTING);
    expect((await it.weft('plan', '--detailed-exitcode')).code).toBe(0);
    it.write(PATH, ASSERTING.replace(RULE, ''));
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect([plan.code, plan.stdout.split('\n').slice(0, 2)]).toEqual([
      2,
      ['Trust', '  - no longer demanded: rome must reach milan over a link of the two'],
    ]);
    expect((await it.weft('plan', '--base', 'HEAD', '-o', 'markdown')).stdout).toContain(
      '> [!CAUTION]\n> - assertions: no longer demanded: rome must reach milan over a link of the two\n',
    );
    const { changes, assertions } = JSON.parse((await it.weft('plan', '-o', 'json')).stdout).plan;
    expect([assertions, changes]).toMatchObject([
      'compared',
      [{ kind: 'assertion-changed', action: 'remove', disruptive: true, trust: false, to: null }],
    ]);
    expect((await it.weft('plan', '-o', 'github')).stdout).toContain(
      'title=plan/demands-less::no longer demanded: rome',
    );
  });

  it('says that it cannot know where the base has bundles and no topology that can be read', async () => {
    const it = await committedFleet(ASSERTING);
    it.write(PATH, ASSERTING.replace('version: 1', 'version: 9'));
    it.commit();
    it.write(PATH, TOPOLOGY);
    const plan = await it.weft('plan', '--base', 'HEAD');
    expect(plan.stdout).toContain('assertions that are gone or weaker are not in this plan');
    const document = await it.weft('plan', '--base', 'HEAD', '-o', 'json');
    expect(JSON.parse(document.stdout).plan.assertions).toBe('unreadable');
    expect((await it.weft('plan', '--base', 'HEAD~1')).stdout).toContain('no longer demanded: rome must reach milan');
  });

  it('lists all of them where the base has no fleet yet, and none where nothing is committed', async () => {
    const it = await committedFleet(ASSERTING);
    it.git('rm', '-r', '--quiet', '--cached', '.');
    it.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'nothing');
    const first = await it.weft('plan', '--base', 'HEAD');
    expect(first.stdout).toContain('+ demanded from now on: rome must reach europe\n');
    expect(first.stdout).not.toContain('changes who is trusted');
    const uncommitted = await compiledFleet(ASSERTING);
    expect((await uncommitted.weft('plan')).stdout).toBe('Nothing to do: europe matches its topology.\n');
  });
});

describe('what weft plan refuses', () => {
  it.each<readonly [string, readonly string[], string]>([
    ['an unknown commit', ['--base', 'no-such'], 'git finds no commit no-such'],
    ['a commit that looks like an option', ['--base=--output=x'], 'git finds no commit --output=x'],
    ['two bases', ['--base', 'HEAD', '--base-dir', '.'], '--base and --base-dir exclude each other'],
    ['a folder outside the repository', ['--base', 'HEAD', '--out', '../elsewhere'], 'is outside the repository'],
  ])('is reported: %s', async (_, args, message) => {
    const it = await committedFleet();
    const plan = await it.weft('plan', ...args);
    expect([plan.code, plan.stderr]).toEqual([2, expect.stringContaining(message)]);
    // There 2 means that there is something to do.
    expect((await it.weft('plan', '--detailed-exitcode', ...args)).code).toBe(1);
  });

  it('is reported: no git repository', async () => {
    const it = await compiledFleet();
    const plan = await it.weft('plan', '--base', 'HEAD');
    expect([plan.code, plan.stderr]).toEqual([2, expect.stringContaining('not a git repository')]);
  });

  it.each([
    ['no JSON', '<<<<<<< HEAD\n'],
    ['a view that is null', '{"version":1,"topology":"europe","views":[null],"gateways":[]}'],
    ['no name of the fleet', '{"version":1,"views":[],"gateways":[]}'],
  ])('is reported: %s in addresses.json', async (_, text) => {
    const it = await committedFleet();
    it.write('out/addresses.json', text);
    const plan = await it.weft('plan');
    expect([plan.code, plan.stderr]).toEqual([
      2,
      expect.stringContaining('out/addresses.json is missing or was not written by weft'),
    ]);
    expect((await it.weft('plan', '--base', 'HEAD')).code).toBe(0);
  });

  it('is reported: a topology with errors', async () => {
    const it = await compiledFleet();
    it.write(PATH, TOPOLOGY.replace('[rome, milan]', '[rome, nobody]'));
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect([plan.code, plan.stdout, plan.stderr]).toEqual([1, '', expect.stringContaining('topology/unknown-cluster')]);
  });
});
