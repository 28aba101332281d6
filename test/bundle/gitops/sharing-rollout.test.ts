import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compiledGolden } from '../../proof/verify/verify-golden.ts';
import { kubectlAvailable, kustomizeAll } from '../../support/kubectl.ts';
import {
  type AppliedObject,
  appliedObjects,
  filesAppliedBy,
  fluxKustomizationsOf,
  idOf,
  syncObjects,
} from './applied-objects.ts';
import { ArgoApplication } from './argo-sync.ts';
import { FluxRollout } from './flux-rollout.ts';
import { specOf } from './read-entry-points.ts';

const shared = compiledGolden('sharing-with-argo-and-flux');
const clusters = [...shared.model.clusters.keys()];

/**
 * Objects that only their own cluster decides, and quickly. All else may wait: for an address, a signer, another
 * cluster.
 */
const isLocal = (id: string): boolean => /^(Namespace|Configuration|PublicKey) /.test(id);

describe('Argo CD, for a fleet that shares', () => {
  const application = () => new ArgoApplication();
  const hanging = (id: string): number => (isLocal(id) ? 3 : Number.POSITIVE_INFINITY);

  it.each(clusters)('applies every object of %s, although nothing but the addresses is ever answered', (cluster) => {
    const objects = syncObjects(shared, cluster);
    const { applied } = application().sync(objects, hanging);
    expect([...applied].sort()).toEqual(objects.map((it) => it.id).sort());
  });

  it.each(clusters)('applies what %s shares when every Configuration has its addresses', (cluster) => {
    const objects = syncObjects(shared, cluster);
    const { unhealthy } = application().sync(objects, hanging);
    const late = objects.filter(({ id }) => /^(Tenant|Identity|ResourceSlice|NamespaceOffloading) /.test(id));
    expect(late.length).toBeGreaterThan(0);
    for (const { id } of late) expect([id, unhealthy.get(id)?.filter(isLocal)]).toEqual([id, []]);
  });

  it('applies an answer of a provider while every gateway hangs', () => {
    const all = syncObjects(shared, 'rome');
    const argo = application();
    argo.sync(
      all.filter(({ id }) => !id.startsWith('Identity ')),
      hanging,
    );
    const { applied } = argo.sync(all, hanging);
    expect(applied).toEqual(
      expect.arrayContaining([
        'Identity liqo-tenant-milan/controlplane-milan',
        'Identity liqo-tenant-turin/controlplane-turin',
      ]),
    );
  });

  it('would never end if sharing came after gateways', () => {
    const later = syncObjects(shared, 'rome').map((it) =>
      it.id.startsWith('ResourceSlice ') ? { ...it, wave: it.wave + 10 } : it,
    );
    expect(() => application().sync(later, hanging)).toThrow(/never ends: .*GatewayServer/);
  });
});

describe('Flux, for a fleet that shares', () => {
  const chainOf = (cluster: string) => fluxKustomizationsOf(shared, cluster);
  const names = (cluster: string): readonly string[] => chainOf(cluster).map((it) => it.metadata.name);
  /** A Flux whose own dependency, which the topology names, is ready at a commit. */
  const at = (commit: string, flux = new FluxRollout()): FluxRollout => {
    flux.finish('liqo', commit);
    return flux;
  };

  it('applies every file of a cluster once', () => {
    for (const cluster of clusters) {
      const files = chainOf(cluster).flatMap((it) =>
        filesAppliedBy(shared, String(specOf(it)['path']).replace('./out/', '')),
      );
      const wanted = new Set(appliedObjects(shared, cluster).map(({ path }) => path));
      expect([cluster, [...files].sort()]).toEqual([cluster, [...wanted].sort()]);
    }
  });

  it('applies sharing after the last link with a partner, and offloading at once', () => {
    expect(at('a').rounds(chainOf('rome'), 'a')).toEqual([
      ['weft-europe.rome', 'weft-europe.rome.folder.offloading'],
      ['weft-europe.rome.milan'],
      ['weft-europe.rome.folder.sharing'],
    ]);
    expect(at('a').rounds(chainOf('turin'), 'a')).toEqual([
      ['weft-europe.turin'],
      ['weft-europe.turin.folder.sharing'],
    ]);
  });

  it('applies all links although nothing that is shared is ever healthy', () => {
    const flux = at('a');
    const isShared = (name: string): boolean => name.includes('.folder.');
    for (let i = 0; i < 5; i++) {
      for (const it of flux.ready(chainOf('rome'), 'a'))
        if (!isShared(it.metadata.name)) flux.finish(it.metadata.name, 'a');
    }
    expect(flux.ready(chainOf('rome'), 'a').map((it) => it.metadata.name)).toEqual(names('rome').filter(isShared));
  });

  it('applies a later commit to what is shared without waiting for the links again', () => {
    const flux = at('a');
    flux.rounds(chainOf('rome'), 'a');
    expect(
      at('b', flux)
        .ready(chainOf('rome'), 'b')
        .map((it) => it.metadata.name),
    ).toEqual(names('rome'));
  });

  it('waits for no other cluster, for no sharing, and for no gateway before what is shared', () => {
    for (const cluster of clusters) {
      for (const it of chainOf(cluster)) {
        const { dependsOn = [], healthCheckExprs } = specOf(it) as {
          dependsOn?: readonly { name: string }[];
          healthCheckExprs: readonly { kind: string }[];
        };
        const own = names(cluster).filter((name) => !name.includes('.folder.'));
        for (const { name } of dependsOn)
          expect([it.metadata.name, ['liqo', ...own]]).toContainEqual(expect.arrayContaining([name]));
        if (own.includes(it.metadata.name)) expect(healthCheckExprs.map(({ kind }) => kind)).toEqual(['Configuration']);
      }
    }
  });

  it('has names that no other fleet, cluster or link can have', () => {
    const all = clusters.flatMap(names);
    expect(new Set(all).size).toBe(all.length);
    for (const it of all.filter((name) => name.includes('.folder.'))) expect(it.split('.').length).toBe(4);
  });
});

describe.skipIf(!kubectlAvailable() && !process.env['CI'])('kubectl apply -k (skipped without kubectl)', () => {
  const out = mkdtempSync(join(tmpdir(), 'weft-apply-'));
  afterAll(() => rmSync(out, { recursive: true, force: true }));

  it('applies namespaces before what is in them, Configurations before slices, and a nonce before its Tenant', () => {
    for (const [path, text] of shared.bundle) {
      mkdirSync(dirname(join(out, path)), { recursive: true });
      writeFileSync(join(out, path), text);
    }
    const folders = clusters.map((it) => join(out, it));
    const built = kustomizeAll(folders, join(out, 'built'));
    clusters.forEach((cluster, i) => {
      const objects = parseAllDocuments(built[i] ?? '').map((it) => it.toJS() as AppliedObject);
      const places = new Map(objects.map((it, place) => [idOf(it), place]));
      expect([...places.keys()].sort()).toEqual(
        appliedObjects(shared, cluster)
          .map(({ object }) => idOf(object))
          .sort(),
      );
      for (const it of objects) {
        const { name, namespace } = it.metadata;
        const place = places.get(idOf(it)) ?? -1;
        // One that weft does not create is there before.
        if (namespace !== undefined && namespace !== 'batch')
          expect([idOf(it), (places.get(`Namespace /${namespace}`) ?? Infinity) < place]).toEqual([idOf(it), true]);
        const before =
          it.kind === 'Tenant'
            ? places.get(`Secret ${namespace}/liqo-nonce`)
            : it.kind === 'ResourceSlice'
              ? places.get(`Configuration ${namespace}/${namespace?.replace('liqo-tenant-', '')}`)
              : undefined;
        if (before !== undefined) expect([idOf(it), name, before < place]).toEqual([idOf(it), name, true]);
      }
    });
  });
});

/**
 * A slice is copied to the provider with its labels and annotations, those of tools included. The copy belongs to no
 * Application or Kustomization there: Argo CD compares the name in its annotation with the object; with labels instead
 * it looks for an Application of that name whose destination is the provider; Flux deletes only what is in the
 * inventory of a Kustomization and has its labels. Source: liqotech/liqo@v1.2.0
 * internal/crdReplicator/reflection/handler.go; argoproj/argo-cd util/argo/resource_tracking.go;
 * fluxcd/kustomize-controller internal/controller/kustomization_controller.go (prune).
 */
describe('the copy of a slice in its provider', () => {
  it('names no Kustomization and no Application of the provider', () => {
    const copies = shared.model.shares.map(({ consumer, provider }) => [consumer.name, provider.name] as const);
    expect(copies.length).toBe(3);
    for (const [consumer, provider] of copies) {
      const there = new Set(fluxKustomizationsOf(shared, provider).map((it) => it.metadata.name));
      expect(fluxKustomizationsOf(shared, consumer).filter((it) => there.has(it.metadata.name))).toEqual([]);
    }
    const application = /^ {4}metadata:\n {6}name: (.*)$/m.exec(
      shared.bundle.get('_argocd/applicationset.yaml') ?? '',
    )?.[1];
    expect(application).toContain('{{.path.basename}}');
  });

  it('is no object of the provider’s bundle, which a tool could take it for', () => {
    for (const { consumer, provider, slices } of shared.model.shares) {
      const there = new Set(appliedObjects(shared, provider.name).map(({ object }) => idOf(object)));
      for (const { name } of slices)
        expect(there.has(`ResourceSlice liqo-tenant-${consumer.name}/${name}`)).toBe(false);
    }
  });
});
