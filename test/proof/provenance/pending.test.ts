import { describe, expect, it } from 'vitest';
import { FLEET, pullRequest, type Repository } from './pull-request.ts';

const TOPOLOGY = 'topologies/topology.yaml';

/** An edit of the topology that other pull requests have left without its manifests on `main`. */
async function pending(): Promise<Repository> {
  const it = await pullRequest();
  it.git('checkout', '--quiet', 'main');
  it.edit(TOPOLOGY, '10.200.0.0/16', '10.201.0.0/16');
  it.commit('an edit without its manifests');
  it.git('checkout', '--quiet', '-B', 'edit');
  return it;
}

const summaryOf = async (it: Repository, options: Readonly<Record<string, unknown>> = {}) => {
  const { code, summary } = await it.check({ options: { verbose: true, ...options } });
  return { code, lines: summary.split('\n').filter((line) => line.includes('provenance/')) };
};

describe('manifests of the base that are pending', () => {
  it('are counted in the check and the comment of a pull request that does not contain them', async () => {
    const it = await pending();
    it.edit(TOPOLOGY, 'shortcuts:', '  paris:  { podCIDR: 10.210.0.0/16 }\nshortcuts:');
    it.commit();
    const { code, lines } = await summaryOf(it);
    expect(code).toBe(0);
    expect(lines).toEqual([expect.stringMatching(/^\| note .*\d+ files below out\/ are pending.*\("europe", "milan"/)]);
    const { comment = '' } = await it.comment();
    expect(comment).toMatch(/> \[!NOTE\]/);
    expect(comment).toMatch(/files below out\/ are pending: .*; this pull request contains none of them/);
  });

  it('are those of this pull request when it contains them', async () => {
    const it = await pending();
    await it.compile();
    it.commit();
    const { code, lines } = await summaryOf(it);
    expect(code).toBe(0);
    expect(lines).toEqual([expect.stringMatching(/are pending.*; this pull request contains all of them/)]);
    expect(lines[0]).toContain('provenance/pending');
  });

  it('are counted when it contains those of one cluster', async () => {
    const it = await pending();
    await it.compile('--cluster', 'milan');
    it.commit();
    const { code, lines } = await summaryOf(it);
    expect(code).toBe(0);
    expect(lines).toEqual([expect.stringMatching(/(\d+) files .* pending.*; this pull request contains \d+ of them/)]);
  });

  it('are none where the bundles are in no commit of this repository, or the base does not compile', async () => {
    const elsewhere = await pending();
    elsewhere.git('rm', '-r', '--quiet', 'out');
    elsewhere.commit('no bundles here');
    elsewhere.git('checkout', '--quiet', '-B', 'main');
    expect((await summaryOf(elsewhere)).lines).toEqual([]);
    const broken = await pullRequest();
    broken.git('checkout', '--quiet', 'main');
    broken.write(TOPOLOGY, 'clusters: [');
    broken.commit('broken');
    broken.git('checkout', '--quiet', '-B', 'edit');
    broken.write(TOPOLOGY, FLEET);
    broken.commit();
    expect((await summaryOf(broken)).lines).toEqual([]);
  });
});

describe('half a compile', () => {
  it('fails the check: a cluster would be applied with some files of each topology', async () => {
    const it = await pullRequest();
    it.edit(TOPOLOGY, /shortcuts:\n.*\n/, '');
    await it.compile();
    it.git('checkout', '--quiet', 'HEAD', '--', 'out/rome/kustomization.yaml');
    it.commit();
    const { code, lines } = await summaryOf(it, { 'allow-destroy': true });
    expect(code).toBe(1);
    expect(lines.filter((line) => line.includes('provenance/half-compiled'))).toEqual([
      expect.stringMatching(/^\| error \| `out\/rome\/kustomization.yaml:1` \| half of a compile: .*"rome"/),
    ]);
    expect((await it.comment({ options: { 'allow-destroy': true } })).comment).toContain('[!CAUTION]');
  });

  it('is found in one more file of a cluster that is not there yet', async () => {
    const it = await pullRequest();
    it.edit(TOPOLOGY, 'shortcuts:', '  paris:  { podCIDR: 10.210.0.0/16 }\nshortcuts:');
    await it.compile();
    it.remove('out/paris/helm-values.yaml');
    it.commit();
    const { code, lines } = await summaryOf(it);
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining('provenance/half-compiled')]);
  });

  it('are none where only the file of the topology has another name, which manifests name', async () => {
    const it = await pullRequest();
    for (const ending of ['yaml', 'lock.yaml', 'keys.yaml'])
      it.git('mv', `topologies/topology.${ending}`, `topologies/fleet.${ending}`);
    it.commit();
    expect(await summaryOf(it)).toEqual({ code: 0, lines: [] });
  });

  it('is no pull request whose base moved on, with files of the same clusters', async () => {
    const it = await pullRequest();
    it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');
    it.commit();
    it.git('checkout', '--quiet', 'main');
    it.edit(TOPOLOGY, '10.200.0.0/16', '10.201.0.0/16');
    await it.compile();
    it.commit();
    it.git('checkout', '--quiet', 'edit');
    const { code, lines } = await summaryOf(it);
    expect({ code, lines }).toEqual({ code: 0, lines: [] });
  });
});
