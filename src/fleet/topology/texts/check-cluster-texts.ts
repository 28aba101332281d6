import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ClusterSpec, GatewaySpec } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import type { Toleration } from '../declaration.ts';
import { ARGO_CLUSTER_NAME, DNS_LABEL, DNS_SUBDOMAIN } from '../formats/dns-names.ts';
import { GO_DURATION, PROMETHEUS_DURATION } from '../formats/durations.ts';
import { ANNOTATION_KEY, LABEL_KEY, LABEL_VALUE, LOAD_BALANCER_CLASS } from '../formats/labels-and-resources.ts';
import { IMAGE_REGISTRY, IMAGE_TAG } from '../formats/repositories-and-images.ts';
import { SERVER_URL } from '../formats/servers.ts';
import type { Report } from '../report.ts';
import { checkAnnotations, checkLabels, checkResources, checkText } from './check-text.ts';

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

/** `owner` follows the key in messages: `` of "rome"``, or `` in `defaults` ``. */
function checkGatewayTexts(gateway: Reading<GatewaySpec>, owner: string, report: Report): void {
  checkLabels(gateway.at('nodeSelector'), `\`nodeSelector\`${owner}`, report);
  for (const it of gateway.at('tolerations').items()) checkToleration(it, owner, report);
  checkText(gateway.at('loadBalancerClass').scalar(), LOAD_BALANCER_CLASS, `\`loadBalancerClass\`${owner}`, report);
  checkAnnotations(gateway.at('serviceAnnotations'), `\`serviceAnnotations\`${owner}`, report);
  const ping = gateway.at('ping');
  checkText(ping.at('interval').scalar(), GO_DURATION, `\`ping.interval\`${owner}`, report);
  checkText(ping.at('updateStatusInterval').scalar(), GO_DURATION, `\`ping.updateStatusInterval\`${owner}`, report);
}

/**
 * Reports a toleration that an API server refuses, with the whole Deployment of the gateway.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateTolerations).
 */
function checkToleration(toleration: Reading<Toleration>, owner: string, report: Report): void {
  const key = toleration.at('key').scalar();
  const value = toleration.at('value').scalar();
  const exists = toleration.at('operator').scalar()?.value === 'Exists';
  const what = `of a toleration${owner}`;
  const wrong = (at: Diagnostic['span'], message: string, hint: string): void =>
    report(diagnostic('topology/wrong-value', at, message, { hint }));
  if (key && key.value !== '') checkText(key, LABEL_KEY, `\`key\` ${what}`, report);
  if (value && !exists) checkText(value, LABEL_VALUE, `\`value\` ${what}`, report);
  if ((!key || key.value === '') && !exists) {
    const message = `a toleration${owner} has no \`key\`, which Kubernetes accepts only with \`operator: Exists\``;
    wrong(toleration.span, message, 'add the `key` of the taint, or `operator: Exists` for every taint');
  }
  if (exists && value && value.value !== '') {
    const message = `a toleration${owner} has a \`value\`, which Kubernetes does not accept with \`operator: Exists\``;
    wrong(value.at, message, 'remove the `value`, or write `operator: Equal`');
  }
  const seconds = toleration.at('tolerationSeconds');
  if (seconds.isPresent && toleration.at('effect').scalar()?.value !== 'NoExecute') {
    const message = `\`tolerationSeconds\` ${what} needs \`effect: NoExecute\``;
    wrong(seconds.keySpan, message, 'set `effect: NoExecute`, or remove `tolerationSeconds`');
  }
}

/** The texts of `lending`, `virtualKubelet` and `reflection`. `owner` follows the key: `` of "rome"``. */
function checkChartTexts(cluster: Reading<ClusterSpec>, owner: string, report: Report): void {
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

/** The texts that `liqo` has in the fleet and in a cluster. */
interface LiqoTexts {
  readonly namespace?: string;
  readonly image?: { readonly registry?: string; readonly tag?: string };
}

/** `owner` follows the key in messages: `` of "rome"``, or nothing for the fleet. */
export function checkLiqoTexts(liqo: Reading<LiqoTexts>, owner: string, report: Report): void {
  const image = liqo.at('image');
  checkText(liqo.at('namespace').scalar(), DNS_LABEL, `\`liqo.namespace\`${owner}`, report);
  checkText(image.at('registry').scalar(), IMAGE_REGISTRY, `\`liqo.image.registry\`${owner}`, report);
  checkText(image.at('tag').scalar(), IMAGE_TAG, `\`liqo.image.tag\`${owner}`, report);
}

type MonitoringSpec = NonNullable<ClusterSpec['monitoring']>;

/** `owner` follows the key in messages: `` of "rome"``, or `` in `defaults` ``. */
function checkMonitoringTexts(monitoring: Reading<MonitoringSpec>, owner: string, report: Report): void {
  checkText(monitoring.at('namespace').scalar(), DNS_LABEL, `\`monitoring.namespace\`${owner}`, report);
  for (const { name, value } of monitoring.at('labels').scalars()) {
    checkText(name, LABEL_KEY, `a key of \`monitoring.labels\`${owner}`, report);
    checkText(value, LABEL_VALUE, `a value of \`monitoring.labels\`${owner}`, report);
  }
  for (const key of ['downFor', 'latencyAbove', 'latencyFor'] as const) {
    checkText(monitoring.at(key).scalar(), PROMETHEUS_DURATION, `\`monitoring.${key}\`${owner}`, report);
  }
}
