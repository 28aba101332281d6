import { readAddress } from '../../base/net/text.ts';

/** A packet to trace, from one end to another. */
export interface TraceRequest {
  readonly from: TraceFrom;
  readonly to: TraceTo;
  /**
   * True when the sender is a node, or a pod that shares its node's network: then its source is not a pod's address.
   */
  readonly fromNode?: boolean;
  /** A cluster with links to both ends that the packet passes, even if there is a shorter path or another one. */
  readonly through?: string;
  /** Single addresses that hubs have already mapped, from their IP resources. */
  readonly mappings?: readonly IpMapping[];
}

interface TraceFrom {
  /** Name of a cluster of the model. */
  readonly cluster: string;
  /** An address of this cluster, as the cluster itself uses it; `null` for the representative pod. */
  readonly address: number | null;
  readonly port?: number | null;
}

export type TraceTo =
  | {
      readonly kind: 'cluster';
      readonly cluster: string;
      readonly address: number | null;
      readonly port?: number | null;
    }
  /** An address as the sender sees it. */
  | { readonly kind: 'address'; readonly address: number; readonly port?: number | null };

/**
 * An IP resource: `cluster` maps `external`, an address of its external CIDR, to `real`, an address from its own point
 * of view.
 */
export interface IpMapping {
  readonly cluster: string;
  readonly external: number;
  readonly real: number;
}

type EndReading = { readonly ok: true; readonly end: TraceTo } | { readonly ok: false; readonly problem: string };

/** Reads `rome`, `rome/10.202.0.5` or `10.61.0.151`, each optionally followed by `:8080`. */
export function readEnd(text: string): EndReading {
  const [, name = '', portText] = /^(.*?)(?::(\d{1,6}))?$/.exec(text) ?? [];
  const port = portText === undefined ? null : Number(portText);
  if (port !== null && (port < 1 || port > 65535))
    return badEnd(`${portText} is not a port: ports are between 1 and 65535`);
  if (name.includes(':')) return badEnd(`"${text}" is neither a cluster nor an IPv4 address`);
  const [before = '', behind, ...more] = name.split('/');
  if (more.length > 0) return badEnd(`"${text}" has more than one "/"`);
  if (behind === undefined) {
    const address = readAddress(before);
    if (address !== undefined) return endFound({ kind: 'address', address, port });
    if (/^[\d.]+$/.test(before) && before.includes('.')) return badEnd(`"${before}" is not an IPv4 address`);
    if (before === '') return badEnd('a cluster is missing');
    return endFound({ kind: 'cluster', cluster: before, address: null, port });
  }
  if (readAddress(before) !== undefined) return badEnd(`"${text}" is a network; one address is needed`);
  const address = readAddress(behind);
  if (address === undefined) return badEnd(`"${behind}" is not an IPv4 address`);
  return endFound({ kind: 'cluster', cluster: before, address, port });
}

const endFound = (it: TraceTo): EndReading => ({ ok: true, end: it });

const badEnd = (it: string): EndReading => ({ ok: false, problem: it });
