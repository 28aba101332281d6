import { describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { BRANCH, fleetOnGitHub, openPulls, TOPOLOGY_PATH, WITHOUT_SHORTCUT } from './contract.ts';

describe('one pull request with the manifests', () => {
  it('is opened, left alone, updated, merged, opened again and closed', async () => {
    const it = await fleetOnGitHub();
    const first = await it.weftPr();
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('opened #1') });
    expect(first.stderr).toContain('start no workflows');
    expect(openPulls(it)).toMatchObject([{ title: 'Manifests of europe', base: 'main', head: { branch: BRANCH } }]);
    expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
    expect(it.fake.messagesOf(BRANCH)[0]).toMatch(
      /^Compile the manifests of europe\n[\s\S]*\nWeft-Topology-Digest: sha256:[0-9a-f]{64}$/,
    );

    const written = it.fake.count();
    for (let run = 2; run <= 10; run++) expect((await it.weftPr()).stderr).toContain('nothing new for #1');
    expect(it.fake.count()).toBe(written);

    await it.edit(WITHOUT_SHORTCUT);
    expect((await it.weftPr()).stderr).toContain('updated #1');
    expect(it.cloned(BRANCH)).toEqual({ ...(await it.compiled('main')), [TOPOLOGY_PATH]: TOPOLOGY });
    expect(openPulls(it)).toHaveLength(1);

    await it.fake.merge(1);
    expect(it.cloned('main')).toEqual(await it.compiled('main'));
    expect((await it.weftPr()).stderr).toContain('main is up to date with the topology');
    expect(openPulls(it)).toEqual([]);

    await it.edit(TOPOLOGY);
    expect((await it.weftPr()).stderr).toContain('opened #');
    expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
    await it.edit(WITHOUT_SHORTCUT);
    const closing = await it.weftPr();
    expect(closing.stderr).toMatch(/main is up to date with the topology; closed #\d+/);
    expect(openPulls(it)).toEqual([]);
    expect(it.fake.comments.at(-1)?.body).toContain('Nothing is left to merge');
    it.finish();
  });

  it('is made of commits that GitHub signs, with the lock and out/ in one', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    expect(it.fake.count('git/create-commit')).toBe(1);
    expect(it.fake.count('git/update-ref', 'git/create-ref')).toBe(1);
    const paths = Object.keys(it.cloned(BRANCH));
    expect(paths).toContain('topologies/topology.lock.yaml');
    expect(paths).toContain('out/.weft/rome.sha256');
    it.finish();
  });

  it('sends only what changed', async () => {
    const it = await fleetOnGitHub();
    await it.weftPr();
    await it.fake.merge(1);
    await it.edit(TOPOLOGY.replace('gateway: 203.0.113.30', 'gateway: 203.0.113.31'));
    const before = it.fake.count('git/create-tree');
    await it.weftPr();
    expect(it.fake.count('git/create-tree') - before).toBe(1);
    expect(it.cloned(BRANCH)).toEqual(await it.compiled('main'));
    it.finish();
  });

  it('stands on the branch of the pull request that edits the topology', async () => {
    const it = await fleetOnGitHub();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.weftPr({ pull: { number: 40, branch: 'edit' } });
    expect(openPulls(it)).toMatchObject([{ base: 'edit', head: { branch: 'weft/europe-pr-40' } }]);
    await it.fake.merge(1);
    expect(it.cloned('edit')).toEqual(await it.compiled('edit'));
    it.finish();
  });

  it('goes to another repository, without the lock', async () => {
    const it = await fleetOnGitHub({
      repositories: [
        { owner: 'acme', name: 'fleet', files: { [TOPOLOGY_PATH]: TOPOLOGY } },
        { owner: 'acme', name: 'manifests', defaultBranch: 'trunk' },
      ],
    });
    await it.weftPr();
    await it.fake.merge(1);
    expect((await it.weftPr({ repository: 'acme/manifests', as: it.fake.user })).code).toBe(0);
    const there = it.fake.at('acme/manifests');
    const branch = 'weft/europe-from-main';
    expect(there.pulls).toMatchObject([{ base: 'trunk', head: { branch } }]);
    expect([...there.filesAt(branch).keys()].filter((path) => !path.startsWith('out/'))).toEqual(['README.md']);
    expect(there.filesAt(branch).get('out/addresses.json')).toBe(it.cloned('main')['out/addresses.json']);
    it.finish();
  });
});
