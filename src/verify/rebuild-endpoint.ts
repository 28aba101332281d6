import type { ExpectedLink } from './expected/expect-links.ts';
import { type FoundText, type KubeObject, textAt } from './kube-object.ts';
import { mostSay } from './most-say.ts';

/** Where a link's server listens and what its client dials, as texts of the files. */
export interface RebuiltEndpoint {
  /** The port that weft chose, or was told: the node port, or for other types of Service the service port. */
  readonly chosen: FoundText | undefined;
  readonly servicePort: string;
  readonly nodePort: string | null;
  /** What the client dials. */
  readonly dialled: string;
}

interface Witnesses {
  readonly server: KubeObject | undefined;
  readonly client: KubeObject | undefined;
  /** The ports in the rows of addresses.json about the link. */
  readonly rows: readonly FoundText[];
}

/** A port that the topology does not name is what most of the files have that mention it. */
export function rebuildEndpoint({ endpoint }: ExpectedLink, { server, client, rows }: Witnesses): RebuiltEndpoint {
  const { port, mapped, besideNodePort } = endpoint;
  const field = besideNodePort === null ? 'port' : 'nodePort';
  const listens = server ? [textAt(server.node, ['spec', 'endpoint', field])] : [];
  const dials = mapped === null && client ? [textAt(client.node, ['spec', 'endpoint', 'port'])] : [];
  const [chosen] = mostSay([...listens, ...dials, ...(mapped === null ? rows : [])]);
  const text = port.asked === null ? (chosen?.text ?? '') : String(port.asked);
  return {
    chosen,
    servicePort: besideNodePort === null ? text : String(besideNodePort),
    nodePort: besideNodePort === null ? null : text,
    dialled: mapped === null ? text : String(mapped),
  };
}
