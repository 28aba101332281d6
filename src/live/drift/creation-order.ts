import { by } from '../../base/core/collections.ts';
import { oncePer } from '../../base/core/once.ts';
import { someOf } from '../../base/core/words.ts';
import type { ObservedPeer } from '../facts/peer.ts';
import type { ClusterCase } from './cluster-case.ts';
import { type Problem, withDetails } from './problem.ts';

/** In which order the Configurations of a cluster were created, where their times show it. */
interface Creation {
  /** Peers whose Configuration is younger than their gateway, if they are the smaller part. */
  readonly recreated: ReadonlySet<string>;
  /** Whether the others were created in git's order. */
  readonly isInOrder: boolean;
  /** All of them, by time; of equal times in git's order, since a time has whole seconds. */
  readonly created: readonly string[];
  readonly wanted: readonly string[];
}

export const creationOf = oncePer(({ cluster, peers }: ClusterCase): Creation => {
  const timed = [...cluster.peers.keys()].flatMap((name) => {
    const facts = peers.get(name)?.facts;
    const time = facts?.configurations[0]?.made.created;
    return facts && time ? [{ name, time, isYounger: isYounger(facts) }] : [];
  });
  const younger = timed.filter((one) => one.isYounger);
  const isFew = younger.length * 2 < timed.length;
  const others = isFew ? timed.filter((one) => !one.isYounger) : timed;
  return {
    recreated: new Set(isFew ? younger.map((one) => one.name) : []),
    isInOrder: others.every((one, index) => one.time >= (others[index - 1]?.time ?? '')),
    created: [...timed].sort(by((one) => one.time)).map((one) => one.name),
    wanted: timed.map((one) => one.name),
  };
});

/** Whether a Configuration was created after its gateway. Times of Kubernetes sort as texts. */
export function isYounger({ configurations, gateways }: ObservedPeer): boolean {
  const [configuration, gateway] = [configurations[0]?.made.created, gateways[0]?.made.created];
  return Boolean(configuration && gateway && configuration > gateway);
}

/** Names of each order that a sentence shows. */
const NAMED = 8;

/** Adds to the first moved view in which other order the Configurations were created. */
export function withCreationOrder(it: ClusterCase, problems: readonly Problem[]): readonly Problem[] {
  const first = problems.findIndex((one) => one.diagnostic.code === 'drift/other-view');
  if (first === -1) return problems;
  const { isInOrder, created, wanted } = creationOf(it);
  if (isInOrder) return problems;
  const sentence = `the Configurations of "${it.cluster.name}" were created in the order ${someOf(created, NAMED)}; git applies them in the order ${someOf(wanted, NAMED)}`;
  return problems.map((one, index) => (index === first ? withDetails(one, [sentence]) : one));
}
