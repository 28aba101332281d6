import type { Link } from '../model/network-model.ts';
import type { Fate } from './fate.ts';
import type { PairFate } from './pair-fates.ts';
import type { Trace } from './trace.ts';

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

/** The same fates, of pairs whose way has a tunnel that is down. */
export function endPairsAtDeadLinks(pairs: readonly PairFate[], why: DeadLinks): readonly PairFate[] {
  return pairs.map((it) => {
    const { from, to, way } = it;
    const isDead =
      way.kind === 'direct'
        ? whyOf(way.link, why).length > 0
        : way.kind === 'through' && why(from, way.hub).length + why(way.hub, to).length > 0;
    return isDead ? { ...it, fate: 'tunnel-down' } : it;
  });
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
