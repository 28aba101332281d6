import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Declaration } from '../declaration.ts';
import type { TopologyRule } from './topology-rule.ts';

/**
 * The most links of one topology: git and Argo CD become unusable long before. A hub with tens of thousands of spokes is
 * below it; what exceeds it is usually a list of hubs that makes a mesh of everything.
 */
const MAX_LINKS = 50_000;

/** Manifests, their kustomization, and the rules of gateway and nodes, at both ends. */
const FILES_PER_LINK = 8;

/** Says how large the result would be before it exists: a list of hubs multiplies with the clusters. */
export const linksCanBeWritten: TopologyRule = function* (declaration) {
  const links = countLinks(declaration);
  if (links <= MAX_LINKS) return;
  const at = declaration.hubs[0]?.at ?? declaration.name.at;
  const size = `${inWords(links)} links, and out/ would have about ${inWords(links * FILES_PER_LINK)} files`;
  yield diagnostic('topology/too-many-links', at, `the fleet would have ${size}`, {
    hint: `list fewer hubs, or describe parts of the fleet in topologies of their own: weft compiles up to ${inWords(MAX_LINKS)} links`,
  });
};

/** Entries of hub links in `peerings` count twice, which does not matter here. */
function countLinks({ clusters, hubs, peerings, shortcuts }: Declaration): number {
  const isHub = new Set(hubs.map((it) => it.value));
  const ofHubs = clusters.map((it) => it.hubs?.length ?? (isHub.has(it.name) ? 0 : hubs.length));
  return ofHubs.reduce((sum, it) => sum + it, peerings.length + shortcuts.length);
}

/** `1999000` as `1,999,000`. */
const inWords = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
