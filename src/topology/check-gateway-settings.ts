import { diagnostic } from '../diagnostics/diagnostic.ts';
import { type DocumentNode, type DocumentPath, keySpanAt, nodeAt } from '../source/document-node.ts';
import { scalarAt } from '../source/located.ts';
import type { Report } from './read-cidr.ts';

/** Settings of a gateway that Liqo would misread, or that nothing would read. */
export function checkGatewaySettings(cluster: string, node: DocumentNode, report: Report): void {
  if (nodeAt(node, ['gateway'])?.kind !== 'map') return;
  const service = scalarAt<string>(node, ['gateway', 'service'])?.value ?? 'NodePort';
  const without = (key: string, needed: string): void => {
    const path = ['gateway', key];
    if (!nodeAt(node, path) || service === needed) return;
    report(
      diagnostic(
        'topology/unused-setting',
        keySpanAt(node, path),
        `\`${key}\` of "${cluster}" has no effect on a ${service} service`,
        {
          hint: `set \`service: ${needed}\`, or take \`${key}\` away`,
        },
      ),
    );
  };
  without('loadBalancerIP', 'LoadBalancer');
  without('nodePorts', 'NodePort');
  checkRenderedStrings(cluster, node, report);
}

/**
 * The operator turns every rendered string that reads as an integer into one, outside labels and annotations, and the
 * Deployment is then refused. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
function checkRenderedStrings(cluster: string, node: DocumentNode, report: Report): void {
  const selector = nodeAt(node, ['gateway', 'nodeSelector']);
  const tolerations = nodeAt(node, ['gateway', 'tolerations']);
  const paths: DocumentPath[] = [
    ...(selector?.kind === 'map' ? [...selector.entries.keys()].map((key) => ['gateway', 'nodeSelector', key]) : []),
    ...(tolerations?.kind === 'list' ? tolerations.items.map((_, i) => ['gateway', 'tolerations', i, 'value']) : []),
  ];
  for (const path of paths) {
    const value = scalarAt<string>(node, path);
    if (!value || !/^[-+]?\d+$/.test(String(value.value))) continue;
    report(
      diagnostic(
        'topology/integer-like-value',
        value.at,
        `Liqo turns "${value.value}" into a number when it renders the gateway of "${cluster}", and Kubernetes refuses that`,
        {
          hint: 'use a label whose value is not a number',
        },
      ),
    );
  }
}
