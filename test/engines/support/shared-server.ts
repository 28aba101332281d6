import type { ControlPlane } from './control-plane.ts';
import type { LiveObject } from './kube.ts';
import { configured, gatewayStatus } from './play-liqo.ts';
import type { PlayedFleet } from './played-fleet.ts';

/** `spoke-007` */
export const spokeName = (i: number): string => `spoke-${String(i).padStart(3, '0')}`;

/** One API server that an engine takes for that of many spokes. */
export interface SharedServer {
  readonly plane: ControlPlane;
  /** The API server as the one of a spoke, with an address of its own: clients ignore the query. */
  as(spoke: number): ControlPlane;
  stop(): void;
}

/**
 * Starts an API server for spokes whose bundles name different namespaces. Liqo's answers are played: a network that needs
 * no remap is seen as it is.
 */
export async function startSharedServer(fleet: PlayedFleet): Promise<SharedServer> {
  const plane = await fleet.addCluster('spokes');
  const end = new AbortController();
  const answer = (kind: string, statusOf: (object: LiveObject) => object) =>
    void plane.kube.watch({ apiVersion: 'networking.liqo.io/v1beta1', kind }, end.signal, async ({ type, object }) => {
      const isAnswered = object['status']?.remote !== undefined || object['status']?.clientRef !== undefined;
      if (type !== 'DELETED' && !isAnswered) await plane.kube.setStatus(object, statusOf(object));
    });
  answer('Configuration', (it) => ({ remote: it['spec'].remote, conditions: [configured(it)] }));
  answer('GatewayClient', gatewayStatus);
  return {
    plane,
    as: (spoke) => ({ ...plane, name: spokeName(spoke), url: `${plane.url}?cluster=${spokeName(spoke)}` }),
    stop: () => end.abort(),
  };
}
