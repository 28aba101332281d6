import type { GatewaySpec } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { GO_DURATION } from '../formats/go-duration.ts';
import { LOAD_BALANCER_CLASS } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkAnnotations } from './check-annotations.ts';
import { checkLabels } from './check-labels.ts';
import { checkText } from './check-text.ts';
import { checkToleration } from './check-toleration.ts';

/** `owner` follows the key in messages: `` of "rome"``, or `` in `defaults` ``. */
export function checkGatewayTexts(gateway: Reading<GatewaySpec>, owner: string, report: Report): void {
  checkLabels(gateway.at('nodeSelector'), `\`nodeSelector\`${owner}`, report);
  for (const it of gateway.at('tolerations').items()) checkToleration(it, owner, report);
  checkText(gateway.at('loadBalancerClass').scalar(), LOAD_BALANCER_CLASS, `\`loadBalancerClass\`${owner}`, report);
  checkAnnotations(gateway.at('serviceAnnotations'), `\`serviceAnnotations\`${owner}`, report);
  const ping = gateway.at('ping');
  checkText(ping.at('interval').scalar(), GO_DURATION, `\`ping.interval\`${owner}`, report);
  checkText(ping.at('updateStatusInterval').scalar(), GO_DURATION, `\`ping.updateStatusInterval\`${owner}`, report);
}
