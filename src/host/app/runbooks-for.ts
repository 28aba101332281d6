import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import { clustersBetween } from '../../fleet/ipam/clusters-between.ts';
import { makeRunbook } from '../../live/runbook/make-runbook.ts';
import type { Runbook } from '../../live/runbook/runbook.ts';

/** What to look at for one link. */
interface LinkRunbook {
  /** As git has the link, or as it is where git does not have it. */
  readonly runbook: Runbook;
  /** As it is; `null` where there is nothing to compare. */
  readonly live: Runbook | null;
}

interface Between {
  readonly model: AddressedModel;
  /** The network as git has it, for live clusters; `null` without it. */
  readonly git: AddressedModel | null;
}

/** What to look at between two clusters: for their link, or for each on the way through another cluster; none without a way. */
export function runbooksFor(from: string, to: string, { model, git }: Between): readonly LinkRunbook[] {
  return waysBetween(model, from, to).flatMap(([a, b]) => {
    const [now, expected] = [runbookOf(model, a, b), git === null ? undefined : runbookOf(git, a, b)];
    if (now === undefined) return [];
    return [expected === undefined ? { runbook: now, live: null } : { runbook: expected, live: now }];
  });
}

type Pair = readonly [string, string];

function waysBetween(model: AddressedModel, from: string, to: string): readonly Pair[] {
  const [a, b] = [clusterNamed(model, from), clusterNamed(model, to)];
  if (a.peers.has(to)) return [[from, to]];
  const [hub] = clustersBetween(a, b);
  return hub === undefined
    ? []
    : [
        [from, hub],
        [hub, to],
      ];
}

function runbookOf(model: AddressedModel, a: string, b: string): Runbook | undefined {
  const link = model.clusters.get(a)?.peers.get(b)?.link;
  return link === undefined ? undefined : makeRunbook(model, link);
}
