import { describe, expect, it } from 'vitest';
import type { Compiled } from '../../../src/compile.ts';
import { compareCluster, renewingPeers } from '../../../src/live/drift/compare-cluster.ts';
import type { Finding } from '../../../src/live/drift/drift.ts';
import { type PromisedObjects, promisedObjects } from '../../../src/live/drift/promised-objects.ts';
import { groupOf, type KubernetesObject, kindKey, objectKey } from '../../../src/live/dumps/kubernetes-object.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';
import { type SharingRecording, sharingRecordings } from '../../fleet/sharing/recordings.ts';

const all = sharingRecordings();

/** Objects as drift gets them: through a dump, without their secrets. */
function dumped({ after }: SharingRecording, cluster: string): readonly KubernetesObject[] {
  const parsed = readDump({ path: `${cluster}.json`, text: JSON.stringify(after.get(cluster)) });
  if (!parsed.ok) throw new Error(`the recording of ${cluster} cannot be read`);
  return parsed.value.map((it) => it.object);
}

const read = new Map<object, Map<string, PromisedObjects>>();

/** A bundle is read once: every edit is compared with it. */
function promisedIn(bundle: Compiled['bundle'], cluster: string): PromisedObjects {
  const known = read.get(bundle) ?? new Map<string, PromisedObjects>();
  read.set(bundle, known);
  const promised = known.get(cluster) ?? promisedObjects(cluster, { bundle, root: 'out' });
  known.set(cluster, promised);
  return promised;
}

function driftOf(
  { compiled: { model, bundle } }: SharingRecording,
  cluster: string,
  objects: readonly KubernetesObject[],
) {
  const declared = model.clusters.get(cluster);
  if (declared === undefined) throw new Error(`there is no cluster ${cluster}`);
  return compareCluster(
    { promised: promisedIn(bundle, cluster), renewing: renewingPeers(declared, model), unknownKeys: new Set() },
    {
      from: `dumps/${cluster}.json`,
      cluster,
      objects: new Map(objects.map((it) => [objectKey(it), it])),
      listed: new Set(objects.map((it) => kindKey(groupOf(it.apiVersion), it.kind))),
      forbidden: new Set(),
    },
  );
}

const lineOf = (it: Finding): string =>
  [
    it.kind,
    it.object.kind,
    `${it.object.namespace ?? ''}/${it.object.name}`,
    ...(it.kind === 'different' ? [it.path.join('.')] : []),
  ].join(' ');

/** Recorded objects have no annotations for GitOps tools: they came from other inputs than weft's files. */
const isForTools = (it: Finding): boolean =>
  it.kind === 'different' && it.path[1] === 'annotations' && /argoproj|fluxcd/.test(it.path[2] ?? '');

const linesOf = (...args: Parameters<typeof driftOf>) =>
  driftOf(...args)
    .findings.filter((it) => !isForTools(it))
    .map(lineOf);

/** The way to every single value that is promised; an item of a list of conditions by its type. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return isIdentity(path) ? [] : [path];
  const members = Array.isArray(value)
    ? value.map((it, index) => [(it as { readonly type?: string }).type ?? String(index), it] as const)
    : Object.entries(value);
  return members.flatMap(([key, it]) => leavesOf(it, [...path, key]));
}

/** The fields that identify an object or a condition. */
const isIdentity = (path: readonly string[]): boolean =>
  ['apiVersion', 'kind'].includes(path.join('.')) ||
  (path[0] === 'metadata' && ['name', 'namespace'].includes(path[1] ?? '')) ||
  (path[0] === 'status' && path.at(-1) === 'type');

/** The object with another value there, in each condition of that type. */
function withOther(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return `not ${String(value)}`;
  if (Array.isArray(value)) {
    const isMeant = (it: unknown, index: number) => ((it as { readonly type?: string }).type ?? String(index)) === key;
    return value.map((it, index) => (isMeant(it, index) ? withOther(it, rest) : it));
  }
  return { ...(value as object), [key]: withOther((value as Readonly<Record<string, unknown>>)[key], rest) };
}

const clustersOf = (recording: SharingRecording) =>
  [...recording.after.keys()].map((cluster) => [`${recording.name} ${cluster}`, recording, cluster] as const);

describe('drift of recorded sharing', () => {
  it.each(all.flatMap(clustersOf))('is nothing after the reconcilers came to rest: %s', (_, recording, cluster) => {
    const drift = driftOf(recording, cluster, dumped(recording, cluster));
    expect(drift.findings.filter((it) => !isForTools(it)).map(lineOf)).toEqual([]);
    expect(drift.compared).toBeGreaterThan(5);
    // The network module was off.
    expect(drift.uncompared.map((it) => it.key)).toEqual(['Network.ipam.liqo.io']);
  });

  it.each(all.flatMap(clustersOf))(
    'is what anybody changes, each promised field alone: %s',
    (_, recording, cluster) => {
      const traits = recording.compiled.model.clusters.get(cluster)?.traits;
      const objects = dumped(recording, cluster);
      const promised = promisedIn(recording.compiled.bundle, cluster);
      let edits = 0;
      for (const found of objects) {
        const wanted = promised.get(objectKey(found))?.object;
        for (const path of wanted === undefined ? [] : leavesOf(wanted)) {
          if (/argoproj|fluxcd/.test(path[2] ?? '')) continue;
          edits++;
          const { kind, metadata } = found;
          const others = objects.map((it) => (it === found ? (withOther(it, path) as KubernetesObject) : it));
          const isRenewed = traits?.renewsCertificates === true && path.at(-1) === 'signedCRT';
          const at = `different ${kind} ${metadata.namespace ?? ''}/${metadata.name} ${path.join('.')}`;
          expect(linesOf(recording, cluster, others), at).toEqual(isRenewed ? [] : [at]);
        }
      }
      expect(edits).toBeGreaterThan(60);
    },
  );

  const recording = all.find((it) => it.name === 'one-provider v1.2.0');
  const older = all.find((it) => it.name === 'one-provider v1.1.2');

  /** The cluster with one object changed. */
  function edited(
    of: SharingRecording | undefined,
    cluster: string,
    kind: string,
    edit: (it: KubernetesObject) => object,
  ) {
    if (of === undefined) throw new Error('there is no such recording');
    const objects = dumped(of, cluster).map((it) =>
      it.kind === kind ? ({ ...it, ...edit(it) } as KubernetesObject) : it,
    );
    return linesOf(of, cluster, objects);
  }

  it('is a slice that was denied, a node that does not run, a namespace that was not made', () => {
    const status = (it: KubernetesObject) => it['status'] as Readonly<Record<string, never>>;
    const conditions = (from: string, to: string) => (it: KubernetesObject) => ({
      status: JSON.parse(JSON.stringify(status(it)).replaceAll(`"${from}"`, `"${to}"`)),
    });
    const slice = 'different ResourceSlice liqo-tenant-milan/milan status.conditions';
    expect(edited(recording, 'rome', 'ResourceSlice', conditions('Accepted', 'Denied'))).toEqual([
      `${slice}.Authentication.status`,
      `${slice}.Resources.status`,
    ]);
    expect(edited(recording, 'rome', 'VirtualNode', conditions('Running', 'Creating'))).toEqual([
      'different VirtualNode liqo-tenant-milan/milan status.conditions.Node.status',
      'different VirtualNode liqo-tenant-milan/milan status.conditions.VirtualKubelet.status',
    ]);
    expect(edited(recording, 'milan', 'NamespaceMap', conditions('Accepted', 'CreationLoopBackOff'))).toEqual([
      'different NamespaceMap liqo-tenant-rome/milan status.currentMapping.demo.phase',
    ]);
    expect(edited(recording, 'rome', 'ResourceSlice', () => ({ status: {} })).length).toBeGreaterThan(1);
  });

  it('is a certificate that git does not have, where only git renews it', () => {
    const renewed = (it: KubernetesObject) => {
      const spec = it['spec'] as { readonly type: string; readonly authParams: object };
      return spec.type === 'ControlPlane'
        ? { spec: { ...spec, authParams: { ...spec.authParams, signedCRT: 'AAAA' } } }
        : {};
    };
    expect(edited(recording, 'rome', 'Identity', renewed)).toEqual([]);
    expect(edited(older, 'rome', 'Identity', renewed)).toEqual([
      'different Identity liqo-tenant-milan/controlplane-milan spec.authParams.signedCRT',
    ]);
  });

  it('is another CA, and not the zero bytes that a provider adds to one that it was given', () => {
    const withCa = (change: (ca: string) => string) => (it: KubernetesObject) => {
      const spec = it['spec'] as { readonly type: string; readonly authParams: { readonly ca: string } };
      if (spec.type !== 'ControlPlane') return {};
      return { spec: { ...spec, authParams: { ...spec.authParams, ca: change(spec.authParams.ca) } } };
    };
    const followedBy = (bytes: readonly number[]) =>
      withCa((ca) => Buffer.concat([Buffer.from(ca, 'base64'), Buffer.from(bytes)]).toString('base64'));
    expect(edited(recording, 'rome', 'Identity', followedBy([0, 0]))).toEqual([]);
    expect(edited(recording, 'rome', 'Identity', followedBy([0, 1]))).toEqual([
      'different Identity liqo-tenant-milan/controlplane-milan spec.authParams.ca',
    ]);
  });

  it('is a consumer, a slice or an offloaded namespace that git does not have', () => {
    if (recording === undefined) throw new Error('there is no such recording');
    for (const [cluster, kind] of [
      ['milan', 'Tenant'],
      ['rome', 'ResourceSlice'],
      ['rome', 'NamespaceOffloading'],
    ] as const) {
      const objects = dumped(recording, cluster);
      const more = objects
        .filter((it) => it.kind === kind)
        .map((it) => ({ ...it, metadata: { ...it.metadata, name: 'paris', namespace: 'liqo-tenant-paris' } }));
      expect(linesOf(recording, cluster, [...objects, ...more])).toEqual([`extra ${kind} liqo-tenant-paris/paris`]);
    }
  });

  it('is a nonce that is another one, and a Secret that is gone; values of other Secrets are never looked at', () => {
    const isNonce = (it: KubernetesObject) => it.metadata.name === 'liqo-nonce';
    expect(edited(recording, 'milan', 'Secret', (it) => (isNonce(it) ? { data: { nonce: 'AAAA' } } : {}))).toEqual([
      'different Secret liqo-tenant-rome/liqo-nonce data.nonce',
    ]);
    if (recording === undefined) throw new Error('there is no such recording');
    const without = dumped(recording, 'rome').filter((it) => it.metadata.name !== 'kubeconfig-controlplane-milan');
    expect(linesOf(recording, 'rome', without)).toEqual([
      'missing Secret liqo-tenant-milan/kubeconfig-controlplane-milan',
    ]);
  });
});
