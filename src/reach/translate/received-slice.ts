import { sortedRecord } from '../../base/core/collections.ts';
import { printAddress, symbolicAddress } from '../../base/net/text.ts';
import { MANAGED_BY_LABEL, OFFLOADING_DESTINATION_LABEL, OFFLOADING_ORIGIN_LABEL } from '../../base/releases/labels.ts';
import type { Arrival, Json, JsonMap, TranslatedSlice, Translation, Way } from './translation.ts';

/**
 * The EndpointSlice that the receiver creates, with labels and annotations of the hub's slice and without values that
 * only apply to one cluster. The namespace is left out: it depends on the offloading of the hub's namespace. Source:
 * liqotech/liqo@v1.2.0 pkg/virtualKubelet/forge/endpointslices.go,
 * pkg/liqo-controller-manager/offloading/shadowendpointslice-controller.
 */
export function receivedSlice(
  { hub, receiver, isLinkUp }: Translation,
  { slice, endpoints, results }: TranslatedSlice,
  way: Way,
): JsonMap {
  const result = results[way];
  const annotations = { ...slice.annotations, ...result?.annotations };
  const labels = {
    ...slice.labels,
    'endpointslice.kubernetes.io/managed-by': 'endpointslice.reflection.liqo.io',
    [MANAGED_BY_LABEL]: 'shadowendpointslice',
    [OFFLOADING_DESTINATION_LABEL]: receiver,
    [OFFLOADING_ORIGIN_LABEL]: hub,
    ...result?.labels,
  };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: slice.name,
      labels: sortedRecord(labels),
      annotations: Object.keys(annotations).length === 0 ? undefined : sortedRecord(annotations),
    },
    addressType: 'IPv4',
    endpoints: endpoints.flatMap((addresses, index) => {
      const texts = addresses.flatMap((it) => addressTexts(it.arrivals[way]?.arrival));
      return texts.length === 0
        ? []
        : [receivedEndpoint({ hub, isLinkUp }, slice.endpoints[index]?.plain ?? {}, texts)];
    }),
    ports: slice.ports,
  };
}

/** The endpoint that the receiver creates: its node is the hub, and its target gets a remote kind. */
function receivedEndpoint(
  { hub, isLinkUp }: Pick<Translation, 'hub' | 'isLinkUp'>,
  plain: JsonMap,
  addresses: readonly string[],
): JsonMap {
  const ready = isMap(plain['conditions']) ? plain['conditions']['ready'] : undefined;
  const target = plain['targetRef'];
  return {
    addresses,
    // The receiver treats an endpoint as not ready while the network to its origin is down. Source:
    // liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/shadowendpointslice-controller.
    conditions: { ready: isLinkUp && ready !== false },
    hostname: plain['hostname'],
    targetRef: isMap(target) ? { ...target, kind: `Remote${String(target['kind'] ?? '')}` } : undefined,
    nodeName: hub,
    zone: plain['zone'],
    hints: plain['hints'],
  };
}

function addressTexts(arrival: Arrival | undefined): readonly string[] {
  if (arrival?.kind === 'known') return [printAddress(arrival.received)];
  return arrival?.kind === 'run-time' ? [symbolicAddress(arrival.receivedIn)] : [];
}

const isMap = (value: Json | undefined): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
