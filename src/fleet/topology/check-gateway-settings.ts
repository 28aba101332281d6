import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { GatewaySpec } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { ServiceType } from './declaration.ts';
import type { Report } from './report.ts';
import { checkRenderedString } from './texts/check-rendered-string.ts';

/** Keys for which Kubernetes accepts some types of Service only. For the others weft does not write them. */
type ServiceKey =
  | 'loadBalancerIP'
  | 'loadBalancerClass'
  | 'allocateLoadBalancerNodePorts'
  | 'externalTrafficPolicy'
  | 'nodePorts';

interface Services {
  /** The type where the gateway sets none. */
  readonly otherwise: ServiceType;
  /** The types that links name. */
  readonly ofLinks: ReadonlySet<ServiceType>;
}

/** Reports settings of a gateway that Liqo would misread, or that have no effect. */
export function checkGatewaySettings(
  cluster: string,
  gateway: Reading<GatewaySpec>,
  { otherwise, ofLinks }: Services,
  report: Report,
): void {
  const service = gateway.at('service').orDefault(otherwise).value;
  const without = (key: ServiceKey, needed: ServiceType, ...others: readonly ServiceType[]): void => {
    const setting = gateway.at(key);
    if (!setting.isPresent || [needed, ...others].some((it) => it === service || ofLinks.has(it))) return;
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
  without('loadBalancerClass', 'LoadBalancer');
  without('allocateLoadBalancerNodePorts', 'LoadBalancer');
  without('externalTrafficPolicy', 'LoadBalancer', 'NodePort');
  without('nodePorts', 'NodePort');
  checkRenderedStrings(cluster, gateway, report);
}

/** Strings outside labels and annotations that Liqo renders into the Deployment or the Service of a gateway. */
function checkRenderedStrings(cluster: string, gateway: Reading<GatewaySpec>, report: Report): void {
  const what = `the gateway of "${cluster}"`;
  const lbClass = gateway.at('loadBalancerClass').scalar();
  checkRenderedString(lbClass, what, 'use a class whose name is not a number', report);
  for (const { value } of gateway.at('nodeSelector').scalars()) {
    checkRenderedString(value, what, 'use a label whose value is not a number', report);
  }
  for (const it of gateway.at('tolerations').items()) {
    checkRenderedString(it.at('key').scalar(), what, 'use a taint whose key is not a number', report);
    checkRenderedString(it.at('value').scalar(), what, 'use a taint whose value is not a number', report);
  }
}
