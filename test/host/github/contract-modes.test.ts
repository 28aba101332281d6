import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { BRANCH, fleetOnGitHub, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from './contract.ts';

const KUSTOMIZATION = 'out/rome/kustomization.yaml';

describe('the modes of files', () => {
  it('survive, for a program, a link and a generated file', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.merge(1);
    await it.fake.commit(
      'main',
      { 'run.sh': 'echo\n', latest: 'README.md' },
      { modes: { 'run.sh': '100755', latest: '120000' } },
    );
    const record = it.cloned('main')[KUSTOMIZATION] ?? '';
    await it.fake.commit('main', { [KUSTOMIZATION]: record }, { modes: { [KUSTOMIZATION]: '100755' } });
    await it.edit(TOPOLOGY.replace(/ {2}milan: .*\n/, '').replace(/shortcuts[\s\S]*/, ''));
    expect((await it.weftPr({ options: { 'allow-destroy': true } })).code).toBe(0);
    const modes = it.fake.modesAt(BRANCH);
    expect([modes.get('run.sh'), modes.get('latest'), modes.get(KUSTOMIZATION)]).toEqual([
      '100755',
      '120000',
      '100755',
    ]);
    expect(it.cloned(BRANCH)[KUSTOMIZATION]).not.toBe(record);
    it.finish();
  });

  it('merge with a text that changed on the other branch', async () => {
    const it = await fleetOnGitHub();
    await it.fake.commit('main', { 'run.sh': 'one\n' });
    await it.weftPr();
    await it.fake.merge(1);
    await it.edit(WITHOUT_SHORTCUT);
    await it.weftPr();
    await it.fake.commit(BRANCH, { 'run.sh': 'two\n' });
    const edits = { 'run.sh': 'one\n', [KUSTOMIZATION]: 'edited\n' };
    await it.fake.commit('main', edits, { modes: { 'run.sh': '100755' } });
    expect((await it.weftPr()).stderr).toMatch(/^updated #2(?![\s\S]*changed on both)/);
    expect(it.fake.modesAt(BRANCH).get('run.sh')).toBe('100755');
    expect(it.cloned(BRANCH)['run.sh']).toBe('two\n');
    it.finish();
  });

  it('are not the reason to replace a link where the bundles belong: it is refused', async () => {
    const it = await fleetOnGitHub({
      repositories: [{ owner: 'acme', name: 'fleet', files: { [TOPOLOGY_PATH]: TOPOLOGY, 'there/.gitkeep': '' } }],
    });
    await it.fake.commit('main', { out: 'there' }, { modes: { out: '120000' } });
    expect((await it.weftPr()).code).toContain('"main" has links or submodules where generated files belong: out');
    expect(it.fake.headOf(BRANCH)).toBeNull();
    it.finish();
  });
});
