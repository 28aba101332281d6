import { countOf, quoted } from '../../base/core/words.ts';
import type { ObservedCluster } from '../facts/cluster.ts';
import type { LiveEnd, LiveLink } from '../facts/links.ts';
import { boundaryEntries, withoutRemoteNamespaces, withSelectors } from './boundary-entries.ts';
import { chooseBoundaries } from './choose-boundaries.ts';
import type { ImportFinding } from './finding.ts';
import { type Way, wayInto } from './limited-ways.ts';
import type { SharedFleet } from './sharing/infer-sharing.ts';

/** Adds the boundaries of which weft wrote the fences and policies of these clusters. */
export function withBoundaries(fleet: SharedFleet, observed: readonly ObservedCluster[]): SharedFleet {
  const clusters = new Map(observed.map((it) => [it.cluster, it]));
  const into = (link: LiveLink, receiver: LiveEnd, sender: LiveEnd): Way =>
    wayInto(link.id, { receiver, sender, clusters, topology: fleet.topology });
  const ways = fleet.links.flatMap((it) => [into(it, ...it.ends), into(it, it.ends[1], it.ends[0])]);
  const closed = ways.filter((it) => it.states.length === 1 && it.states[0] === 'closed');
  const chosen = chooseBoundaries(fleet.topology, ways);
  const found = boundaryEntries(closed);
  const boundaries = withSelectors(withoutRemoteNamespaces(found.entries, chosen.topology), closed, chosen.topology);
  const topology = boundaries.length === 0 ? chosen.topology : { ...chosen.topology, boundaries: [...boundaries] };
  const unsaid = found.left.map((it): ImportFinding => notSaid(it.way, it.rules));
  return { ...fleet, topology, findings: [...fleet.findings, ...chosen.findings, ...unsaid] };
}

const notSaid = ({ from, to }: Way, rules: number): ImportFinding => ({
  code: 'import/not-expressible',
  cluster: to,
  message: `no entry of \`boundaries\` says ${countOf(rules, 'rule')} of fences and policies about connections from ${quoted(from)} to ${quoted(to)}`,
  hint: 'read what would change below, and decide before the bundle is applied: what no entry says is refused then',
});
