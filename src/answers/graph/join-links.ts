import { groupBy } from '../../base/core/group-by.ts';
import { inOrder } from '../../base/core/order.ts';
import type { LinkFacts } from './fleet-facts.ts';
import type { GraphEdge } from './fleet-graph.ts';
import { isRemapped } from './is-remapped.ts';
import { edgeLines } from './words-of-graph.ts';

interface JoinSettings {
  /** The node that a cluster is drawn in. */
  readonly idOf: (cluster: string) => string;
  /** Whether edges show the addresses of remaps. */
  readonly withAddresses: boolean;
}

/** One edge for all links of a kind between two nodes that a plan treats alike. Links inside a node have none. */
export function joinLinks(links: readonly LinkFacts[], { idOf, withAddresses }: JoinSettings): readonly GraphEdge[] {
  const drawn = links.filter((it) => idOf(it.server) !== idOf(it.client));
  const joined = groupBy(drawn, (it) => {
    const ends = inOrder(idOf(it.server), idOf(it.client));
    return [JSON.stringify([...ends, it.kind, it.mark, it.hub === null ? null : idOf(it.hub)])];
  });
  return [...joined.values()].flatMap((all) => {
    const [first] = all;
    return first === undefined ? [] : [edgeOf(first, all, { idOf, withAddresses })];
  });
}

function edgeOf(first: LinkFacts, all: readonly LinkFacts[], { idOf, withAddresses }: JoinSettings): GraphEdge {
  return {
    from: idOf(first.client),
    to: idOf(first.server),
    isMutual: all.some((it) => idOf(it.client) !== idOf(first.client)),
    kind: first.kind,
    hub: first.hub === null ? null : idOf(first.hub),
    lines: edgeLines(all, first.mark, withAddresses),
    isRemapped: all.some(isRemapped),
    mark: first.mark,
  };
}
