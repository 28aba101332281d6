import { describe, expect, it } from 'vitest';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { keyOf, pullRequest, type Repository } from './pull-request.ts';

interface Forgery {
  readonly forge: (it: Repository) => void | Promise<void>;
  readonly code: string;
  /** The place of the report. */
  readonly place: string;
  /** Text that only the reported line of it has. */
  readonly at?: string;
  /** The change in words. */
  readonly says: RegExp;
}

const EVIL = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: everybody-is-admin
`;

const ROME = 'out/rome/peers/europe/europe.yaml';

/** The place of the only line with this text. */
function placeOf(it: Repository, path: string, text: string): string {
  const lines = it
    .read(path)
    .split('\n')
    .flatMap((line, i) => (line.includes(text) ? [i + 1] : []));
  expect(lines, text).toHaveLength(1);
  return `${path}:${lines[0]}:`;
}

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'another endpoint': {
    forge: (it) => it.edit(ROME, '203.0.113.10', '198.51.100.66'),
    code: 'provenance/edited',
    place: ROME,
    at: '198.51.100.66',
    says: /gateway of "rome" dials for "europe" is 198\.51\.100\.66/,
  },
  'the key of a stranger': {
    forge: (it) => it.edit(ROME, keyOf(12), keyOf(99)),
    code: 'provenance/edited',
    place: ROME,
    at: keyOf(99),
    says: /public key that "rome" has for "europe" is Y2Nj/,
  },
  'another network of a peer': {
    forge: (it) => it.edit(ROME, '- 10.200.0.0/16', '- 10.99.0.0/16'),
    code: 'provenance/edited',
    place: ROME,
    at: '10.99.0.0/16',
    says: /pod CIDR of "europe" for "rome" is 10\.99\.0\.0\/16/,
  },
  'an object in a file of ours': {
    forge: (it) => it.write(ROME, `${it.read(ROME)}---\n${EVIL}`),
    code: 'provenance/edited',
    place: ROME,
    at: 'kind: ClusterRoleBinding',
    says: /has a ClusterRoleBinding .*, which the topology does not require/,
  },
  'an object that a kustomization lists': {
    forge: (it) => {
      it.write('out/rome/admin.yaml', EVIL);
      it.edit('out/rome/kustomization.yaml', 'resources:\n', 'resources:\n  - admin.yaml\n');
    },
    code: 'provenance/added',
    place: 'out/rome/admin.yaml:1',
    says: /contains ClusterRoleBinding "everybody-is-admin", and out\/rome\/kustomization\.yaml lists it for "rome"/,
  },
  'a kustomization that fetches': {
    forge: (it) =>
      it.edit('out/rome/kustomization.yaml', 'resources:\n', 'resources:\n  - https://evil.example.com/x\n'),
    code: 'provenance/edited',
    place: 'out/rome/kustomization.yaml',
    says: /"https:\/\/evil\.example\.com\/x" is listed/,
  },
  'a kustomization that patches': {
    forge: (it) =>
      it.write('out/rome/kustomization.yaml', `${it.read('out/rome/kustomization.yaml')}images:\n  - name: a\n`),
    code: 'provenance/edited',
    place: 'out/rome/kustomization.yaml',
    says: /has only `resources`, but this one has `images`/,
  },
  'an object that nothing lists': {
    forge: (it) => it.write('out/rome/admin.yaml', EVIL),
    code: 'provenance/added',
    place: 'out/rome/admin.yaml:1',
    says: /added by hand: it contains ClusterRoleBinding "everybody-is-admin"/,
  },
  'parameters for Argo CD': {
    forge: (it) => it.write('out/rome/.argocd-source.yaml', 'kustomize:\n  namespace: evil\n'),
    code: 'provenance/added',
    place: 'out/rome/.argocd-source.yaml:1',
    says: /added by hand: weft writes no such file/,
  },
  'files that Flux shall not see': {
    forge: (it) => it.write('out/.sourceignore', 'rome/\n'),
    code: 'provenance/added',
    place: 'out/.sourceignore:1',
    says: /weft writes no such file/,
  },
  'a second kustomization': {
    forge: (it) => it.write('out/rome/Kustomization', 'resources: [https://evil.example.com/x]\n'),
    code: 'provenance/added',
    place: 'out/rome/Kustomization:1',
    says: /weft writes no such file/,
  },
  'attributes of git': {
    forge: (it) => it.write('out/.gitattributes', '* -diff\n'),
    code: 'provenance/added',
    place: 'out/.gitattributes:1',
    says: /weft writes no such file/,
  },
  'a folder of no cluster': {
    forge: (it) =>
      it.write(
        'out/mars/kustomization.yaml',
        'kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\nresources: [https://evil.example.com]\n',
      ),
    code: 'provenance/added',
    place: 'out/mars/kustomization.yaml:1',
    says: /added by hand: it contains a Kustomization without a name/,
  },
  'a folder of another fleet': {
    forge: (it) => it.write('out/asia/tokyo/admin.yaml', EVIL),
    code: 'provenance/added',
    place: 'out/asia/tokyo/admin.yaml:1',
    says: /contains ClusterRoleBinding/,
  },
  'a name that no text has': {
    forge: (it) => it.write('out/rome/a\nb"\u202e.yaml', EVIL),
    code: 'provenance/added',
    place: 'out/rome/a',
    says: /contains ClusterRoleBinding/,
  },
  'a file that is gone': {
    forge: (it) => it.remove(ROME),
    code: 'provenance/removed',
    place: `${ROME}:1`,
    says: /contained Namespace "liqo-tenant-europe", PublicKey "europe", Configuration "europe" and 1 more/,
  },
  'bundles that are gone': {
    forge: (it) => it.remove('out'),
    code: 'provenance/removed',
    place: 'out/',
    says: /more files below out\/ were changed by hand/,
  },
  'a link to the same text': {
    forge: (it) => {
      it.write('elsewhere.yaml', it.read(ROME));
      it.link(ROME, '../../../../elsewhere.yaml');
    },
    code: 'provenance/not-a-plain-file',
    place: `${ROME}:1`,
    says: /symbolic link to "\.\.\/\.\.\/\.\.\/\.\.\/elsewhere\.yaml"/,
  },
  'bundles that are a link': {
    forge: (it) => {
      it.git('mv', 'out', 'elsewhere');
      it.link('out', 'elsewhere');
    },
    code: 'provenance/not-a-plain-file',
    place: 'out:1',
    says: /symbolic link to "elsewhere"/,
  },
  'a file that can be run': {
    forge: (it) => it.chmod(ROME, 0o755),
    code: 'provenance/not-a-plain-file',
    place: `${ROME}:1`,
    says: /an executable file/,
  },
  'a submodule': {
    forge: (it) => {
      it.remove('out/rome/expected');
      it.git('add', '--all');
      const head = it.git('rev-parse', 'HEAD');
      it.git('update-index', '--add', '--cacheinfo', `160000,${head},out/rome/expected`);
      it.git('commit', '--quiet', '-m', 'a submodule');
    },
    code: 'provenance/not-a-plain-file',
    place: 'out/rome/expected:1',
    says: /a submodule/,
  },
  'a record alone': {
    forge: (it) => it.edit('out/.weft/rome.sha256', /^[0-9a-f]{64}/m, '0'.repeat(64)),
    code: 'provenance/edited',
    place: 'out/.weft/rome.sha256:2',
    says: /edited by hand/,
  },
  'no record': {
    forge: (it) => it.remove('out/.weft/rome.sha256'),
    code: 'provenance/removed',
    place: 'out/.weft/rome.sha256:1',
    says: /removed by hand/,
  },
  'a record of another cluster': {
    forge: (it) => it.write('out/.weft/mars.sha256', `${'0'.repeat(64)}  mars/kustomization.yaml\n`),
    code: 'provenance/added',
    place: 'out/.weft/mars.sha256:1',
    says: /weft writes no such file/,
  },
  'a journal': {
    forge: (it) => it.write('out/.weft/journal.json', '{"version":1,"files":{}}\n'),
    code: 'provenance/added',
    place: 'out/.weft/journal.json:1',
    says: /weft writes no such file/,
  },
  'another repository for Argo CD': {
    forge: (it) =>
      it.edit(
        'out/_argocd/applicationset.yaml',
        /https:\/\/git\.example\.com\/fleet\.git/g,
        'https://evil.example.com/fleet.git',
      ),
    code: 'provenance/edited',
    place: 'out/_argocd/applicationset.yaml',
    says: /evil\.example\.com|ApplicationSet/,
  },
  'another revision for Argo CD': {
    forge: (it) => it.edit('out/_argocd/applicationset.yaml', /targetRevision: .*/, 'targetRevision: evil'),
    code: 'provenance/edited',
    place: 'out/_argocd/applicationset.yaml',
    says: /"targetRevision": "evil"/,
  },
  'another repository for Flux': {
    forge: (it) => it.edit('out/_flux/source/gitrepository.yaml', 'git.example.com', 'evil.example.com'),
    code: 'provenance/edited',
    place: 'out/_flux/source/gitrepository.yaml',
    says: /`spec\.url` of the GitRepository is "https:\/\/evil\.example\.com/,
  },
  'rules of a gateway': {
    forge: (it) => it.edit('out/rome/nftables/europe.nft', /10\.200\.0\.0\/16/, '10.99.0.0/16'),
    code: 'provenance/edited',
    place: 'out/rome/nftables/europe.nft',
    says: /edited by hand/,
  },
  'an address for programs': {
    forge: (it) => it.edit('out/addresses.json', '203.0.113.10', '198.51.100.66'),
    code: 'provenance/edited',
    place: 'out/addresses.json',
    says: /198\.51\.100\.66, but the manifests contain 203\.0\.113\.10/,
  },
  'values for Helm': {
    forge: (it) => it.edit('out/rome/helm-values.yaml', '10.202.0.0/16', '10.99.0.0/16'),
    code: 'provenance/edited',
    place: 'out/rome/helm-values.yaml',
    says: /ipam\.podCIDR of "rome" is 10\.99\.0\.0\/16/,
  },
  'a comment': {
    forge: (it) => it.write('out/rome/helm-values.yaml', `${it.read('out/rome/helm-values.yaml')}# trust me\n`),
    code: 'provenance/edited',
    place: 'out/rome/helm-values.yaml',
    says: /neither the topology compiles to this line nor does the base have it/,
  },
  'bytes that are no text': {
    forge: (it) => it.write(ROME, Buffer.from([0xff, 0xfe, 0x00])),
    code: 'provenance/edited',
    place: `${ROME}:1`,
    says: /it is not text/,
  },
};

/** These are commits of their own making, or have no files to list. */
const COMMITTED = ['a submodule'];
const WITHOUT_RECORD = ['bundles that are gone', 'bundles that are a link'];

describe('a pull request that smuggles in', () => {
  it.each(
    drawn(
      Object.entries(FORGERIES),
      firstOfEach(([, { code }]) => String(code)),
    ),
  )('%s', async (name, { forge, code, place, at, says }) => {
    const repository = await pullRequest();
    await forge(repository);
    if (!WITHOUT_RECORD.includes(name) && !place.includes('.weft')) repository.forgeRecord();
    if (!COMMITTED.includes(name)) repository.commit();
    const check = await repository.check();
    expect(check.code).toBe(1);
    expect(check.stderr).toContain(at === undefined ? place : placeOf(repository, place, at));
    expect(check.stderr).toContain(code);
    expect(check.stderr).toMatch(says);
    expect(check.stdout).toBe('');
    expect(check.summary).toMatch(/^## weft: .*\n\n### \d+ errors?(, \d+ warnings?)?(, \d+ notes?)?\n/);
    const comment = await repository.comment();
    expect(comment.code).toBe(1);
    expect(comment.comment).toMatch(/^<!--.*-->\n> \[!CAUTION\]\n> \*\*Do not merge/);
  });

  it('an edit that the record does not know', async () => {
    const repository = await pullRequest();
    repository.edit(ROME, '203.0.113.10', '198.51.100.66');
    repository.commit();
    const place = placeOf(repository, ROME, '198.51.100.66');
    expect(await repository.check()).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
  });

  it('an edit that is not committed yet', async () => {
    const repository = await pullRequest();
    repository.edit(ROME, '203.0.113.10', '198.51.100.66');
    repository.forgeRecord();
    const place = placeOf(repository, ROME, '198.51.100.66');
    expect(await repository.check()).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
  });

  it('a commit whose files git shows differently', async () => {
    const repository = await pullRequest();
    const text = repository.read(ROME);
    repository.edit(ROME, '203.0.113.10', '198.51.100.66');
    repository.write('.gitattributes', 'out/** filter=restore -diff linguist-generated\n');
    repository.commit();
    const place = placeOf(repository, ROME, '198.51.100.66');
    repository.write(ROME, text);
    expect(await repository.check()).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
  });

  it('a file that git ignores', async () => {
    const repository = await pullRequest();
    repository.write('.gitignore', 'out/rome/admin.yaml\n');
    repository.write('out/rome/admin.yaml', EVIL);
    expect((await repository.check()).code).toBe(0);
    repository.commit();
    expect(await repository.check()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('out/rome/admin.yaml:1'),
    });
  });

  it('an older state of a file', async () => {
    const repository = await pullRequest();
    const older = repository.read(ROME);
    repository.git('checkout', '--quiet', 'main');
    repository.edit('topologies/topology.yaml', '203.0.113.10', '203.0.113.11');
    await repository.compile();
    repository.commit('another address');
    repository.git('checkout', '--quiet', '-B', 'edit');
    repository.write(ROME, older);
    repository.forgeRecord();
    repository.commit();
    const check = await repository.check();
    const place = placeOf(repository, ROME, '203.0.113.10');
    expect(check).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
    expect(check.stderr).toMatch(/dials for "europe" is 203\.0\.113\.10, but the topology requires 203\.0\.113\.11/);
  });

  it('an edit beside an edit of the topology', async () => {
    const repository = await pullRequest();
    repository.edit('topologies/topology.yaml', '203.0.113.30', '203.0.113.31');
    await repository.compile();
    repository.edit(ROME, '203.0.113.10', '198.51.100.66');
    repository.forgeRecord();
    repository.commit();
    const check = await repository.check();
    const place = placeOf(repository, ROME, '198.51.100.66');
    expect(check).toMatchObject({ code: 1, stderr: expect.stringContaining(place) });
    // The plan of the topology is shown as well.
    expect(check.stdout).toContain('203.0.113.31');
    const { comment } = await repository.comment();
    expect(comment?.indexOf('CAUTION')).toBeLessThan(comment?.indexOf('Blast radius') ?? 0);
  });

  it('an edit of a file that is stale otherwise, at the line of the edit', async () => {
    const repository = await pullRequest();
    repository.edit('topologies/topology.yaml', '10.200.0.0/16', '10.201.0.0/16');
    repository.edit(ROME, '203.0.113.10', '198.51.100.66');
    repository.commit();
    expect(await repository.check()).toMatchObject({ code: 1, stderr: expect.stringContaining('provenance/edited') });
  });

  it('many files, and shows the worst first', async () => {
    const repository = await pullRequest();
    for (const path of repository.bundles().keys()) {
      if (/\.(ya?ml|nft)$/.test(path)) repository.write(`out/${path}`, `${repository.read(`out/${path}`)}# noise\n`);
    }
    repository.edit('out/rome/peers/milan/milan.yaml', keyOf(14), keyOf(99));
    repository.forgeRecord();
    repository.commit();
    const check = await repository.check({ env: { GITHUB_ACTIONS: 'true' } });
    const annotations = check.stdout.split('\n').filter((it) => it.startsWith('::error'));
    expect(annotations).toHaveLength(11);
    expect(annotations[0]).toContain('file=out/rome/peers/milan/milan.yaml');
    expect(annotations[10]).toMatch(/\d+ more files below out\/ were changed by hand/);
    const { comment } = await repository.comment();
    expect(comment?.length).toBeLessThan(10_000);
  });
});
