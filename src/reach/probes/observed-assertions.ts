import { groupBy } from '../../base/core/collections.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { Assertion } from '../../fleet/model/network-model.ts';
import { selectClusters } from '../../fleet/model/network-model.ts';
import { hasArrived, type JudgedProbe } from './judge-answers.ts';
import type { ProbePath, UndialledPath } from './plan-probes.ts';

/** An assertion of the topology, decided by the packets that were sent. */
export interface ObservedAssertion {
  readonly assertion: Assertion;
  /** `unknown`: no pair contradicts it, and some were not dialled on every path. */
  readonly state: 'holds' | 'broken' | 'unknown';
  /** The number of pairs that it is about, and of those that packets decided. */
  readonly pairs: number;
  readonly decided: number;
  /** The first pair that contradicts it, in order of name. */
  readonly broken: { readonly from: string; readonly to: string; readonly path: ProbePath } | null;
}

interface SentProbes {
  readonly judged: readonly JudgedProbe[];
  readonly undialled: readonly UndialledPath[];
}

/**
 * Decides assertions about pairs of clusters. Those about a part that fails are left out: nothing has failed on purpose.
 */
export function observeAssertions(
  model: AddressedModel,
  assertions: readonly Assertion[],
  { judged, undialled }: SentProbes,
): readonly ObservedAssertion[] {
  const sent = groupBy(judged, ({ probe }) => [pairName(probe)]);
  const unsent = groupBy(undialled, (it) => [pairName(it)]);
  return assertions
    .filter((it) => it.without === null)
    .map((assertion) => {
      const from = selectClusters(model.clusters, assertion.from);
      const to = selectClusters(model.clusters, assertion.to);
      const pairs = from.length * to.length - from.filter((it) => to.includes(it)).length;
      let decided = 0;
      let broken: ObservedAssertion['broken'] = null;
      const receivers = new Set(to.map((it) => it.name));
      const senders = new Set(from.map((it) => it.name));
      for (const [key, probes] of sent) {
        const [probe] = probes;
        if (probe === undefined || !senders.has(probe.probe.from) || !receivers.has(probe.probe.to)) continue;
        const isAllowed = ({ path }: { readonly path: ProbePath }): boolean => isOnWay(path, assertion.via);
        const arrived = probes.find((it) => isAllowed(it.probe) && hasArrived(it));
        const isComplete = !(unsent.get(key) ?? []).some(isAllowed);
        const isReachable = assertion.expect === 'reachable';
        if (arrived !== undefined || isComplete) decided++;
        const breaks = isReachable ? arrived === undefined && isComplete : arrived !== undefined;
        if (breaks) broken ??= (arrived ?? probe).probe;
      }
      const state = broken !== null ? 'broken' : decided < pairs || pairs === 0 ? 'unknown' : 'holds';
      return { assertion, state, pairs, decided, broken };
    });
}

const pairName = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}/${to}`;

function isOnWay({ kind }: ProbePath, via: Assertion['via']): boolean {
  if (via === null) return true;
  return via === 'hub' ? kind === 'through' : kind === 'direct' || kind === 'service';
}
