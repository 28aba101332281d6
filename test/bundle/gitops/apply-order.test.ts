import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printBundlePath } from '../../../src/base/core/bundle-path.ts';
import type { EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';
import { fluxEntryPoints } from '../../../src/bundle/gitops/flux-entry-points.ts';
import { clusterKustomizations } from '../../../src/bundle/gitops/kustomization.ts';
import { annotationsFor, shortcutAnnotations, templateAnnotations } from '../../../src/bundle/gitops/sync-wave.ts';
import type { AddressedCluster, Peer } from '../../../src/fleet/ipam/addressed-model.ts';
import { clusterOf, fleetOf, mixed, modelOf, PEER_KINDS, type PeerSettings } from './fixtures.ts';
import { resourcesOf, specOf } from './read-entry-points.ts';

const WAVE = 'argocd.argoproj.io/sync-wave';
const waveOf = (annotations: Readonly<Record<string, string>>): number => Number(annotations[WAVE]);

/** Up to twelve peers with distinct names and join numbers. */
const peers: fc.Arbitrary<readonly PeerSettings[]> = fc
  .uniqueArray(fc.record({ join: fc.integer({ min: 1, max: 500 }), ordered: fc.boolean() }), {
    maxLength: 12,
    selector: (it) => it.join,
  })
  .map((settings) => settings.map((it, i) => ({ ...it, name: `peer-${i}` })));

/** Sorts by a key, and items with equal keys at random. */
function shuffledBy<T>(items: readonly T[], key: (item: T) => number, dice: readonly number[]): readonly T[] {
  const rolled = items.map((item, i) => ({ item, roll: dice[i % dice.length] ?? 0 }));
  return rolled.sort((a, b) => key(a.item) - key(b.item) || a.roll - b.roll).map((it) => it.item);
}

const dice = fc.array(fc.integer(), { minLength: 16, maxLength: 60 });

/** Peers whose Configuration is applied, in the order of applying. */
function expectApplyOrder(cluster: AddressedCluster, arrived: readonly string[]): void {
  const free = [...cluster.peers.values()].filter((it) => !it.remapped).map((it) => it.name);
  const ordered = [...cluster.peers.values()].filter((it) => it.remapped);
  const byJoin = [...ordered].sort((a, b) => a.link.join - b.link.join).map((it) => it.name);
  expect([...arrived.slice(0, free.length)].sort()).toEqual([...free].sort());
  expect(arrived.slice(free.length)).toEqual(byJoin);
}

describe('sync waves', () => {
  const objectsOf = (cluster: AddressedCluster) =>
    [...cluster.peers.values()].flatMap((peer) =>
      PEER_KINDS.map((kind) => ({ peer: peer.name, kind, wave: waveOf(annotationsFor(peer, kind)) })),
    );

  it('apply Configurations in apply order, whatever the order inside a wave', () => {
    fc.assert(
      fc.property(peers, dice, (settings, rolls) => {
        const cluster = clusterOf({ name: 'hub', peers: settings });
        const applied = shuffledBy(objectsOf(cluster), (it) => it.wave, rolls);
        expectApplyOrder(
          cluster,
          applied.filter((it) => it.kind === 'Configuration').map((it) => it.peer),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('give each ordered link a wave of its own, and wait for no gateway', () => {
    fc.assert(
      fc.property(peers, (settings) => {
        const cluster = clusterOf({ name: 'hub', peers: settings });
        const objects = objectsOf(cluster);
        const last = Math.max(...objects.map((it) => it.wave));
        for (const it of objects) expect(it.wave === last).toBe(it.kind === 'GatewayServer');
        for (const peer of [...cluster.peers.values()].filter((it) => it.remapped)) {
          const alike = objects.filter((it) => it.wave === waveOf(annotationsFor(peer, 'Configuration')));
          expect(alike.map((it) => it.peer)).toEqual([peer.name]);
        }
        if (cluster.peers.size > 0) expect(waveOf(shortcutAnnotations)).toBe(last);
      }),
      { numRuns: 200 },
    );
  });

  it('are the same without ordered links, so that nothing changes when the last one leaves', () => {
    const cluster = clusterOf({ name: 'rome', peers: [{ name: 'milan', join: 3, ordered: false }] });
    const [peer] = cluster.peers.values();
    if (peer === undefined) throw new Error('the fixture has no peer');
    const kinds = [...PEER_KINDS, 'GatewayClient', 'Connection'];
    const waves = kinds.map((kind) => [kind, annotationsFor(peer, kind)[WAVE]]);
    expect(Object.fromEntries(waves)).toEqual({
      Namespace: '-30',
      PublicKey: '-10',
      Configuration: '-10',
      GatewayServer: '1000000',
      GatewayClient: '1000000',
      Connection: '1000000',
    });
    expect(templateAnnotations).toEqual({ [WAVE]: '-20' });
    expect(shortcutAnnotations).toEqual({ [WAVE]: '1000000' });
  });

  it('do not change for a link when another is added', () => {
    const before = clusterOf(mixed);
    const after = clusterOf({
      ...mixed,
      peers: [
        ...(mixed.peers ?? []),
        { name: 'zurich', join: 13, ordered: true },
        { name: 'oslo', join: 14, ordered: false },
      ],
    });
    for (const peer of before.peers.values()) {
      const same = after.peers.get(peer.name) as Peer;
      for (const kind of PEER_KINDS) expect(annotationsFor(same, kind)).toEqual(annotationsFor(peer, kind));
    }
  });

  it('keep tools from deleting namespaces, and from correcting Connections', () => {
    const cluster = clusterOf(mixed);
    const [peer] = cluster.peers.values();
    if (peer === undefined) throw new Error('the fixture has no peer');
    expect(annotationsFor(peer, 'Namespace')).toEqual({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      [WAVE]: '-30',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
    });
    expect(annotationsFor(peer, 'Connection')).toEqual({
      'argocd.argoproj.io/compare-options': 'IgnoreExtraneous',
      'argocd.argoproj.io/sync-options': 'Prune=false',
      [WAVE]: '1000000',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'kustomize.toolkit.fluxcd.io/ssa': 'IfNotPresent',
    });
  });

  it('are refused for a kind without a wave', () => {
    const cluster = clusterOf(mixed);
    const [peer] = cluster.peers.values();
    if (peer === undefined) throw new Error('the fixture has no peer');
    expect(() => annotationsFor(peer, 'Deployment')).toThrow('Deployment');
  });
});

describe('chained Flux Kustomizations', () => {
  const parts = {
    templates: ['wireguard-server'],
    shortcuts: ['milan--rome'],
    partners: [],
    offloaded: [],
    bounded: [],
    probers: [],
    watched: null,
  };
  const fleet = fleetOf();

  /** The peers that a Kustomization applies: follows the resources of its folder. */
  function peersAppliedBy(cluster: AddressedCluster, manifest: EntryPointManifest): readonly string[] {
    const files = clusterKustomizations(cluster, fleet, parts);
    const texts = new Map(files.map((it) => [printBundlePath(it.path).slice(cluster.name.length + 1), it.text]));
    const folder = String(specOf(manifest)['path']).replace(new RegExp(`^\\./out/${cluster.name}/?`), '');
    const visit = (path: string): readonly string[] => {
      const text = texts.get(path === '' ? 'kustomization.yaml' : `${path}/kustomization.yaml`);
      if (text === undefined) throw new Error(`no kustomization in "${path}"`);
      return resourcesOf(text).flatMap((it) => {
        const at = it.startsWith('../') ? it.slice(3) : path === '' ? it : `${path}/${it}`;
        const peer = /^peers\/([^/]+)\/\1\.yaml$/.exec(at)?.[1];
        if (peer !== undefined) return [peer];
        return at.endsWith('.yaml') ? [] : visit(at);
      });
    };
    return visit(folder);
  }

  const kustomizationsOf = (cluster: AddressedCluster): readonly EntryPointManifest[] =>
    [...fluxEntryPoints({ ...modelOf([]), fleet, clusters: new Map([[cluster.name, cluster]]) })]
      .filter(({ path }) => !('file' in path && path.file === 'applier'))
      .flatMap((it) => (it.kind === 'manifests' ? it.manifests : []))
      .filter((it) => it.kind === 'Kustomization');

  const dependenciesOf = (it: EntryPointManifest): readonly string[] =>
    ((specOf(it)['dependsOn'] ?? []) as readonly { name: string }[]).map(({ name }) => name);

  it('apply Configurations in apply order, whichever Flux starts first', () => {
    fc.assert(
      fc.property(peers, dice, (settings, rolls) => {
        const cluster = clusterOf({ name: 'hub', peers: settings });
        let open = [...shuffledBy(kustomizationsOf(cluster), () => 0, rolls)];
        const ready = new Set(['liqo']);
        const arrived: string[] = [];
        while (open.length > 0) {
          const next = open.find((it) => dependenciesOf(it).every((name) => ready.has(name)));
          if (next === undefined) throw new Error('nothing can start');
          arrived.push(...shuffledBy(peersAppliedBy(cluster, next), () => 0, rolls));
          ready.add(next.metadata.name);
          open = open.filter((it) => it !== next);
        }
        expectApplyOrder(cluster, arrived);
      }),
      { numRuns: 200 },
    );
  });

  it('wait for what comes before them in the same cluster, and for no gateway', () => {
    const model = modelOf([mixed, { name: 'rome', peers: [{ name: 'europe', join: 12, ordered: true }] }]);
    for (const cluster of model.clusters.values()) {
      const all = kustomizationsOf(cluster);
      const own = all.map((it) => it.metadata.name);
      const free = [...cluster.peers.values()].filter((it) => !it.remapped).map((it) => it.name);
      const ordered = [...cluster.peers.values()].filter((it) => it.remapped).map((it) => it.name);
      all.forEach((it, i) => {
        expect(dependenciesOf(it)).toEqual(i === 0 ? ['liqo'] : [...new Set([own[0], own[i - 1]])]);
        const spec = specOf(it);
        const kinds = (spec['healthCheckExprs'] as readonly { kind: string }[]).map(({ kind }) => kind);
        expect(kinds).toEqual(['Configuration']);
        const checked = (spec['healthChecks'] ?? []) as readonly { kind: string; name: string }[];
        expect(checked.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
          (i === 0 ? free : ordered.slice(i - 1, i)).map((name) => `Configuration ${name}`),
        );
        expect(spec['wait']).toBe(i === 0 ? true : undefined);
      });
    }
  });

  it('read one folder for the cluster, whatever links it has, which lists no ordered one', () => {
    fc.assert(
      fc.property(peers, fc.boolean(), (settings, retired) => {
        const cluster = clusterOf({ name: 'hub', peers: retired ? [] : settings, retired });
        const [first] = kustomizationsOf(cluster);
        if (first === undefined) throw new Error('no Kustomization');
        expect(specOf(first)['path']).toBe('./out/hub/unordered');
        const free = [...cluster.peers.values()].filter((it) => !it.remapped).map((it) => it.name);
        expect([...peersAppliedBy(cluster, first)].sort()).toEqual(free.sort());
      }),
      { numRuns: 100 },
    );
  });

  it('are one without ordered links, and none depends on another cluster', () => {
    const free = clusterOf({ name: 'rome', peers: [{ name: 'europe', join: 1, ordered: false }] });
    const [only, ...more] = kustomizationsOf(free);
    if (only === undefined) throw new Error('no Kustomization');
    expect(more).toEqual([]);
    expect(specOf(only)['path']).toBe('./out/rome/unordered');
    expect(dependenciesOf(only)).toEqual(['liqo']);
    const kinds = (specOf(only)['healthCheckExprs'] as readonly { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual(['Configuration', 'GatewayServer', 'GatewayClient']);
  });
});
