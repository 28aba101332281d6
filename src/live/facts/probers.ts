import { readAddress } from '../../base/net/text.ts';
import { isJsonMap, listAt, textAt, textsAt } from '../dumps/json.ts';
import type { KubernetesObject } from '../dumps/kubernetes-object.ts';

/** A pod of a prober. */
export interface ObservedPod {
  readonly name: string;
  readonly node: string | null;
  /** Its address in its own cluster; `null` before it has one. */
  readonly address: number | null;
  readonly isReady: boolean;
  readonly isBeingDeleted: boolean;
  /** The reason for which a container waits, such as `ImagePullBackOff`; `null` when none does. */
  readonly waitsFor: string | null;
}

/** The objects of a cluster that are about its prober. */
export interface ObservedProber {
  readonly hasDeployment: boolean;
  readonly pods: readonly ObservedPod[];
  /** The single addresses of its external CIDR that it maps, with the real address of each. */
  readonly mappings: readonly ObservedMapping[];
  readonly services: readonly ObservedProberService[];
}

/** A Service of the name of the prober, in any namespace. */
export interface ObservedProberService {
  readonly namespace: string;
  /** Its cluster IP. */
  readonly address: number;
  /** The addresses in its EndpointSlices. */
  readonly endpoints: readonly number[];
}

/** An IP resource. Source: liqotech/liqo@v1.2.0 apis/ipam/v1alpha1/ip_types.go. */
interface ObservedMapping {
  readonly real: number;
  readonly external: number;
}

/** The facts in the objects with the names of a prober, and in IP resources. */
export function observeProber(objects: Iterable<KubernetesObject>, name: string): ObservedProber {
  const all = [...objects];
  return {
    hasDeployment: all.some((it) => it.kind === 'Deployment' && it.metadata.name === name),
    pods: all.filter((it) => it.kind === 'Pod').map(observePod),
    mappings: all.filter((it) => it.kind === 'IP').flatMap(observeMapping),
    services: all
      .filter((it) => it.kind === 'Service' && it.metadata.name === name)
      .flatMap((it) => observeService(it, all)),
  };
}

function observePod({ metadata, spec, status }: KubernetesObject): ObservedPod {
  const waiting = listAt(status, 'containerStatuses').flatMap((it) => textAt(it, 'state', 'waiting', 'reason') ?? []);
  const conditions = listAt(status, 'conditions').filter(isJsonMap);
  return {
    name: metadata.name,
    node: textAt(spec, 'nodeName') ?? null,
    address: readAddress(textAt(status, 'podIP') ?? '') ?? null,
    isReady: conditions.some((it) => it['type'] === 'Ready' && it['status'] === 'True'),
    isBeingDeleted: metadata['deletionTimestamp'] !== undefined,
    waitsFor: waiting[0] ?? null,
  };
}

function observeMapping({ spec, status }: KubernetesObject): readonly ObservedMapping[] {
  const [real, external] = [textAt(spec, 'ip'), textAt(status, 'ip')].map((it) => readAddress(it ?? ''));
  return real === undefined || external === undefined ? [] : [{ real, external }];
}

function observeService(
  { metadata, spec }: KubernetesObject,
  all: readonly KubernetesObject[],
): readonly ObservedProberService[] {
  const { namespace = '', name } = metadata;
  const address = readAddress(textAt(spec, 'clusterIP') ?? '');
  const slices = all.filter(
    (it) =>
      it.kind === 'EndpointSlice' &&
      it.metadata.namespace === namespace &&
      it.metadata.labels?.['kubernetes.io/service-name'] === name,
  );
  const endpoints = slices.flatMap((it) => listAt(it['endpoints']).flatMap((one) => textsAt(one, 'addresses')));
  if (address === undefined) return [];
  return [{ namespace, address, endpoints: endpoints.flatMap((it) => readAddress(it) ?? []) }];
}
