import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { memoryHost, TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
/** A fleet without warnings but for the keys. */
const FLEET = TOPOLOGY.replace('milan:  { podCIDR: 10.202.0.0/16', 'milan:  { podCIDR: 10.203.0.0/16');

const named = (name: string): string => FLEET.replaceAll('europe', name);

/** A fleet with keys, compiled. */
async function compiled(files: Readonly<Record<string, string>> = { [PATH]: FLEET }) {
  const space = workspace(files);
  for (const it of Object.keys(files)) await space.weft('keys', 'generate', it);
  expect((await space.weft('compile', '--all')).code).toBe(0);
  return space;
}

const answer = (stdout: string, stderr = '') => ({ code: 0, stdout, stderr });

const KEYS =
  'weft keys generate --secrets-dir ~/weft-secrets  # make the missing keys; private keys stay outside of git';
const VALIDATE = 'weft validate  # show every mistake, with its place and a hint';

describe('weft alone', () => {
  it.each([
    ['in an empty folder', {}],
    ['in a folder with other things', { 'README.md': '', 'values.yaml': 'a: 1\n', 'src/topology.yaml': '' }],
  ])('says in three lines how to begin, %s', async (_, files) => {
    expect(await workspace(files).weft()).toEqual(
      answer(`There is no fleet here: neither a file topology.yaml nor a folder topologies/. To begin:
  weft init                   # write a starter topology and a CI workflow into this folder
  weft import --context rome  # or the topology of clusters that run Liqo; "weft --help" lists all commands
`),
    );
  });

  it('shows a fleet that weft init has just begun, which needs keys', async () => {
    const { weft, folder } = workspace();
    await weft('init', 'asia');
    const { host, said } = memoryHost(join(folder, 'asia'));
    expect(await runWeft([], host)).toBe(0);
    expect(said().stdout).toBe(`asia from ${PATH}

  clusters  3
  links     3
  topology  no errors, 1 warning, 4 notes
  keys      missing for 6 of 6 gateways
  lock      not written yet
  out/      not written yet

Next:
  ${KEYS}
`);
  });

  it('says what is missing in a fleet without links', async () => {
    const { weft } = workspace({ [PATH]: FLEET.replace(/^hub: .*\n/m, '').replace(/^shortcuts:\n.*\n/m, '') });
    expect((await weft()).stdout).toContain('\n  links     0: name a `hub`, or add `peerings`\n');
  });

  it('asks for a plan and a compile once there are keys', async () => {
    const { weft } = workspace({ [PATH]: FLEET });
    await weft('keys', 'generate');
    expect((await weft()).stdout).toMatch(/\n {2}keys {6}none missing\n {2}lock {6}not written yet\n/);
    expect((await weft()).stdout).toContain(`
Next:
  weft plan     # show what changes, for whom, and in which order
  weft compile  # write out/ and the lock
`);
  });

  it('shows a fleet with keys that are missing in bundles that are there', async () => {
    const { weft, write } = workspace({ [PATH]: FLEET });
    await weft('compile');
    expect(await weft()).toEqual(
      answer(`europe from ${PATH}

  clusters  3
  links     3
  topology  no errors, 1 warning, 1 note
  keys      missing for 6 of 6 gateways
  lock      up to date
  out/      up to date

Next:
  ${KEYS}
`),
    );
    // An accepted warning is not repeated as the next step.
    write(PATH, `${FLEET}accept:\n  - { code: keys/missing, reason: the clusters make their own }\n`);
    expect((await weft()).stdout).toMatch(/no errors, 1 note\n(.*\n)*Everything is up to date\. Next:\n/);
  });

  it('shows a fleet whose bundles and lock are out of date', async () => {
    const { weft, write, read, folder } = await compiled();
    write(PATH, FLEET.replace('203.0.113.30', '203.0.113.31'));
    rmSync(join(folder, 'out/rome/kustomization.yaml'));
    const lock = read('topologies/topology.lock.yaml').replace(/^ {2}rome\/europe\/port.*\n/m, '');
    write('topologies/topology.lock.yaml', lock);
    const { stdout } = await weft();
    expect(stdout).toMatch(/\n {2}lock {6}out of date\n {2}out\/ {6}out of date: 3 files to write\n/);
    expect(stdout.split('\n').slice(-4)).toEqual([
      'Next:',
      '  weft plan     # show what changes, for whom, and in which order',
      '  weft compile  # write out/ and the lock',
      '',
    ]);
    expect(read('topologies/topology.lock.yaml')).toBe(lock);
    expect((await weft('compile', '--check')).code).toBe(1);
  });

  it('shows a current fleet, and asks for a commit where there is a repository', async () => {
    const { weft, folder } = await compiled();
    const current = (next: string) =>
      answer(`europe from ${PATH}

  clusters  3
  links     3
  topology  no errors, 1 note
  keys      none missing
  lock      up to date
  out/      up to date

Everything is up to date. Next:
${next}`);
    const drift =
      '  weft drift --context europe --context milan --context rome  # compare the running clusters with it\n';
    expect(await weft()).toEqual(current(drift));
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const status =
      '  git status                                                  # what to commit: Argo CD or Flux apply what is in git\n';
    expect(await weft()).toEqual(current(status + drift));
    expect(await weft('-q', '--color', 'never')).toEqual(current(status + drift));
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
    git('add', '--all', '--force');
    expect(await weft()).toEqual(current(status + drift));
    git('commit', '-q', '-m', 'a fleet');
    const { stdout } = await weft();
    expect(stdout.split('\n').slice(-3)).toEqual([
      'Everything is up to date and committed: nothing is left to do. At any time:',
      ...[drift.trimEnd(), ''],
    ]);
    rmSync(join(folder, 'topologies/topology.keys.yaml'));
    expect((await weft()).stdout).not.toContain('nothing is left');
  });

  it('names one context of many clusters, and says that each needs its own', async () => {
    const more = '\nclusters:\n  oslo: { podCIDR: 10.204.0.0/16 }\n  bergen: { podCIDR: 10.205.0.0/16 }\n';
    const { weft } = await compiled({ [PATH]: FLEET.replace('\nclusters:\n', more) });
    expect((await weft()).stdout).toMatch(
      /^ {2}weft drift --context bergen {2}# compare the running clusters with it; each needs its --context$/m,
    );
  });

  it('counts loans, and clusters that borrow without a key', async () => {
    const { weft } = workspace({ [PATH]: `${FLEET}sharing:\n  - { consumer: europe, provider: milan }\n` });
    const { stdout } = await weft();
    expect(stdout).toContain('\n  loans     1\n');
    expect(stdout).toContain('\n  keys      missing for 6 of 6 gateways and 1 cluster that borrows\n');
  });

  it.each([
    ['a mistake', FLEET.replace('10.202.0.0/16', '10.202.0.1/16'), '1 error'],
    ['several', FLEET.replace('10.202.0.0/16', '10.202.0.1/16').replace('[rome, milan]', '[rome, paris]'), '2 errors'],
    ['text that is no YAML', `${FLEET} : [\n`, '1 error'],
    ['no text', '', '1 error'],
  ])('shows a topology with %s, and exits with 0: the state is known', async (_, text, count) => {
    expect(await workspace({ [PATH]: text }).weft()).toEqual(
      answer(`${PATH}

  topology  ${count}

Next:
  ${VALIDATE}
`),
    );
  });

  it('shows why weft compile would write nothing, with its hint', async () => {
    const { weft, folder } = await compiled();
    rmSync(join(folder, 'topologies/topology.keys.yaml'));
    const { code, stdout } = await weft();
    expect(code).toBe(0);
    expect(stdout).toContain('\n  out/      cannot be written: 6 gateways had a key and would have none: ');
    expect(stdout).toContain('\nNext, for weft compile: restore topologies/topology.keys.yaml from git');
  });
});

describe('weft alone with several topologies', () => {
  const TWO = { 'topologies/asia.yaml': named('asia'), 'topologies/europe.yaml': FLEET };
  const LIST = '2 topologies; commands need the name of one:';
  const [asia, europe] = ['topologies/asia.yaml    asia  ', 'topologies/europe.yaml  europe'];

  it('has a line for each, and the next command for the first that needs one', async () => {
    const { weft, write } = await compiled(TWO);
    const facts = '3 clusters, 3 links, 1 note, up to date';
    expect((await weft()).stdout).toBe(`${LIST}

  ${asia}  ${facts}
  ${europe}  ${facts}

Everything is up to date. Next:
  weft --help  # list all commands
`);
    write('topologies/europe.yaml', FLEET.replace('203.0.113.30', '203.0.113.31'));
    expect((await weft()).stdout).toBe(`${LIST}

  ${asia}  ${facts}
  ${europe}  3 clusters, 3 links, 1 note, out of date

Next:
  weft plan topologies/europe.yaml --out out/europe  # show what changes, for whom, and in which order
  weft compile --all                                 # write out/europe/ and the lock
`);
    write('topologies/europe.yaml', 'nothing');
    expect((await weft()).stdout).toBe(`${LIST}

  topologies/asia.yaml    asia  ${facts}
  topologies/europe.yaml        1 error

Next:
  weft validate topologies/europe.yaml  # show every mistake, with its place and a hint
`);
  });

  it('names commands that work', async () => {
    const { weft, folder } = workspace(TWO);
    const next = async () => {
      const [, command = ''] = /\nNext:\n {2}weft (.*?) +#/.exec((await weft()).stdout) ?? [];
      return command.replace('~', join(folder, '..', 'secrets'));
    };
    const keys = await next();
    expect(keys).toMatch(/^keys generate topologies\/asia\.yaml --secrets-dir .*\/weft-secrets\/asia$/);
    for (const it of ['asia', 'europe']) await weft('keys', 'generate', `topologies/${it}.yaml`);
    const plan = await next();
    expect(plan).toBe('plan topologies/asia.yaml --out out/asia');
    expect((await weft(...plan.split(' '))).code).toBe(0);
    expect((await weft('compile', '--all')).code).toBe(0);
    expect((await weft()).stdout).toContain('Everything is up to date.');
  });

  it('shows the one that commands take, and names the others', async () => {
    for (const own of ['topology.yaml', PATH]) {
      const { weft } = workspace({ [own]: FLEET, 'topologies/asia.yaml': named('asia') });
      expect(await weft()).toEqual(
        answer(`europe from ${own}

  clusters  3
  links     3
  topology  no errors, 1 warning, 1 note
  keys      missing for 6 of 6 gateways
  lock      not written yet
  out/      not written yet

Commands take ${own} unless they name another one: topologies/asia.yaml. "weft compile --all" compiles all of them.

Next:
  ${KEYS}
`),
      );
    }
  });

  it('has a line for each also then, if each has bundles in a folder of its own', async () => {
    const { weft } = await compiled({ 'topology.yaml': FLEET, 'topologies/asia.yaml': named('asia') });
    expect((await weft()).stdout).toContain(`2 topologies; commands without a name take topology.yaml:

  topology.yaml         europe  3 clusters, 3 links, 1 note, up to date
  topologies/asia.yaml  asia    3 clusters, 3 links, 1 note, up to date
`);
  });
});

describe('weft alone, in other places', () => {
  it('shows the fleet above, with the files as they are reached from there', async () => {
    const { folder } = await compiled();
    mkdirSync(join(folder, 'docs/a'), { recursive: true });
    const { host, said } = memoryHost(join(folder, 'docs/a'));
    expect(await runWeft([], host)).toBe(0);
    expect(said().stderr).toBe('Using the fleet in ../../\n');
    expect(said().stdout).toMatch(
      /^europe from \.\.\/\.\.\/topologies\/topology\.yaml\n(.*\n)* {2}\.\.\/\.\.\/out\/ +up to date\n/,
    );
    // A command finds this topology there without its name.
    expect(said().stdout).not.toContain(`weft drift ../../${PATH}`);
  });

  it.each([
    [
      'a folder of topologies without one',
      { 'topologies/README.md': '' },
      'it contains README.md; and no file topology.yaml',
    ],
    [
      'two topologies of one fleet',
      { 'topologies/a.yaml': FLEET, 'topologies/b.yaml': FLEET },
      'topologies/a.yaml and topologies/b.yaml both describe a fleet "europe"',
    ],
  ])('cannot answer about %s', async (_, files, message) => {
    const { code, stdout, stderr } = await workspace(files).weft();
    expect([code > 0, stdout, stderr]).toEqual([true, '', expect.stringContaining(message)]);
  });

  it.each([
    [['compil'], 'did you mean compile?'],
    [['status'], 'run "weft" alone for the state of the fleet'],
    [['--json'], 'run "weft --help" to list the commands'],
    [['keys'], '  weft keys generate  generate '],
  ])('is not meant by weft %j', async (argv, hint) => {
    const { code, stdout, stderr } = await workspace({ [PATH]: FLEET }).weft(...argv);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(hint)]);
  });
});
