import type { FleetFacts } from './fleet-facts.ts';

/** Some clusters with all that they have a link to, and the links between those. */
export function factsNear({ clusters, links }: FleetFacts, names: readonly string[]): FleetFacts {
  const wanted = new Set(names);
  const near = new Set(
    links
      .filter((it) => wanted.has(it.server) || wanted.has(it.client))
      .flatMap((it) => [it.server, it.client])
      .concat(names),
  );
  return {
    clusters: clusters.filter((it) => near.has(it.name)),
    links: links.filter((it) => near.has(it.server) && near.has(it.client)),
  };
}
