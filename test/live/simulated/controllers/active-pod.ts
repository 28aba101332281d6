import type { ApiServer } from '../api-server.ts';
import { field, type SimulatedObject } from '../objects.ts';

/** The one gateway pod of a namespace that carries traffic. */
export function activePod(server: ApiServer, namespace: string): SimulatedObject | undefined {
  const active = server
    .list('Pod', { 'networking.liqo.io/component': 'gateway', 'networking.liqo.io/active': 'true' })
    .filter((it) => it.metadata.namespace === namespace && field(it, 'status', 'phase') === 'Running');
  return active.length === 1 ? active[0] : undefined;
}
