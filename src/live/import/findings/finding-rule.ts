import type { Finding } from '../finding.ts';
import type { LiveFleet } from '../live-fleet.ts';
import type { LiveEnd } from '../live-link.ts';

/** Something that must hold in live clusters, and what is found where it does not. */
export type FindingRule = (live: LiveFleet) => Iterable<Finding>;

/** Both ends of every link, those in clusters that nobody dumped left out. */
export const endsOf = ({ links }: LiveFleet): readonly LiveEnd[] =>
  links.flatMap((it) => it.ends).filter((it) => it.isDumped);
