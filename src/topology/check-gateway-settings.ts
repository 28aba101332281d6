import { diagnostic } from '../diagnostics/diagnostic.ts';
import type { GatewaySpec } from '../schema-types/topology.ts';
import type { Located } from '../source/located.ts';
import type { Reading } from '../source/reading.ts';
import type { ServiceType } from './declaration.ts';
import type { Report } from './report.ts';

/** Reports settings of a gateway that Liqo would misread, or that have no effect. */
export function checkGatewaySettings(cluster: string, gateway: Reading<GatewaySpec>, report: Report): void {
  const service = gateway.at('service').orDefault('NodePort').value;
  const without = (key: 'loadBalancerIP' | 'nodePorts', needed: ServiceType): void => {
    const setting = gateway.at(key);
    if (!setting.isPresent || service === needed) return;
    report(
      diagnostic(
        'topology/unused-setting',
        setting.keySpan,
        `\`${key}\` of "${cluster}" has no effect on a ${service} service`,
        {
          hint: `set \`service: ${needed}\`, or remove \`${key}\``,
        },
      ),
    );
  };
  without('loadBalancerIP', 'LoadBalancer');
  without('nodePorts', 'NodePort');
  checkRenderedStrings(cluster, gateway, report);
}

/**
 * The operator turns every rendered string that reads as an integer into one, outside labels and annotations, and the
 * Deployment is then refused. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
function checkRenderedStrings(cluster: string, gateway: Reading<GatewaySpec>, report: Report): void {
  const rendered: readonly (Located<string> | undefined)[] = [
    ...[...gateway.at('nodeSelector').scalars()].map((it) => it.value),
    ...gateway
      .at('tolerations')
      .items()
      .map((it) => it.at('value').scalar()),
  ];
  for (const text of rendered) {
    if (!text || !/^[-+]?\d+$/.test(text.value)) continue;
    report(
      diagnostic(
        'topology/integer-like-value',
        text.at,
        `Liqo turns "${text.value}" into a number when it renders the gateway of "${cluster}", which Kubernetes rejects`,
        {
          hint: 'use a label whose value is not a number',
        },
      ),
    );
  }
}
