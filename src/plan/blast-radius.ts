import { by } from '../base/core/collections.ts';
import { oncePer } from '../base/core/once.ts';
import type { Change } from './change.ts';
import type { FlowEffect } from './flows.ts';
import type { Plan } from './plan-changes.ts';

/** The effect of a plan on one cluster. */
interface BlastRow {
  readonly cluster: string;
  /** Number of disruptive changes that affect it. */
  readonly breaks: number;
  /** Other clusters by the effect on the traffic with them, in order of name. */
  readonly traffic: Readonly<Record<FlowEffect, readonly string[]>>;
}

/** Effects from the worst to the least; a pair with several effects is listed under the worst. */
export const EFFECTS: readonly FlowEffect[] = ['stops', 'interrupted', 'readdressed', 'rerouted', 'opens'];

/** Effects that break flows: what is rerouted or opens goes on, or begins. */
const BREAKING: readonly FlowEffect[] = ['stops', 'interrupted', 'readdressed'];

/** True when a change breaks flows that can exist. A tunnel without keys carries none. */
export const breaksFlows = ({ disruptive, flows }: Change): boolean =>
  disruptive && flows.some((it) => BREAKING.includes(it.effect));

/** The number of pairs of clusters between which flows break. */
export function countBrokenPairs(plan: Plan): number {
  const pairs = countPairs(blastRadius(plan));
  return BREAKING.reduce((sum, it) => sum + pairs[it], 0);
}

/** The clusters that a plan affects, worst first. Computed once per plan: a large hub has millions of pairs. */
export const blastRadius = oncePer(({ changes }: Plan): readonly BlastRow[] => {
  const traffic = new Map<string, Map<string, number>>();
  const breaks = new Map<string, number>();
  const note = (from: string, to: string, effect: number): void => {
    const others = traffic.get(from) ?? new Map<string, number>();
    const worst = others.get(to);
    if (worst === undefined || effect < worst) others.set(to, effect);
    traffic.set(from, others);
  };
  for (const change of changes) {
    for (const it of change.disruptive ? change.clusters : []) breaks.set(it, (breaks.get(it) ?? 0) + 1);
    for (const { effect, between, and } of change.flows) {
      const rank = EFFECTS.indexOf(effect);
      for (const other of and) {
        note(between, other, rank);
        note(other, between, rank);
      }
    }
  }
  const names = [...new Set([...traffic.keys(), ...breaks.keys()])];
  const rows = names.map((cluster): BlastRow => {
    const others = [...(traffic.get(cluster) ?? [])].sort(by(([name]) => name));
    const of = (effect: FlowEffect) => others.filter(([, rank]) => EFFECTS[rank] === effect).map(([name]) => name);
    const byEffect = {
      stops: of('stops'),
      interrupted: of('interrupted'),
      readdressed: of('readdressed'),
      rerouted: of('rerouted'),
      opens: of('opens'),
    };
    return { cluster, breaks: breaks.get(cluster) ?? 0, traffic: byEffect };
  });
  return rows.sort((a, b) => compareRows(a, b));
});

function compareRows(a: BlastRow, b: BlastRow): number {
  for (const it of EFFECTS) {
    const difference = b.traffic[it].length - a.traffic[it].length;
    if (difference !== 0) return difference;
  }
  return b.breaks - a.breaks || (a.cluster < b.cluster ? -1 : 1);
}

/** The number of pairs of clusters for each effect on the traffic between them. */
export function countPairs(rows: readonly BlastRow[]): Readonly<Record<FlowEffect, number>> {
  const of = (effect: FlowEffect): number => rows.reduce((sum, it) => sum + it.traffic[effect].length, 0) / 2;
  return {
    stops: of('stops'),
    interrupted: of('interrupted'),
    readdressed: of('readdressed'),
    rerouted: of('rerouted'),
    opens: of('opens'),
  };
}
