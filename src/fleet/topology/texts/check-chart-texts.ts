import type { ClusterSpec } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { DNS_SUBDOMAIN } from '../formats/dns-subdomain.ts';
import { ANNOTATION_KEY, LABEL_KEY } from '../formats/qualified-name.ts';
import type { Report } from '../report.ts';
import { checkAnnotations } from './check-annotations.ts';
import { checkLabels } from './check-labels.ts';
import { checkResources } from './check-resources.ts';
import { checkText } from './check-text.ts';

/** The texts of `lending`, `virtualKubelet` and `reflection`. `owner` follows the key: `` of "rome"``. */
export function checkChartTexts(cluster: Reading<ClusterSpec>, owner: string, report: Report): void {
  const [lending, kubelet] = [cluster.at('lending'), cluster.at('virtualKubelet')];
  const reflection = cluster.at('reflection');
  checkResources(lending.at('defaultResources'), `\`lending.defaultResources\`${owner}`, report);
  checkText(lending.at('storageClass').scalar(), DNS_SUBDOMAIN, `\`lending.storageClass\`${owner}`, report);
  for (const key of ['ingressClasses', 'loadBalancerClasses'] as const) {
    for (const it of lending.at(key).texts() ?? []) checkText(it, DNS_SUBDOMAIN, `\`lending.${key}\`${owner}`, report);
  }
  checkLabels(lending.at('nodeLabels'), `\`lending.nodeLabels\`${owner}`, report);
  for (const key of ['labels', 'nodeLabels'] as const) {
    checkLabels(kubelet.at(key), `\`virtualKubelet.${key}\`${owner}`, report);
  }
  for (const key of ['annotations', 'nodeAnnotations'] as const) {
    checkAnnotations(kubelet.at(key), `\`virtualKubelet.${key}\`${owner}`, report);
  }
  for (const it of reflection.at('skipLabels').texts() ?? []) {
    checkText(it, LABEL_KEY, `\`reflection.skipLabels\`${owner}`, report);
  }
  for (const it of reflection.at('skipAnnotations').texts() ?? []) {
    checkText(it, ANNOTATION_KEY, `\`reflection.skipAnnotations\`${owner}`, report);
  }
}
