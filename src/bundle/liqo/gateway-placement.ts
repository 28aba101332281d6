import { sortedRecord } from '../../base/core/order.ts';
import { GATEWAY_NAME_LABEL } from '../../base/releases/labels.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { Toleration } from '../../fleet/model/network-model.ts';
import { isReplicated } from './gateway-containers.ts';
import { goText } from './go-text.ts';
import { yamlScalar } from './yaml-scalar.ts';

/** The lines of a gateway's pod spec that restrict its nodes; none when the topology does not restrict them. */
export function gatewayPlacement(cluster: AddressedCluster): readonly string[] {
  return [...nodeSelector(cluster), ...antiAffinity(cluster), ...tolerations(cluster)];
}

function nodeSelector({ gateway }: AddressedCluster): readonly string[] {
  const entries = yamlEntries(gateway.nodeSelector);
  return entries.length === 0 ? [] : ['nodeSelector:', ...entries.map((it) => `  ${it}`)];
}

/** Replicas of one gateway run on different nodes, so that the failure of one node stops only one of them. */
function antiAffinity(cluster: AddressedCluster): readonly string[] {
  if (!isReplicated(cluster)) return [];
  return [
    'affinity:',
    '  podAntiAffinity:',
    '    requiredDuringSchedulingIgnoredDuringExecution:',
    '      - labelSelector:',
    '          matchLabels:',
    `            ${GATEWAY_NAME_LABEL}: "{{ .Name }}"`,
    '        topologyKey: kubernetes.io/hostname',
  ];
}

function tolerations({ gateway }: AddressedCluster): readonly string[] {
  if (gateway.tolerations.length === 0) return [];
  return ['tolerations:', ...gateway.tolerations.flatMap(tolerationLines).map((it) => `  ${it}`)];
}

function tolerationLines({ key, operator, value, effect, tolerationSeconds }: Toleration): readonly string[] {
  const members = [
    ...[{ key }, { operator }, { value }, { effect }].flatMap((it) => yamlEntries(it)),
    ...(tolerationSeconds === undefined ? [] : [`tolerationSeconds: ${tolerationSeconds}`]),
  ];
  // An empty toleration is kept as `{}`, so that the list has as many entries as in the topology.
  return members.length === 0 ? ['- {}'] : members.map((it, index) => `${index === 0 ? '- ' : '  '}${it}`);
}

/**
 * `key: "value"` lines sorted by key, escaped for YAML and for Go's templates; members that are `undefined` are left
 * out.
 */
export function yamlEntries(record: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.entries(record).filter((it): it is [string, string] => it[1] !== undefined);
  return Object.entries(sortedRecord(Object.fromEntries(known))).map(
    ([key, value]) => `${yamlScalar(key)}: ${yamlScalar(goText(value))}`,
  );
}
