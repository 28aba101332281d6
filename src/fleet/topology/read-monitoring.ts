import type { ClusterSpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Monitoring } from './declaration.ts';
import { millisecondsOf } from './formats/prometheus-duration.ts';

/** The alerts of a cluster; `null` where the topology asks for none. Another check reports texts that are none. */
export function readMonitoring(monitoring: Reading<NonNullable<ClusterSpec['monitoring']>>): Monitoring | null {
  const asked = monitoring.at('prometheusRules').orDefault(false);
  if (!asked.value) return null;
  return {
    at: asked.at,
    namespace: monitoring.at('namespace').scalar()?.value ?? null,
    labels: monitoring.at('labels').textMap(),
    downFor: monitoring.at('downFor').orDefault('5m').value,
    latencyAboveMilliseconds: millisecondsOf(monitoring.at('latencyAbove').orDefault('500ms').value) ?? 0,
    latencyFor: monitoring.at('latencyFor').orDefault('10m').value,
  };
}
