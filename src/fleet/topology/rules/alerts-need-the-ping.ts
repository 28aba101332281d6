import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/**
 * A gateway that does not check its tunnel reports it as connected whatever happens, so no alert can say that it is down.
 * Source: liqotech/liqo@v1.2.0 pkg/gateway/connection (`--ping-enabled`).
 */
export const alertsNeedThePing: TopologyRule = function* ({ clusters }) {
  for (const { name, gateway, monitoring, retired } of clusters) {
    if (retired || monitoring === null || gateway.ping?.enabled !== false) continue;
    const message = `no alert of "${name}" says that a tunnel is down or slow, because its gateways do not check their tunnels`;
    yield diagnostic('topology/alerts-without-ping', monitoring.at, message, {
      about: [[name]],
      hint: 'remove `ping: false`, or rely on the alerts of the peers',
    });
  }
};
