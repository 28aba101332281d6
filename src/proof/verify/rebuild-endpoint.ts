import type { ExpectedLink } from './expected/expect-links.ts';
import { type FoundText, type KubeObject, textAt, textsAt } from './kube-object.ts';

/** The ports on which a link's server listens and that its client dials, as texts of the files. */
export interface RebuiltEndpoint {
  /** The port that the topology sets or weft chose: the node port, or the service port for other types of Service. */
  readonly chosen: FoundText | undefined;
  readonly servicePort: string;
  readonly nodePort: string | null;
  /** The port that the client dials. */
  readonly dialled: string;
}

interface PortSources {
  readonly server: GatewayFacts | undefined;
  readonly client: GatewayFacts | undefined;
  /** The ports in the rows of addresses.json about the link. */
  readonly rows: readonly FoundText[];
}

/**
 * Rebuilds the ports of a link. A port that the topology does not set is read from most of the files that contain it.
 */
export function rebuildEndpoint({ endpoint }: ExpectedLink, { server, client, rows }: PortSources): RebuiltEndpoint {
  const { port, mapped, besideNodePort } = endpoint;
  const field = besideNodePort === null ? 'port' : 'nodePort';
  const listens = server ? [server[field]] : [];
  const dials = mapped === null && client ? [client.port] : [];
  const [chosen] = majorityOf([...listens, ...dials, ...(mapped === null ? rows : [])]);
  const text = port.requested === null ? (chosen?.text ?? '') : String(port.requested);
  return {
    chosen,
    servicePort: besideNodePort === null ? text : String(besideNodePort),
    nodePort: besideNodePort === null ? null : text,
    dialled: mapped === null ? text : String(mapped),
  };
}

/**
 * Values of a gateway that other files are compared with. They are kept for every gateway, so that its file is not read
 * again.
 */
export interface GatewayFacts {
  readonly kind: FoundText;
  readonly mtu: FoundText;
  /** The port of its Service, or the port that a client dials. */
  readonly port: FoundText;
  readonly nodePort: FoundText;
  /** The first address that a client dials. */
  readonly address: FoundText | undefined;
}

export const gatewayFacts = ({ node, kind, at }: KubeObject): GatewayFacts => ({
  kind: { text: kind, at },
  mtu: textAt(node, ['spec', 'mtu']),
  port: textAt(node, ['spec', 'endpoint', 'port']),
  nodePort: textAt(node, ['spec', 'endpoint', 'nodePort']),
  address: textsAt(node, ['spec', 'endpoint', 'addresses'])[0],
});

/**
 * The most frequent text, at its first place; among equally frequent texts the first. Empty when no file contains one.
 */
export function majorityOf(found: readonly FoundText[]): readonly FoundText[] {
  const counts = new Map<string, number>();
  for (const { text } of found) if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return found.filter((it) => it.text !== undefined && it.text === most?.[0]).slice(0, 1);
}
