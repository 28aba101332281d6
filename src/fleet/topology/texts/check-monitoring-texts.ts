import type { ClusterSpec } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { LABEL_VALUE } from '../formats/label-value.ts';
import { PROMETHEUS_DURATION } from '../formats/prometheus-duration.ts';
import { LABEL_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

type MonitoringSpec = NonNullable<ClusterSpec['monitoring']>;

/** `owner` follows the key in messages: `` of "rome"``, or `` in `defaults` ``. */
export function checkMonitoringTexts(monitoring: Reading<MonitoringSpec>, owner: string, report: Report): void {
  checkText(monitoring.at('namespace').scalar(), DNS_LABEL, `\`monitoring.namespace\`${owner}`, report);
  for (const { name, value } of monitoring.at('labels').scalars()) {
    checkText(name, LABEL_KEY, `a key of \`monitoring.labels\`${owner}`, report);
    checkText(value, LABEL_VALUE, `a value of \`monitoring.labels\`${owner}`, report);
  }
  for (const key of ['downFor', 'latencyAbove', 'latencyFor'] as const) {
    checkText(monitoring.at(key).scalar(), PROMETHEUS_DURATION, `\`monitoring.${key}\`${owner}`, report);
  }
}
