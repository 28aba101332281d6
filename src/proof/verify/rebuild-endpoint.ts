import type { ExpectedLink } from './expected/expect-links.ts';
import type { GatewayFacts } from './gateway-facts.ts';
import type { FoundText } from './kube-object.ts';
import { majorityOf } from './majority-of.ts';

/** The ports on which a link's server listens and that its client dials, as texts of the files. */
export interface RebuiltEndpoint {
  /** The port of the topology or chosen by weft: the node port, or for other types of Service the service port. */
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

/** A port that the topology does not set is the one in most of the files that contain it. */
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
