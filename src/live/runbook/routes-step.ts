import { moveHost } from '../../base/net/prefix.ts';
import { prefixOf, printAddress } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { type Check, type LinkEnd, onNode, type RunbookStep } from './runbook.ts';
import { tunnelAddress } from './tunnel-step.ts';

/** A host of each network, as an example. */
const HOST = 10;

/** Whether nodes and gateways know the way. */
export const routesStep = (ends: readonly [LinkEnd, LinkEnd]): RunbookStep => ({
  id: 'routes',
  title: 'Routes: on a node, into the tunnel, and out of it',
  checks: [...checksOf(ends[0], ends[1]), ...checksOf(ends[1], ends[0])],
  outcomes: [
    {
      when: 'a RouteConfiguration is missing',
      next: 'the InternalFabric or the Configuration is not ready: go back to the objects',
    },
    {
      when: 'the node sends it to its default gateway',
      next: 'the fabric pod of that node did not apply the routes: see its log (DaemonSet liqo-fabric)',
    },
    {
      when: 'another rule catches it first',
      next: '"ip rule" lists them in order: a node network that overlaps the view must be in `reserved`',
    },
  ],
});

function checksOf(end: LinkEnd, far: LinkEnd): readonly Check[] {
  const { name, names, cluster, peer, kubectl, inGateway } = end;
  const dialled = hostIn(end.views[0]);
  const real = hostIn(far.pods[0]);
  const sender = hostIn(end.pods[0]);
  const seenSource = hostIn(end.views[0]);
  const next = tunnelAddress(peer.role === 'server' ? 'client' : 'server');
  const routes = [`${names.configuration}-gw-ext`, `${end.far}-node-gw`];
  return [
    {
      cluster: name,
      command: kubectl(`get routeconfigurations.networking.liqo.io ${routes.join(' ')}`),
      expect: [{ what: 'RouteConfigurations', value: routes.join(', ') }],
    },
    {
      cluster: name,
      command: kubectl(
        `get internalfabrics.networking.liqo.io ${end.far} -o jsonpath='{.spec.interface}{"\\n"}' && kubectl --context ${name} get internalnodes.networking.liqo.io -o yaml`,
      ),
      expect: [
        {
          what: 'names of the Geneve interfaces: in the first on nodes, in the InternalNodes in gateways (GENEVE)',
          value: 'liqo.*',
        },
      ],
    },
    {
      cluster: name,
      command: onNode(cluster, `ip route get ${dialled}`),
      expect: [{ what: 'via the internal address of the gateway, dev', value: 'liqo.*' }],
    },
    {
      cluster: name,
      command: inGateway(`ip route get ${real} from ${sender} iif GENEVE`),
      expect: [{ what: `via, dev ${TUNNEL_INTERFACE}`, value: next }],
    },
    {
      cluster: name,
      command: inGateway(`ip route get ${sender} from ${seenSource} iif ${TUNNEL_INTERFACE}`),
      expect: [
        { what: 'for the address of a pod that runs: via the internal address of its node, dev', value: 'liqo.*' },
      ],
    },
  ];
}

const hostIn = (network: string | undefined): string => {
  const prefix = prefixOf(network ?? '0.0.0.0/32');
  return printAddress(moveHost(prefix.base + Math.min(HOST, 2 ** (32 - prefix.length) - 1), prefix));
};
