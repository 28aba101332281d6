import { parse, parseAllDocuments } from 'yaml';
import type { HelmValues } from './chart/helm-values.ts';
import { keySecret } from './controllers/gateway-keys.ts';
import {
  copied,
  field,
  type KubernetesList,
  keyOfObject,
  REMOTE,
  type ReleaseLine,
  type SimulatedObject,
} from './objects.ts';
import { operateShortcuts } from './shortcut-operator.ts';
import { type ClusterSettings, SimulatedCluster } from './simulated-cluster.ts';

/** The delivery of a fleet's bundle to its clusters. */
export interface HowApplied extends Partial<Omit<ClusterSettings, 'values' | 'release'>> {
  /** The release of Liqo, of all clusters or of each. */
  readonly release?: ReleaseLine | ((cluster: string) => ReleaseLine);
  /**
   * By waves, waiting between them for rest; the same from the last wave to the first; all at once; or in the order of
   * a function, without waiting. Namespaces are always first.
   */
  readonly order?:
    | 'waves'
    | 'reverse'
    | 'at-once'
    | ((objects: readonly SimulatedObject[]) => readonly SimulatedObject[]);
  /** Without the Secrets that `weft keys` writes, gateways wait for them. */
  readonly secrets?: 'all' | 'none';
}

/**
 * Clusters as the controllers of Liqo leave them after the bundle of a fleet was applied: the live counterpart of `weft
 * compile`, from the texts of the bundle alone. The output has the form of `kubectl get ... -A -o json`.
 */
export function simulateFleet(
  bundle: ReadonlyMap<string, string>,
  how: HowApplied = {},
): ReadonlyMap<string, KubernetesList> {
  return new Map([...rolloutOf(bundle, how)].map(([id, cluster]) => [id, listOf(cluster)]));
}

/** The clusters, still running. */
export function rolloutOf(
  bundle: ReadonlyMap<string, string>,
  how: HowApplied = {},
): ReadonlyMap<string, SimulatedCluster> {
  const clusters = new Map(clustersOf(bundle).map((id) => [id, rollOut(bundle, id, how)]));
  operateShortcuts(clusters);
  return clusters;
}

const VALUES = /^([^/]+)\/helm-values\.yaml$/;

const clustersOf = (bundle: ReadonlyMap<string, string>): readonly string[] =>
  [...bundle.keys()].flatMap((it) => VALUES.exec(it)?.[1] ?? []);

/** Installs Liqo in one cluster and applies the folder of it. */
export function rollOut(bundle: ReadonlyMap<string, string>, id: string, how: HowApplied = {}): SimulatedCluster {
  const { release = '1.2', order = 'waves', secrets = 'all', ...settings } = how;
  const cluster = new SimulatedCluster({
    ...settings,
    release: typeof release === 'string' ? release : release(id),
    values: parse(bundle.get(`${id}/helm-values.yaml`) ?? '') as HelmValues,
  });
  const objects = appliedTo(bundle, id);
  const whole = secrets === 'none' ? objects : [...objects, ...secretsFor(objects)];
  for (const wave of inOrder(whole, order)) {
    for (const it of wave) cluster.apply(it);
    if (order === 'waves' || order === 'reverse') cluster.rest();
  }
  cluster.rest();
  return cluster;
}

/** The objects that the bundle has for a cluster. */
export function appliedTo(bundle: ReadonlyMap<string, string>, id: string): readonly SimulatedObject[] {
  const isApplied = /^(peers|boundaries|gateway-templates|shortcuts|conformance)\/.*(?<!kustomization)\.yaml$/;
  return [...bundle]
    .filter(([path]) => path.startsWith(`${id}/`) && isApplied.test(path.slice(id.length + 1)))
    .flatMap(([, text]) => parseAllDocuments(text).map((it) => it.toJS() as SimulatedObject))
    .filter((it) => it !== null)
    .map(withReadyPod);
}

/** A Deployment of the bundle, which is a prober, runs. */
function withReadyPod(object: SimulatedObject): SimulatedObject {
  return object.kind === 'Deployment' ? { ...object, status: { readyReplicas: 1 } } : object;
}

/** The Secrets that the gateways name, as `weft keys` writes them. */
function secretsFor(objects: readonly SimulatedObject[]): readonly SimulatedObject[] {
  return objects.flatMap((it) => {
    const name = field<string>(it, 'spec', 'secretRef', 'name');
    if (!/^Gateway/.test(it.kind) || name === undefined) return [];
    const secret = keySecret(name, it.metadata.namespace ?? '', it.metadata.labels?.[REMOTE] ?? '');
    secret.metadata.annotations = { 'argocd.argoproj.io/sync-wave': '-29' };
    return [secret];
  });
}

const waveOf = ({ metadata: { annotations } }: SimulatedObject): number =>
  Number(annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);

function inOrder(
  objects: readonly SimulatedObject[],
  order: NonNullable<HowApplied['order']>,
): readonly (readonly SimulatedObject[])[] {
  // Nothing can be made in a namespace that is not there.
  const namespaces = objects.filter((it) => it.kind === 'Namespace');
  const others = objects.filter((it) => it.kind !== 'Namespace');
  if (typeof order === 'function') return [namespaces, order(others)];
  if (order === 'at-once') return [namespaces, others];
  const waves = new Map<number, SimulatedObject[]>();
  for (const it of others) waves.set(waveOf(it), [...(waves.get(waveOf(it)) ?? []), it]);
  const sorted = [...waves].sort(([a], [b]) => (order === 'waves' ? a - b : b - a));
  return [namespaces, ...sorted.map(([, wave]) => wave)];
}

/** The output of `kubectl get ... -A -o json` for a cluster: by API, kind, namespace and name. */
export const listOf = (cluster: SimulatedCluster): KubernetesList => listOfObjects(cluster.server.all());

export function listOfObjects(objects: readonly SimulatedObject[]): KubernetesList {
  const key = (it: SimulatedObject): string => `${it.apiVersion} ${keyOfObject(it)}`;
  const items = [...objects].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '' }, items: copied(items) };
}
