import { DEFAULT_INTERFACE } from '../../base/releases/gateways.ts';
import { listenPortOf } from '../../fleet/model/network-model.ts';
import type { LinkEnd, RunbookStep } from './runbook.ts';

/** Whether packets of the client get to the server. */
export function reachabilityStep(server: LinkEnd, client: LinkEnd): RunbookStep {
  const { address, port, serviceType, servicePort, nodePort } = client.peer.link.endpoint;
  const listens = listenPortOf(client.peer.link);
  const { externalTrafficPolicy } = server.cluster.gateway;
  const isLocal = externalTrafficPolicy.value === 'Local' && serviceType !== 'ClusterIP';
  const capture = (filter: string): string => `timeout 20 tcpdump -ni ${DEFAULT_INTERFACE} -c 10 '${filter}'`;
  const isAddress = /^[\d.]+$/.test(address);
  return {
    id: 'reachability',
    title: `From ${client.name} to ${server.name}: ${client.name} dials, UDP ${address}:${port}`,
    checks: [
      {
        cluster: server.name,
        command: server.kubectl(`get service ${server.gateway} -o wide`),
        expect: [
          { what: 'type', value: serviceType },
          { what: 'port', value: nodePort === null ? `${servicePort}/UDP` : `${servicePort}:${nodePort}/UDP` },
        ],
      },
      {
        cluster: server.name,
        command: server.kubectl(`get endpointslices -l kubernetes.io/service-name=${server.gateway}`),
        expect: [{ what: 'the address of the gateway pod, with port', value: String(listens) }],
      },
      ...(isAddress
        ? []
        : [
            {
              cluster: client.name,
              command: client.inGateway(`getent hosts ${address}`),
              expect: [{ what: 'an address, the one of the Service or of a node of', value: server.name }],
            },
          ]),
      {
        cluster: client.name,
        command: client.inGateway(capture(`udp and host ${address} and port ${port}`)),
        expect: [{ what: 'packets to it, and from it', value: `${address}.${port}` }],
      },
      {
        cluster: server.name,
        command: server.inGateway(capture(`udp port ${listens}`)),
        expect: [{ what: 'packets to and from the port', value: String(listens) }],
      },
    ],
    outcomes: [
      {
        when: `packets leave ${client.name}, and none arrive in ${server.name}`,
        next: `a firewall or NAT between them: UDP ${port} to ${address} must be open from the nodes of ${client.name}; "weft ports ${client.name} ${server.name}" is for both firewalls`,
      },
      {
        when: `packets arrive in ${server.name}, and no answer leaves`,
        next: 'WireGuard answers no unknown key: compare the keys of the step before',
      },
      {
        when: `answers leave ${server.name}, and none arrive in ${client.name}`,
        next: 'the way back is closed, or NAT gives the answers another source',
      },
      {
        when: 'you want to test the port with nc',
        next: `"nc -zu ${address} ${port}" proves nothing: UDP is not acknowledged, and WireGuard is silent to strangers`,
      },
      ...(isLocal
        ? [
            {
              when: `${address} is not the node of the gateway pod`,
              next: 'externalTrafficPolicy is Local: only the node that runs the active pod answers',
            },
          ]
        : []),
    ],
  };
}
