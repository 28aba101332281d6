import type { LinkId } from '../../base/core/link-id.ts';
import type { Span } from '../../base/source/source.ts';
import type { LinkDeclaration } from '../topology/declaration.ts';
import type { Cluster, LinkKind } from './network-model.ts';

/** A link that the topology declares, before its ends, ports and place in the order are decided. */
export interface LinkRequest {
  /** The identity; before `identifyLinks`, the spoke of a hub link comes first, else the name that sorts first. */
  readonly id: LinkId;
  readonly kind: LinkKind;
  readonly at: Span;
  /** The spoke of a hub link first, else the name that sorts first. */
  readonly ends: readonly [Cluster, Cluster];
  /** The hub of a hub link. */
  readonly hub: Cluster | null;
  /** For a shortcut the hubs that both ends share, in order of name. */
  readonly commonHubs: readonly string[];
  /** Of the entry in `peerings` or `shortcuts`, when there is one. */
  readonly options: LinkDeclaration | null;
}
