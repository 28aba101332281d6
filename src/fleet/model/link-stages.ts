import type { LinkId } from '../../base/core/lock-key.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located, Span } from '../../base/source/source.ts';
import type { Declaration, LinkDeclaration } from '../topology/declaration.ts';
import type { KeysDocument } from '../topology/parse-recorded.ts';
import type { Cluster, LinkKind, NetworkModel } from './network-model.ts';

/** The resolved model and the texts that it was made from, which is the input of a rule of this stage. */
export interface ResolvedLinks {
  readonly declaration: Declaration;
  readonly keysDocument: KeysDocument | undefined;
  /** Recorded public keys, by `gatewayKey`. */
  readonly keys: ReadonlyMap<string, readonly Located<string>[]>;
  readonly model: NetworkModel;
  /** The links of the model, in the same order, with the options that the topology gives them. */
  readonly served: readonly ServedLink[];
}

/** A rule about links, named after what it requires. Yields a diagnostic for each violation. */
export type ModelRule = (resolved: ResolvedLinks) => Iterable<Diagnostic>;

/** A link with its server end chosen. */
export interface ServedLink {
  readonly link: LinkRequest;
  readonly server: Cluster;
  readonly client: Cluster;
}

/** MTU of the tunnel's interface at both ends: the option of the link, or the smaller MTU of the two gateways. */
export function mtuBytesOf({ link, server, client }: ServedLink): number {
  return link.options?.mtuBytes?.value ?? Math.min(server.gateway.mtuBytes.value, client.gateway.mtuBytes.value);
}

/** A link that the topology declares, before its ends, ports and place in the order are decided. */
export interface LinkRequest {
  /** The identity. Before `identifyLinks`, the spoke of a hub link comes first, or the name that sorts first. */
  readonly id: LinkId;
  readonly kind: LinkKind;
  readonly at: Span;
  /** Ends in order: the spoke of a hub link first, otherwise the name that sorts first. */
  readonly ends: readonly [Cluster, Cluster];
  readonly hub: Cluster | null;
  /** The hubs that both ends of a shortcut share, in order of name. */
  readonly commonHubs: readonly string[];
  /** Options of the entry in `peerings` or `shortcuts`, if there is one. */
  readonly options: LinkDeclaration | null;
}
