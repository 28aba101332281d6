import { field } from '../objects.ts';
import { type Controller, itself } from './controller.ts';

const FINALIZER = 'network.ipam.liqo.io/finalizer';

/**
 * Asks the IPAM for every Network, in a second pass after its finalizer, and gives back what is deleted.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/network-controller/network_controller.go.
 */
export const networks: Controller = {
  name: 'network',
  watches: { Network: itself },
  reconcile({ server, ipam }, namespace, name) {
    const network = server.get('Network', name, namespace);
    if (network === undefined) return true;
    const { labels = {}, annotations = {}, finalizers = [], deletionTimestamp } = network.metadata;
    const given = field<string>(network, 'status', 'cidr');
    if (deletionTimestamp !== undefined) {
      if (given !== undefined) ipam.release(given);
      server.update(network, (it) => {
        it.metadata.finalizers = finalizers.filter((one) => one !== FINALIZER);
      });
      return true;
    }
    if (annotations['liqo.io/preinstalled'] !== 'true' && !finalizers.includes(FINALIZER)) {
      server.update(network, (it) => {
        it.metadata.finalizers = [...finalizers, FINALIZER];
      });
      return true;
    }
    if (given !== undefined) return true;
    const wanted = String(network.spec?.['cidr']);
    const shared = labels['ipam.liqo.io/network-shared'] === 'true';
    const isPinned = labels['ipam.liqo.io/network-not-remapped'] === 'true';
    const cidr = isPinned ? ipam.reserve(wanted, { shared }) : ipam.acquire(wanted);
    if (cidr === undefined) return false;
    ipam.reserveFirst(cidr, field<number>(network, 'spec', 'preAllocated') ?? 0);
    server.update(network, (it) => {
      it.status = { cidr };
    });
    return true;
  },
};
