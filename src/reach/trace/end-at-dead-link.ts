import type { Link } from '../../fleet/model/network-model.ts';
import type { Fate } from './fate.ts';
import type { PairFate } from './pair-fates.ts';
import type { Trace } from './trace.ts';
import { type AllPairs, countPairs } from './trace-all.ts';

/** Why a link carries nothing at present; empty for one that works. */
export type DeadLinks = (a: string, b: string) => readonly string[];

/** The same trace, which ends before the first tunnel that is down. */
export function endAtDeadLink(trace: Trace, why: DeadLinks): Trace {
  for (const [index, { did }] of trace.there.entries()) {
    if (did.kind !== 'tunnel') continue;
    const reasons = whyOf(did.link, why);
    if (reasons.length === 0) continue;
    return {
      ...trace,
      fate: tunnelDown(did.link, reasons),
      received: null,
      there: trace.there.slice(0, index),
      back: [],
    };
  }
  return trace;
}

/** The same pairs, of which some have a tunnel that is down on their way. */
export function endPairsAtDeadLinks({ clusters, pairs: working }: AllPairs, why: DeadLinks): AllPairs {
  const pairs = {
    *[Symbol.iterator]() {
      for (const it of working) yield endPairAtDeadLink(it, why);
    },
  };
  return { clusters, pairs, count: () => countPairs(pairs) };
}

function endPairAtDeadLink(pair: PairFate, why: DeadLinks): PairFate {
  const { from, to, way } = pair;
  const isDead =
    way.kind === 'direct'
      ? whyOf(way.link, why).length > 0
      : way.kind === 'through' && why(from, way.hub).length + why(way.hub, to).length > 0;
  return isDead ? { ...pair, fate: 'tunnel-down' } : pair;
}

const whyOf = ({ server, client }: Link, why: DeadLinks): readonly string[] =>
  why(client.cluster.name, server.cluster.name);

function tunnelDown({ server, client }: Link, reasons: readonly string[]): Fate {
  const [a, b] = [client.cluster.name, server.cluster.name];
  return {
    kind: 'tunnel-down',
    why: `The link of "${a}" and "${b}" carries nothing now: ${reasons.join('; ')}.`,
    change: `Run "weft view ${a} ${b} --runbook", which lists what to look at.`,
  };
}
