import type { ClusterSpec } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { ARGO_CLUSTER_NAME } from '../formats/argo-cluster-name.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { DNS_SUBDOMAIN } from '../formats/dns-subdomain.ts';
import { SERVER_URL } from '../formats/server-url.ts';
import type { Report } from '../report.ts';
import { checkChartTexts } from './check-chart-texts.ts';
import { checkGatewayTexts } from './check-gateway-texts.ts';
import { checkLiqoTexts } from './check-liqo-texts.ts';
import { checkMonitoringTexts } from './check-monitoring-texts.ts';
import { checkResources } from './check-resources.ts';
import { checkText } from './check-text.ts';

/** `owner` follows the key in messages: `` of "rome"``, or `` in `defaults` ``. */
export function checkClusterTexts(cluster: Reading<ClusterSpec>, owner: string, report: Report): void {
  const gitops = cluster.at('gitops');
  checkText(cluster.at('renamedFrom').scalar(), DNS_LABEL, `\`renamedFrom\`${owner}`, report);
  checkLiqoTexts(cluster.at('liqo'), owner, report);
  checkResources(cluster.at('capacity'), `\`capacity\`${owner}`, report);
  checkGatewayTexts(cluster.at('gateway'), owner, report);
  checkMonitoringTexts(cluster.at('monitoring'), owner, report);
  checkChartTexts(cluster, owner, report);
  checkText(gitops.at('name').scalar(), ARGO_CLUSTER_NAME, `\`gitops.name\`${owner}`, report);
  checkText(gitops.at('server').scalar(), SERVER_URL, `\`gitops.server\`${owner}`, report);
  checkText(gitops.at('kubeConfigSecret').scalar(), DNS_SUBDOMAIN, `\`gitops.kubeConfigSecret\`${owner}`, report);
}
