import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { ExpectedLink } from '../expected/expect-links.ts';
import type { FoundText } from '../kube-object.ts';
import type { CheckContext, FleetCheck } from './bundle-check.ts';

/**
 * A port that weft chose is in the range of its cluster. No two links share a node port of a cluster, a service port of
 * a load balancer, or the address and port that their clients dial. A port of the lock is replaced only when another
 * link needs it.
 */
export const portsAreUnique: FleetCheck = function* (context) {
  const links = [...chosenPorts(context)];
  const holders = new Map<string, Chosen>();
  for (const it of links) {
    for (const place of it.places) {
      const other = holders.get(place);
      if (other) yield taken(it, other, place);
      else holders.set(place, it);
    }
  }
  for (const it of links) yield* inRange(it);
  const used = new Set(links.flatMap((it) => it.places));
  for (const it of links) yield* checkKeptPort(it, used);
};

interface Chosen {
  readonly link: ExpectedLink;
  readonly port: number;
  readonly found: FoundText;
  /** Endpoints that at most one link may use. */
  readonly places: readonly string[];
}

function* chosenPorts({ expected, network }: CheckContext): Iterable<Chosen> {
  for (const link of expected.links) {
    const { chosen, dialled } = network.get(link.server.name)?.peers.get(link.client.name)?.endpoint ?? {};
    if (!chosen || dialled === undefined || !/^\d+$/.test(chosen.text ?? '')) continue;
    const port = Number(chosen.text);
    yield { link, port, found: chosen, places: placesOf(link, port, dialled) };
  }
}

function placesOf({ server, endpoint }: ExpectedLink, port: number, dialled: number | string): readonly string[] {
  const { besideNodePort, loadBalancerIP, address } = endpoint;
  return [
    ...(besideNodePort === null ? [] : [`node port ${port} of "${server.name}"`]),
    ...(loadBalancerIP === null ? [] : [`port ${port} of the load balancer ${loadBalancerIP}`]),
    `${address}:${dialled}`,
  ];
}

const gatewayText = ({ server, client }: ExpectedLink): string =>
  `the gateway of "${server.name}" for "${client.name}"`;

const taken = (it: Chosen, other: Chosen, place: string): Diagnostic =>
  diagnostic(
    'verify/endpoint',
    it.found.at,
    `${gatewayText(it.link)} and ${gatewayText(other.link)} both have ${place}`,
    {
      related: [{ message: gatewayText(other.link), span: other.found.at }],
    },
  );

function* inRange({ link, port, found }: Chosen): Iterable<Diagnostic> {
  const { requested, first, last } = link.endpoint.port;
  if (requested !== null || (port >= first && port <= last)) return;
  yield diagnostic('verify/endpoint', found.at, `port ${port} of ${gatewayText(link)} is outside ${first}-${last}`);
}

function* checkKeptPort({ link, port, found }: Chosen, used: ReadonlySet<string>): Iterable<Diagnostic> {
  const { requested, kept, first, last } = link.endpoint.port;
  if (requested !== null || kept === null || kept === port || kept < first || kept > last) return;
  const dialled = link.endpoint.mapped ?? kept;
  if (placesOf(link, kept, dialled).some((it) => used.has(it))) return;
  yield diagnostic(
    'verify/endpoint',
    found.at,
    `${gatewayText(link)} has port ${port}, but the lock has ${kept}, which no other link uses`,
  );
}
