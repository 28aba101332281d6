import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { inFolders } from '../../../src/base/core/folder-files.ts';
import { type SharingRecording, sharingRecordings } from '../../fleet/sharing/recordings.ts';
import { compiledGolden } from '../../proof/verify/verify-golden.ts';
import { type AppliedObject, appliedObjects, idOf } from './applied-objects.ts';

/**
 * The fields of git whose value in the cluster is another one. That is what tools that let the server apply compare: fields
 * that git does not have belong to others.
 * Source: argoproj/argo-cd docs/user-guide/diff-strategies.md; fluxcd/pkg ssa/manager_diff.go.
 */
function* drift(git: unknown, live: unknown, path = ''): Iterable<string> {
  if (Array.isArray(git) || typeof git !== 'object' || git === null) {
    if (JSON.stringify(git) !== JSON.stringify(live)) yield path;
    return;
  }
  for (const [key, value] of Object.entries(git)) {
    const below = typeof live === 'object' && live !== null ? (live as Record<string, unknown>)[key] : undefined;
    yield* drift(value, below, `${path}/${key}`);
  }
}

/** Without the annotations that only tools read: the recorded objects were not applied by one. */
function plain({ metadata, ...object }: AppliedObject): AppliedObject {
  const { annotations = {}, ...rest } = metadata;
  const own = Object.entries(annotations).filter(([key]) => !/(argoproj|fluxcd)\.io\//.test(key));
  return { ...object, metadata: { ...rest, annotations: Object.fromEntries(own) } } as AppliedObject;
}

function driftOf({ compiled, after }: SharingRecording): readonly string[] {
  return [...after].flatMap(([cluster, objects]) => {
    const live = new Map(objects.map((it) => [idOf(it as AppliedObject), it]));
    return appliedObjects(compiled, cluster)
      .filter(({ path }) => /\/(sharing|offloading)\//.test(path))
      .flatMap(({ object }) => [...drift(plain(object), live.get(idOf(object)))].map((it) => `${idOf(object)}${it}`));
  });
}

describe('what Liqo changes in git’s objects', () => {
  it.each(sharingRecordings())('is nothing that git has: $name', (recording) => {
    expect(driftOf(recording)).toEqual([]);
  });

  it.each(sharingRecordings())('is nothing either where Liqo makes the requests of slices: $name', (recording) => {
    const bundle = new Map(
      [...recording.compiled.bundle].map(([path, text]) => [
        path,
        path.includes('/sharing/') ? text.replace(/^ {2}csr: .*\n(?= {2}providerClusterID)/gm, '') : text,
      ]),
    );
    expect(driftOf({ ...recording, compiled: { ...recording.compiled, bundle: inFolders(bundle) } })).toEqual([]);
  });
});

describe('the certificates that Liqo renews', () => {
  const shared = compiledGolden('sharing-with-argo-and-flux');
  const identities = appliedObjects(shared, 'rome')
    .map(({ object }) => object)
    .filter((it) => it.kind === 'Identity');
  const ignored = (golden: string): readonly Record<string, unknown>[] | undefined =>
    parse(compiledGolden(golden).bundle.get('_argocd/applicationset.yaml') ?? '').spec.template.spec.ignoreDifferences;
  const forIdentities = ignored('sharing-with-argo-and-flux')?.filter((it) => it['kind'] === 'Identity') ?? [];

  it('are left alone by Flux where both clusters renew, and corrected elsewhere', () => {
    expect(
      identities.map(({ metadata: { name, annotations } }) => [name, annotations?.['kustomize.toolkit.fluxcd.io/ssa']]),
    ).toEqual([
      ['controlplane-milan', 'IfNotPresent'],
      ['controlplane-turin', undefined],
    ]);
  });

  const needsJq = spawnSync('jq', ['--version']).status !== 0 && !process.env['CI'];

  it.skipIf(needsJq)('are ignored by Argo CD where both renew, and compared elsewhere (skipped without jq)', () => {
    const paths = forIdentities.flatMap((it) => it['jqPathExpressions'] as readonly string[]);
    expect(paths.length).toBe(1);
    const compared = identities.map((identity) => {
      const program = paths.map((it) => `del(${it})`).join(' | ');
      const { status, stdout } = spawnSync('jq', ['-c', program], {
        input: JSON.stringify(identity),
        encoding: 'utf8',
      });
      expect(status).toBe(0);
      const { spec, metadata } = JSON.parse(stdout) as AppliedObject;
      return [metadata.name, Object.keys(spec as object)];
    });
    expect(compared).toEqual([
      ['controlplane-milan', ['clusterID', 'namespace', 'type']],
      ['controlplane-turin', ['authParams', 'clusterID', 'namespace', 'type']],
    ]);
  });

  it('need no rule in a fleet that shares nothing', () => {
    expect(ignored('gitops-with-argo-and-flux')).toBeUndefined();
  });
});

describe('the project of Argo CD', () => {
  const shared = compiledGolden('sharing-with-argo-and-flux');
  const { spec } = parse(shared.bundle.get('_argocd/appproject.yaml') ?? '') as {
    readonly spec: {
      readonly destinations: readonly { readonly name: string; readonly namespace: string }[];
      readonly clusterResourceWhitelist: readonly { readonly kind: string; readonly name: string }[];
      readonly namespaceResourceWhitelist: readonly { readonly group: string; readonly kind: string }[];
    };
  };
  const matches = (glob: string, text: string): boolean =>
    glob.endsWith('*') ? text.startsWith(glob.slice(0, -1)) : glob === text;

  it('allows every object of every bundle, and no other namespaced kind of Kubernetes itself', () => {
    for (const cluster of shared.model.clusters.keys()) {
      for (const { object } of appliedObjects(shared, cluster)) {
        const { apiVersion, kind, metadata } = object;
        const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
        const allowed =
          metadata.namespace === undefined
            ? spec.clusterResourceWhitelist.some((it) => it.kind === kind && matches(it.name, metadata.name))
            : spec.namespaceResourceWhitelist.some((it) => it.group === group && it.kind === kind) &&
              spec.destinations.some((it) => it.name === cluster && matches(it.namespace, metadata.namespace ?? ''));
        expect([cluster, idOf(object), allowed]).toEqual([cluster, idOf(object), true]);
      }
    }
    const core = spec.namespaceResourceWhitelist.filter((it) => !it.group.includes('.') || it.group.endsWith('k8s.io'));
    expect(core.map((it) => it.kind).sort()).toEqual(['RoleBinding', 'Secret', 'ServiceAccount']);
  });

  it('allows an offloaded namespace in the cluster that offloads it, and its creation only where weft does that', () => {
    const of = (namespace: string) => spec.destinations.filter((it) => it.namespace === namespace).map((it) => it.name);
    expect([of('demo'), of('batch')]).toEqual([['rome'], ['rome']]);
    expect(spec.clusterResourceWhitelist.map((it) => it.name)).toEqual(['liqo-tenant-*', 'demo', 'weft-conformance']);
  });
});
