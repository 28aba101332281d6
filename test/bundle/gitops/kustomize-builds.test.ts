import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type BundlePath, printBundlePath } from '../../../src/base/core/bundle-path.ts';
import { printHeader } from '../../../src/base/core/generated-files.ts';
import { argoEntryPoints } from '../../../src/bundle/gitops/argo-entry-points.ts';
import { fluxEntryPoints } from '../../../src/bundle/gitops/flux-entry-points.ts';
import { clusterKustomizations } from '../../../src/bundle/gitops/kustomization.ts';
import { annotationsFor } from '../../../src/bundle/gitops/sync-wave.ts';
import type { BoundedModel } from '../../../src/fleet/boundaries/bounded-model.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { gitops, mixed, modelOf, PEER_KINDS } from './fixtures.ts';
import { textOf } from './read-entry-points.ts';

const needsKubectl = spawnSync('kubectl', ['version', '--client']).status !== 0 && !process.env['CI'];
const folders: string[] = [];
afterAll(() => {
  for (const it of folders) rmSync(it, { recursive: true, force: true });
});

const model = modelOf([
  mixed,
  { name: 'rome', peers: [{ name: 'europe', join: 12, ordered: false }], gitops: { kubeConfigSecret: 'rome' } },
  { name: 'all-ordered', peers: [{ name: 'europe', join: 20, ordered: true }], gitops: { kubeConfigSecret: 'x' } },
  { name: 'paris', retired: true },
]);

const partsOf = (cluster: AddressedCluster) =>
  cluster.name === 'europe'
    ? {
        templates: ['weft-server'],
        shortcuts: ['milan--rome'],
        partners: [],
        offloaded: [],
        bounded: [],
        probers: [],
        watched: null,
      }
    : { templates: [], shortcuts: [], partners: [], offloaded: [], bounded: [], probers: [], watched: null };

/** `out/` with placeholders for the manifests: only their kinds and names matter here. */
function writeOut(of: BoundedModel): string {
  const out = mkdtempSync(join(tmpdir(), 'weft-kustomize-'));
  folders.push(out);
  const write = (path: BundlePath, text: string) => {
    const file = join(out, printBundlePath(path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const it of [...argoEntryPoints(of), ...fluxEntryPoints(of)]) write(it.path, textOf(it));
  for (const cluster of of.clusters.values()) {
    const parts = partsOf(cluster);
    for (const it of clusterKustomizations(cluster, of.fleet, parts)) write(it.path, it.text);
    for (const name of parts.templates)
      write({ part: 'gateway-templates', cluster: cluster.name, name }, manifest('Template', name, 'liqo'));
    for (const name of parts.shortcuts)
      write({ part: 'shortcuts', cluster: cluster.name, name }, manifest('Shortcut', name, 'liqo'));
    for (const peer of cluster.peers.values()) {
      const documents = PEER_KINDS.map((kind) =>
        manifest(kind, peer.name, `liqo-tenant-${peer.name}`, annotationsFor(peer, kind)),
      );
      write({ part: 'peer', cluster: cluster.name, peer: peer.name, file: 'manifests' }, documents.join('\n---\n'));
    }
  }
  return out;
}

function manifest(kind: string, name: string, namespace: string, annotations: object = {}): string {
  if (kind === 'Namespace')
    return JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: namespace, annotations } });
  return JSON.stringify({ apiVersion: 'networking.liqo.io/v1beta1', kind, metadata: { name, namespace, annotations } });
}

const build = (folder: string): readonly string[] => [...buildInOrder(folder)].sort();

function buildInOrder(folder: string): readonly string[] {
  const { status, stdout, stderr } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return parseAllDocuments(stdout)
    .map((it) => it.toJS() as { kind: string; metadata: { name: string } } | null)
    .flatMap((it) => (it === null ? [] : [`${it.kind}/${it.metadata.name}`]));
}

const objectsFor = (peers: readonly string[]) =>
  peers.flatMap((it) => PEER_KINDS.map((kind) => `${kind}/${kind === 'Namespace' ? `liqo-tenant-${it}` : it}`)).sort();

describe.skipIf(needsKubectl)('kustomizations, built by kubectl (skipped without it)', () => {
  const out = writeOut(model);

  it('contain every object of a cluster', () => {
    const all = objectsFor(['athens', 'berlin', 'milan', 'rome', 'vienna']);
    expect(build(`${out}/europe`)).toEqual([...all, 'Shortcut/milan--rome', 'Template/weft-server'].sort());
    expect(build(`${out}/rome`)).toEqual(objectsFor(['europe']));
  });

  it('keep the order of links that need one, for those who run kubectl apply -k', () => {
    const built = buildInOrder(`${out}/europe`);
    const configurations = built.filter((it) => it.startsWith('Configuration/'));
    expect(configurations).toEqual(['berlin', 'vienna', 'milan', 'athens', 'rome'].map((it) => `Configuration/${it}`));
    for (const it of configurations) {
      const namespace = built.indexOf(it.replace('Configuration/', 'Namespace/liqo-tenant-'));
      expect([it, namespace >= 0 && namespace < built.indexOf(it)]).toEqual([it, true]);
    }
  });

  it('give Flux the links without an order in one folder and each other link in its own', () => {
    const free = objectsFor(['berlin', 'vienna']);
    expect(build(`${out}/europe/unordered`)).toEqual([...free, 'Shortcut/milan--rome', 'Template/weft-server'].sort());
    for (const it of ['athens', 'milan', 'rome']) expect(build(`${out}/europe/peers/${it}`)).toEqual(objectsFor([it]));
  });

  it('build when nothing is left', () => {
    expect(build(`${out}/paris`)).toEqual([]);
    expect(build(`${out}/all-ordered/unordered`)).toEqual([]);
  });

  it('build the entry points', () => {
    expect(build(`${out}/_argocd`)).toEqual(['AppProject/weft-europe', 'ApplicationSet/weft-europe']);
    expect(build(`${out}/_flux/source`)).toEqual(['GitRepository/weft-europe']);
    const chained = ['Kustomization/weft-europe.all-ordered', 'Kustomization/weft-europe.all-ordered.europe'];
    expect(build(`${out}/_flux/clusters/all-ordered`)).toEqual(chained);
    expect(build(`${out}/_flux`)).toEqual(['GitRepository/weft-europe', ...chained, 'Kustomization/weft-europe.rome']);
    expect(build(`${out}/_flux/clusters/europe`).length).toBe(4);
    const appliers = ['all-ordered', 'rome'].map((it) => `Kustomization/weft-europe.${it}.folder.entry-points`);
    expect(build(`${out}/_flux/clusters`)).toEqual(appliers);
  });
});

describe('kustomizations', () => {
  const filesOf = (name: string, of: BoundedModel) => {
    const cluster = of.clusters.get(name);
    if (cluster === undefined) throw new Error(`no cluster ${name}`);
    return clusterKustomizations(cluster, of.fleet, partsOf(cluster));
  };

  const topOf = (name: string): string | undefined =>
    filesOf(name, model).find((it) => printBundlePath(it.path) === `${name}/kustomization.yaml`)?.text;

  it('list resources in apply order where links need one, and name their topology file', () => {
    expect(topOf('europe')).toBe(`${printHeader('topology.yaml')}apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - gateway-templates
  - peers/berlin
  - peers/vienna
  - peers/milan
  - peers/athens
  - peers/rome
  - shortcuts
sortOptions:
  order: fifo
`);
  });

  it('are sorted and have only resources where no link needs an order', () => {
    expect(topOf('rome')).toBe(`${printHeader('topology.yaml')}apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - peers/europe
`);
  });

  it('are empty but valid for a retired cluster', () => {
    expect(filesOf('paris', model)).toEqual(
      (['kustomization', 'unordered'] as const).map((part) => ({
        kind: 'text',
        path: { part, cluster: 'paris' },
        text: expect.stringMatching(/\nresources: \[\]\n$/),
      })),
    );
  });

  it('have a folder for Flux wherever Flux is used, also where no link needs an order', () => {
    const pathsOf = (name: string, of: BoundedModel) => filesOf(name, of).map((it) => printBundlePath(it.path));
    const unordered = 'europe/unordered/kustomization.yaml';
    expect(pathsOf('europe', model)).toContain(unordered);
    expect(pathsOf('rome', model)).toContain('rome/unordered/kustomization.yaml');
    expect(pathsOf('europe', modelOf([mixed], { gitops: { ...gitops, flux: null } }))).not.toContain(unordered);
    expect(pathsOf('europe', modelOf([mixed], { gitops: null }))).not.toContain(unordered);
  });

  it('keep the name of a strange file inside its comment', () => {
    for (const it of filesOf('rome', modelOf([{ name: 'rome' }], { topologyFile: 'a\nb\u2028c.yaml' }))) {
      expect(`${it.text.split(/[\n\u2028]/)[0]}\n`).toBe(printHeader('a\u240ab\ufffdc.yaml'));
    }
  });
});
