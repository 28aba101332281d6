import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BundlePath,
  clusterFolderOf,
  isBundleFile,
  isKustomization,
  OWN_PATHS,
  parseBundlePath,
  printBundleFolder,
  printBundlePath,
} from '../../../src/base/core/bundle-path.ts';
import { arbitraryName } from './arbitrary-names.ts';

const file = fc.constantFrom('manifests' as const, 'kustomization' as const);
const fluxFile = fc.oneof(file, fc.constant('applier' as const));
const arbitraryPath: fc.Arbitrary<BundlePath> = fc.oneof(
  fc.constantFrom<BundlePath>({ part: 'addresses' }, { part: 'flux' }),
  fc.constantFrom<BundlePath>(
    { part: 'argocd', file: 'application' },
    { part: 'argocd', file: 'applicationset' },
    { part: 'argocd', file: 'appproject' },
    { part: 'argocd', file: 'argocd-cm-patch' },
    { part: 'argocd', file: 'kustomization' },
    { part: 'flux-source', file: 'gitrepository' },
    { part: 'flux-source', file: 'kustomization' },
    { part: 'flux-clusters', file: 'applier' },
    { part: 'flux-clusters', file: 'kustomization' },
  ),
  fc.record({ part: fc.constant('flux-cluster' as const), cluster: arbitraryName, file: fluxFile }),
  fc.record({
    part: fc.constantFrom('kustomization' as const, 'helm-values' as const, 'unordered' as const),
    cluster: arbitraryName,
  }),
  fc.record({
    part: fc.constantFrom('gateway-templates' as const, 'shortcuts' as const),
    cluster: arbitraryName,
    name: fc.oneof(arbitraryName, fc.constantFrom('kustomization', 's01-rome--milan', 'a--b.c')),
  }),
  fc.record({ part: fc.constant('peer' as const), cluster: arbitraryName, peer: arbitraryName, file }),
  fc.record({
    part: fc.constantFrom('gateway-rules' as const, 'node-rules' as const),
    cluster: arbitraryName,
    peer: arbitraryName,
  }),
  fc.record({
    part: fc.constant('expected' as const),
    cluster: arbitraryName,
    file: fc.constantFrom(
      'configurations' as const,
      'connections' as const,
      'foreignclusterconnections' as const,
      'networks' as const,
    ),
  }),
);

describe('a path of the bundle', () => {
  it('is read back as it was printed, whatever the clusters are called', () => {
    fc.assert(
      fc.property(arbitraryPath, (path) => {
        expect(parseBundlePath(printBundlePath(path))).toEqual(path);
      }),
    );
  });

  it('is printed as it was read, or not read at all', () => {
    const folder = fc.oneof(arbitraryName, fc.constantFrom('_flux', '_argocd', '.weft', 'rome', '..', ''));
    const last = fc
      .tuple(
        fc.oneof(arbitraryName, fc.constantFrom('kustomization', 'networks', 'bundle', 'rome')),
        fc.constantFrom('.yaml', '.nft', '.json', ''),
      )
      .map(([name, ending]) => name + ending);
    const text = fc.tuple(fc.array(folder, { maxLength: 4 }), last).map(([folders, it]) => [...folders, it].join('/'));
    fc.assert(
      fc.property(text, (it) => {
        const path = parseBundlePath(it);
        if (path !== undefined) expect(printBundlePath(path)).toBe(it);
      }),
    );
  });

  it('exists for every file of out/', () => {
    const out = new URL('../../../out/', import.meta.url).pathname;
    const files = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => `${it.parentPath}/${it.name}`.replaceAll('//', '/').slice(out.length));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((it) => isBundleFile(it) && parseBundlePath(it) === undefined)).toEqual([]);
  });

  it.each([
    '',
    'README.md',
    'rome/notes.yaml',
    'rome/peers/milan/bari.yaml',
    '_flux/clusters/rome/milan.yaml',
    '_notes/kustomization.yaml',
  ])('is not %j', (text) => expect(parseBundlePath(text)).toBeUndefined());

  it('has a folder, the cluster that it belongs to, and whether it is a list for kustomize', () => {
    expect(printBundleFolder({ part: 'peer', cluster: 'rome', peer: 'milan', file: 'manifests' })).toBe(
      'rome/peers/milan',
    );
    expect(printBundleFolder({ part: 'addresses' })).toBe('');
    expect(
      ['rome/notes', '_flux/clusters/rome/rome.yaml', '.weft/rome.sha256', 'addresses.json'].map(clusterFolderOf),
    ).toEqual(['rome', undefined, undefined, undefined]);
    fc.assert(
      fc.property(arbitraryPath, (it) => {
        expect(isKustomization(it)).toBe(printBundlePath(it).endsWith('/kustomization.yaml'));
      }),
    );
  });

  it("belongs to the bundles unless it is one of weft's own files or a hidden one", () => {
    fc.assert(fc.property(arbitraryPath, (it) => isBundleFile(printBundlePath(it))));
    expect(Object.values(OWN_PATHS).filter(isBundleFile)).toEqual([]);
    expect(['.git/HEAD', '.DS_Store', 'rome/notes.md'].map(isBundleFile)).toEqual([false, false, true]);
  });
});
