import { oncePer } from '../../../base/core/once.ts';
import type { Change } from '../../../plan/change.ts';
import { describeFields } from './describe-change.ts';

/**
 * The changes with values unlike those of the others first, for a list that is cut: of 300 gateways that move, the one that
 * moves to another network. Changes with equal rank keep their order.
 */
export const outliersFirst = oncePer((changes: readonly Change[]): readonly Change[] => {
  const traits = new Map(changes.map((it) => [it, traitsOf(it)]));
  const counts = new Map<string, Map<string, number>>();
  for (const own of traits.values()) {
    for (const [place, value] of own) {
      const known = counts.get(place) ?? new Map<string, number>();
      counts.set(place, known.set(value, (known.get(value) ?? 0) + 1));
    }
  }
  // The number of changes with the usual value, where most have it. Other places have no usual value.
  const usual = new Map(
    [...counts].flatMap(([place, values]) => {
      const [all, most] = [...values.values()].reduce(([sum, max], it) => [sum + it, Math.max(max, it)], [0, 0]);
      return 2 * most > all ? [[place, most] as const] : [];
    }),
  );
  const rankOf = (own: readonly Trait[]): number =>
    own.reduce((rank, [place, value]) => {
      const count = counts.get(place)?.get(value) ?? 1;
      return Math.max(rank, (usual.get(place) ?? count) / count);
    }, 1);
  const ranks = new Map([...traits].map(([it, own]) => [it, rankOf(own)]));
  return changes.toSorted((a, b) => (ranks.get(b) ?? 1) - (ranks.get(a) ?? 1));
});

type Trait = readonly [place: string, value: string];

/** The values of a difference and what they are part of: networks of addresses, domains of hosts. Names of its clusters are left out. */
function traitsOf(change: Change): readonly Trait[] {
  const { kind, clusters, subject: _, flows: __, steps: ___, id: ____, otherNames: _____, ...difference } = change;
  const names = [...clusters].sort((a, b) => b.length - a.length);
  const withoutNames = (text: string): string => names.reduce((it, name) => it.replaceAll(name, '*'), text);
  const found = new Map<string, Trait>();
  const add = (place: string, value: string): void => void found.set(`${place} ${value}`, [place, value]);
  add('kind', kind);
  const walk = (place: string, value: unknown): void => {
    if (Array.isArray(value)) for (const it of value) walk(place, it);
    else if (typeof value === 'object' && value !== null)
      for (const [key, it] of Object.entries(value)) walk(`${place}.${key}`, it);
    else for (const [i, it] of wider(withoutNames(String(value))).entries()) add(`${place} ${i}`, it);
  };
  walk(kind, { ...difference, ...describeFields(change) });
  return [...found.values()];
}

/** A value, and what it is part of. */
function wider(value: string): readonly string[] {
  const [, two, three] = /^((\d+\.\d+)\.\d+)\.\d+(?:\/\d+)?$/.exec(value) ?? [];
  if (two !== undefined && three !== undefined) return [value, two, three];
  const host = /^(?:\w+:\/\/)?(?:[^/@]*@)?([\w-]+(?:\.[\w-]+)+)(?:[:/].*)?$/.exec(value)?.[1];
  return host === undefined ? [value] : [value, host.split('.').slice(-2).join('.')];
}
