import { describe, expect, it } from 'vitest';
import { printBundlePath } from '../../../src/base/core/bundle-path.ts';
import { argoEntryPoints } from '../../../src/bundle/gitops/argo-entry-points.ts';
import type { EntryPoint, EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';
import { fluxEntryPoints } from '../../../src/bundle/gitops/flux-entry-points.ts';
import type { BoundedModel } from '../../../src/fleet/boundaries/bounded-model.ts';
import type { GitOps } from '../../../src/fleet/model/network-model.ts';
import { checkEntryPoint, entryPointSchemasMissing } from '../../support/entry-point-schemas.ts';
import { type ClusterSettings, gitops, mixed, modelOf } from './fixtures.ts';
import { applicationsOf, manifestsOf, resourcesOf, specOf, textOf } from './read-entry-points.ts';

/** Skips only this check, for tests that have other checks, too, and run without the schemas. */
const problemsOf = (it: EntryPointManifest) => (entryPointSchemasMissing ? [] : checkEntryPoint(it));

const plain: ClusterSettings = { name: 'rome', peers: [{ name: 'europe', join: 1, ordered: false }] };
const everything: readonly ClusterSettings[] = [
  mixed,
  plain,
  { name: 'milan', gitops: { name: 'prod-milan' }, peers: [{ name: 'europe', join: 2, ordered: false }] },
  { name: 'oslo', gitops: { server: 'https://oslo.example.com:6443', kubeConfigSecret: 'oslo-kubeconfig' } },
  { name: 'paris', retired: true },
  { name: 'vienna', liqoNamespace: 'liqo-system', gitops: { kubeConfigSecret: 'vienna-kubeconfig' } },
];

const fleets: Readonly<Record<string, BoundedModel>> = {
  'a plain fleet': modelOf([plain]),
  'a fleet with everything': modelOf(everything, { shortcutOperator: true, emitConnections: true }),
  'bundles in the root of the repository': modelOf(everything, { gitops: { ...gitops, path: '.' } }),
  'a fleet with long names': modelOf(
    [{ name: 'c'.repeat(51), peers: [{ name: 'p'.repeat(51), join: 1, ordered: true }] }],
    { name: 'f'.repeat(63) },
  ),
};

const withGitops = (changes: Partial<GitOps>) => ({ gitops: { ...gitops, ...changes } });

function manifestOf(files: readonly EntryPoint[], kind: string): EntryPointManifest {
  const found = manifestsOf(files).find((it) => it.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

describe.each(Object.entries(fleets))('entry points of %s', (_, model) => {
  const files = [...argoEntryPoints(model), ...fluxEntryPoints(model)];

  it.skipIf(entryPointSchemasMissing)('pass the official schemas, unknown fields forbidden', () => {
    for (const it of manifestsOf(files))
      expect([it.kind, it.metadata.name, checkEntryPoint(it)]).toEqual([it.kind, it.metadata.name, []]);
  });

  it('have names that no two objects of a kind share and that fit into a label', () => {
    const names = manifestsOf(files).map((it) => `${it.kind}/${it.metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const it of manifestsOf(files)) expect(it.metadata.name.length).toBeLessThanOrEqual(63);
  });

  it('contain nothing that Flux would substitute, and no tracking label of Argo CD', () => {
    for (const it of files) {
      expect(textOf(it)).not.toContain('${');
      expect(textOf(it)).not.toContain('app.kubernetes.io/instance');
    }
  });

  it('are distinct files below the folders that generators exclude', () => {
    const paths = files.map((it) => printBundlePath(it.path));
    expect(new Set(paths).size).toBe(files.length);
    for (const it of paths) expect(it).toMatch(/^_(argocd|flux)\//);
  });
});

describe('the check for unknown fields', () => {
  it.skipIf(entryPointSchemasMissing)('finds a field that no schema declares, at any depth', () => {
    const set = manifestOf(argoEntryPoints(modelOf([plain])), 'ApplicationSet');
    const template = specOf(set)['template'] as { readonly spec: object };
    const wrong = { ...set, spec: { ...set.spec, template: { ...template, spec: { ...template.spec, sync: {} } } } };
    expect(checkEntryPoint(wrong as EntryPointManifest)).toEqual([
      `ApplicationSet ${set.metadata.name}: unknown field /spec/template/spec/sync`,
    ]);
  });
});

describe('entry points', () => {
  it('are written only for tools that the topology names', () => {
    const nothing = modelOf([plain], { gitops: null });
    expect([...argoEntryPoints(nothing), ...fluxEntryPoints(nothing)]).toEqual([]);
    expect(argoEntryPoints(modelOf([plain], withGitops({ argo: null })))).toEqual([]);
    expect([...fluxEntryPoints(modelOf([plain], withGitops({ flux: null })))]).toEqual([]);
  });

  it('do not depend on the order in which clusters are given', () => {
    const [one, other] = [modelOf(everything), modelOf([...everything].reverse())];
    expect(argoEntryPoints(one)).toEqual(argoEntryPoints(other));
    expect([...fluxEntryPoints(one)]).toEqual([...fluxEntryPoints(other)]);
  });
});

describe('Argo CD', () => {
  const model = modelOf(everything, { shortcutOperator: true, emitConnections: true });
  const folders = ['out/_argocd', 'out/_flux', ...everything.map((it) => `out/${it.name}`)];
  const applications = applicationsOf(manifestOf(argoEntryPoints(model), 'ApplicationSet'), folders);

  it('gets one valid Application for each cluster, and none for the entry points', () => {
    const names = applications.map((it) => it.metadata.name);
    expect([...names].sort()).toEqual(everything.map((it) => `weft-europe.${it.name}`).sort());
    for (const it of applications) expect(problemsOf(it as EntryPointManifest)).toEqual([]);
  });

  it('sends each bundle to its cluster, by name or by server but never by both', () => {
    const destinations = applications.map((it) => [
      (specOf(it)['source'] as { path: string }).path,
      specOf(it)['destination'],
    ]);
    expect(Object.fromEntries(destinations)).toEqual({
      'out/europe': { name: 'europe', server: '', namespace: 'liqo' },
      'out/milan': { name: 'prod-milan', server: '', namespace: 'liqo' },
      'out/oslo': { name: '', server: 'https://oslo.example.com:6443', namespace: 'liqo' },
      'out/paris': { name: 'paris', server: '', namespace: 'liqo' },
      'out/rome': { name: 'rome', server: '', namespace: 'liqo' },
      'out/vienna': { name: 'vienna', server: '', namespace: 'liqo-system' },
    });
  });

  it('gets the same Applications from a list when the bundles are in the root of the repository', () => {
    const rooted = modelOf(everything, withGitops({ path: '' }));
    const set = manifestOf(argoEntryPoints(rooted), 'ApplicationSet');
    const found = applicationsOf(set, ['src', 'docs', ...everything.map((it) => it.name)]);
    expect(found.map((it) => it.metadata.name).sort()).toEqual(applications.map((it) => it.metadata.name).sort());
    expect(found.map((it) => (specOf(it)['source'] as { path: string }).path).sort()).toEqual(
      everything.map((it) => it.name).sort(),
    );
  });

  it('may empty the application of a retired cluster alone', () => {
    const may = applications.filter(
      (it) => (specOf(it)['syncPolicy'] as { automated: { allowEmpty: boolean } }).automated.allowEmpty,
    );
    expect(may.map((it) => it.metadata.name)).toEqual(['weft-europe.paris']);
    for (const it of applications) {
      expect(specOf(it)['syncPolicy']).toMatchObject({ automated: { prune: true, selfHeal: true } });
    }
  });

  it('lets the project reach exactly the destinations of the Applications', () => {
    const project = manifestOf(argoEntryPoints(model), 'AppProject');
    const destinations = specOf(project)['destinations'] as readonly Readonly<Record<string, string>>[];
    for (const it of applications) {
      const to = specOf(it)['destination'] as Readonly<Record<string, string>>;
      for (const namespace of [to['namespace'], 'liqo-tenant-*']) {
        const allowed = destinations.filter(
          (d) =>
            d['namespace'] === namespace && (to['server'] ? d['server'] === to['server'] : d['name'] === to['name']),
        );
        expect(allowed.length).toBe(1);
      }
    }
    expect(destinations.length).toBe(2 * applications.length);
  });

  it('allows the kinds that a bundle may hold, and only those', () => {
    const kindsOf = (it: BoundedModel) =>
      (specOf(manifestOf(argoEntryPoints(it), 'AppProject'))['namespaceResourceWhitelist'] as { kind: string }[]).map(
        ({ kind }) => kind,
      );
    const usual = ['SealedSecret', 'ExternalSecret', 'Configuration', 'GatewayClient', 'GatewayServer', 'PublicKey'];
    const templates = ['WgGatewayClientTemplate', 'WgGatewayServerTemplate'];
    expect(kindsOf(modelOf([plain])).sort()).toEqual([...usual, ...templates].sort());
    expect(kindsOf(model).sort()).toEqual([...usual, ...templates, 'Connection', 'ForeignClusterConnection'].sort());
  });

  it('never overwrites the project that every Argo CD has', () => {
    const files = argoEntryPoints(modelOf([plain], withGitops({ argo: { namespace: 'argocd', project: 'default' } })));
    expect(manifestsOf(files).map((it) => it.kind)).toEqual(['ApplicationSet', 'Application']);
    const [top] = files.filter((it) => printBundlePath(it.path) === '_argocd/kustomization.yaml');
    expect(top && resourcesOf(textOf(top))).toEqual(['applicationset.yaml']);
  });

  it('applies the set and the project from git, prunes neither, and does not apply itself', () => {
    const files = argoEntryPoints(model);
    const application = manifestOf(files, 'Application');
    const [list] = files.filter((it) => printBundlePath(it.path) === '_argocd/kustomization.yaml');
    expect(list && resourcesOf(textOf(list))).toEqual(['applicationset.yaml', 'appproject.yaml']);
    expect(specOf(application)).toMatchObject({
      project: 'default',
      source: { repoURL: gitops.repository, targetRevision: 'main', path: 'out/_argocd' },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'argocd' },
      syncPolicy: { automated: { prune: false, selfHeal: true } },
    });
    // Deleting it deletes the set at most, and the set leaves the objects of its Applications.
    expect(application.metadata).not.toHaveProperty('finalizers');
    expect(specOf(manifestOf(files, 'ApplicationSet'))['syncPolicy']).toEqual({
      applicationsSync: 'create-update',
      preserveResourcesOnDeletion: true,
    });
  });

  it('has the same Application for the entry points whatever clusters there are, so that it is applied once', () => {
    const few = manifestOf(argoEntryPoints(modelOf([plain])), 'Application');
    expect(manifestOf(argoEntryPoints(model), 'Application')).toEqual(few);
  });
});

const kustomizationsOf = (files: readonly EntryPoint[]) =>
  manifestsOf(files).filter((it) => it.kind === 'Kustomization');

describe('Flux', () => {
  it('applies a cluster with a kubeconfig from the top folder, every cluster from its own', () => {
    const files = [...fluxEntryPoints(modelOf(everything))];
    const text = (path: string) => {
      const found = files.find((it) => printBundlePath(it.path) === path);
      return found === undefined ? 'resources:' : textOf(found);
    };
    expect(resourcesOf(text('_flux/kustomization.yaml'))).toEqual(['clusters/oslo', 'clusters/vienna', 'source']);
    for (const { name } of everything) {
      expect(resourcesOf(text(`_flux/clusters/${name}/kustomization.yaml`))).toEqual([`${name}.yaml`]);
    }
    const secrets = manifestsOf(files)
      .filter((it) => it.kind === 'Kustomization')
      .map((it) => [it.metadata.name, specOf(it)['kubeConfig']])
      .filter(([, config]) => config !== undefined);
    expect(Object.fromEntries(secrets)).toEqual({
      'weft-europe.oslo': { secretRef: { name: 'oslo-kubeconfig' } },
      'weft-europe.vienna': { secretRef: { name: 'vienna-kubeconfig' } },
    });
  });

  it('keeps the tunnels of a cluster that is removed, and prunes a link that is removed', () => {
    const files = [...fluxEntryPoints(modelOf([mixed]))];
    const policies = kustomizationsOf(files)
      .filter((it) => !String(specOf(it)['path']).includes('/_flux/'))
      .map((it) => [it.metadata.name, specOf(it)['prune'], specOf(it)['deletionPolicy']]);
    expect(policies).toEqual([
      ['weft-europe.europe', true, 'Orphan'],
      ['weft-europe.europe.milan', true, undefined],
      ['weft-europe.europe.athens', true, undefined],
      ['weft-europe.europe.rome', true, undefined],
    ]);
  });

  it('does not emit the GitRepository of its bootstrap', () => {
    const flux = gitops.flux && { ...gitops.flux, source: 'flux-system', dependsOn: [] };
    const files = [...fluxEntryPoints(modelOf([plain], withGitops({ flux })))];
    const all = kustomizationsOf(files);
    expect(manifestsOf(files)).toEqual(all);
    for (const it of all) {
      expect(specOf(it)['sourceRef']).toEqual({ kind: 'GitRepository', name: 'flux-system' });
      expect(specOf(it)['dependsOn']).toBeUndefined();
    }
  });

  it('applies the folder beside each applier from git, and deletes nothing when an applier is deleted', () => {
    const files = [...fluxEntryPoints(modelOf(everything))];
    const folders = ['_flux/clusters', ...everything.map(({ name }) => `_flux/clusters/${name}`)];
    for (const folder of folders) {
      const [file] = files.filter((it) => printBundlePath(it.path) === `${folder}.yaml`);
      const [applier] = file === undefined ? [] : manifestsOf([file]);
      expect(applier && specOf(applier)).toMatchObject({
        path: `./out/${folder}`,
        prune: true,
        deletionPolicy: 'Orphan',
      });
      expect(applier && specOf(applier)).not.toHaveProperty('kubeConfig');
      // Flux would list every file below a folder without a list.
      expect(files.map((it) => printBundlePath(it.path))).toContain(`${folder}/kustomization.yaml`);
    }
    const [list] = files.filter((it) => printBundlePath(it.path) === '_flux/clusters/kustomization.yaml');
    expect(list && resourcesOf(textOf(list))).toEqual(['oslo.yaml', 'vienna.yaml']);
  });

  it('has appliers that no edit of another cluster changes', () => {
    const applier = (model: BoundedModel) =>
      [...fluxEntryPoints(model)].filter((it) => printBundlePath(it.path) === '_flux/clusters/europe.yaml');
    expect(applier(modelOf(everything))).toEqual(
      applier(
        modelOf([
          { ...mixed, peers: [] },
          { name: 'rome', retired: true },
        ]),
      ),
    );
  });

  it.each([
    ['main', { branch: 'main' }],
    ['release/1.0', { branch: 'release/1.0' }],
    ['v1.2.3', { tag: 'v1.2.3' }],
    ['refs/tags/stable', { name: 'refs/tags/stable' }],
    ['0123456789abcdef0123456789abcdef01234567', { commit: '0123456789abcdef0123456789abcdef01234567' }],
  ])('follows revision %s', (revision, ref) => {
    const source = manifestOf([...fluxEntryPoints(modelOf([plain], withGitops({ revision })))], 'GitRepository');
    expect(specOf(source)['ref']).toEqual(ref);
    expect(problemsOf(source)).toEqual([]);
  });

  it.each([
    ['https://github.com/example/network.git', 'https://github.com/example/network.git'],
    ['ssh://git@github.com/example/network.git', 'ssh://git@github.com/example/network.git'],
    ['git@github.com:example/network.git', 'ssh://git@github.com/example/network.git'],
  ])('dials %s', (repository, url) => {
    const source = manifestOf([...fluxEntryPoints(modelOf([plain], withGitops({ repository })))], 'GitRepository');
    expect(specOf(source)['url']).toBe(url);
    expect(problemsOf(source)).toEqual([]);
  });
});
