import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';
import type { Images } from './observed-cluster.ts';

/** Helm writes the version of the chart on every object of it. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl. */
export function releaseAmong(objects: readonly KubernetesObject[]): string | null {
  const counts = new Map<string, number>();
  for (const { metadata } of objects) {
    const [, version] = /^liqo-v(\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?)$/.exec(metadata.labels?.['helm.sh/chart'] ?? '') ?? [];
    if (version !== undefined) counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-ipam-deployment.yaml. */
export function poolsAmong(objects: readonly KubernetesObject[]): readonly string[] | null {
  const ipam = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-ipam');
  const args = containersOf(ipam).flatMap((it) =>
    isJsonMap(it) && Array.isArray(it['args']) ? (it['args'] as readonly Json[]) : [],
  );
  const pools = args.find((it) => typeof it === 'string' && it.startsWith('--pools='));
  return typeof pools === 'string' ? pools.slice('--pools='.length).split(',') : null;
}

/** The images of the chart, by those of its controller manager. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
export function imagesAmong(objects: readonly KubernetesObject[]): Images | null {
  const manager = objects.find((it) => it.kind === 'Deployment' && it.metadata.name === 'liqo-controller-manager');
  const [image] = containersOf(manager).map((it) => textAt(it, 'image'));
  const [, registry, tag] = /^(.+)\/liqo-controller-manager:([^@]+)/.exec(image ?? '') ?? [];
  return registry === undefined || tag === undefined ? null : { registry, tag };
}

function containersOf(deployment: KubernetesObject | undefined): readonly Json[] {
  const containers = jsonAt(deployment?.['spec'], 'template', 'spec', 'containers');
  return Array.isArray(containers) ? (containers as readonly Json[]) : [];
}
