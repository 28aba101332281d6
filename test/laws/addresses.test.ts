import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { overlaps } from '../../src/base/net/prefix.ts';
import { prefixOf, printPrefix } from '../../src/base/net/text.ts';
import type { AllocatorKind } from '../../src/base/releases/allocators.ts';
import { naiveAllocator } from '../fleet/ipam/naive-allocators.ts';
import { ADDITIONS, arbitraryFleet, CHANGES, inPools, isOld, REMOVALS } from './arbitrary-topology.ts';
import { chance, shuffled } from './chance.ts';
import { compiled, decisionsIn } from './compile-spec.ts';
import { arbitraryStory, statesOf as newStatesOf, type State } from './history.ts';
import { law } from './law.ts';
import { once } from './once.ts';
import {
  type AppliedConfiguration,
  addressesIn,
  configurations,
  type ExpectedNetwork,
  expectedNetworks,
  installValues,
} from './read-bundle.ts';

const anyStory = arbitraryStory([...ADDITIONS, ...REMOVALS, ...CHANGES]);

const statesOf = once(newStatesOf);

const liveClusters = ({ fleet }: State): readonly string[] =>
  Object.entries(fleet.spec.clusters)
    .filter(([, it]) => !it.retired)
    .map(([name]) => name);

const shown = (it: ExpectedNetwork): string => `${it.peer ?? 'own'} ${it.type} ${it.given}`;

/** The pairs of these networks that share an address. */
function overlapping(items: readonly ExpectedNetwork[]): readonly string[] {
  return items.flatMap((a, i) =>
    items
      .slice(i + 1)
      .filter((b) => overlaps(prefixOf(a.given), prefixOf(b.given)))
      .map((b) => `${shown(a)} and ${shown(b)}`),
  );
}

function expectDisjoint(state: State): void {
  const { bundle } = state.decided;
  for (const name of liveClusters(state)) {
    const all = expectedNetworks(bundle, name);
    const exclusive = all.filter((it) => it.type !== 'reserved');
    expect(overlapping(exclusive), name).toEqual([]);
    const reserved = all.filter((it) => it.type === 'reserved');
    const taken = exclusive.filter((it) => it.peer !== null || ['external-cidr', 'internal-cidr'].includes(it.type));
    for (const it of reserved) {
      expect(taken.filter((other) => overlapping([it, other]).length > 0).map(shown), `${name}: ${shown(it)}`).toEqual(
        [],
      );
    }
    const old = isOld(state.fleet.spec, name);
    if (old) expect(overlapping(all), name).toEqual([]);
    const { pools } = installValues(bundle, name);
    for (const it of all.filter((it) => it.peer !== null)) {
      expect(it.given.split('/')[1]).toBe(it.requested.split('/')[1]);
      const within = inPools(pools, it.given);
      if (state.fleet.releases !== 'best-fit') expect(within, `${name}: ${shown(it)} in ${pools}`).toBe(true);
      else if (!within) expect(it.given).toBe(it.requested);
    }
  }
}

function allocatorOf({ fleet }: State, name: string): AllocatorKind {
  if (fleet.releases === 'best-fit') return 'best-fit';
  return isOld(fleet.spec, name) ? 'liqo-1.0' : 'liqo-1.2';
}

/** The answers of a cluster's IPAM when the bundle is applied to a new installation; `null` if it refuses. */
function rollout(state: State, name: string, next: () => number): ReadonlyMap<string, string | null> {
  const { bundle } = state.decided;
  const values = installValues(bundle, name);
  const kind = allocatorOf(state, name);
  const ipam = naiveAllocator(kind, values.pools.map(prefixOf));
  const answers = new Map<string, string | null>();
  const pods = values.podCIDRs ?? (values.podCIDR ? [values.podCIDR] : []);
  for (const it of [...pods, values.serviceCIDR, ...values.reservedSubnets]) ipam.reserve(prefixOf(it), true);
  for (const [role, value, byDefault] of [
    ['external-cidr', values.externalCIDR, '10.70.0.0/16'],
    ['internal-cidr', values.internalCIDR, '10.80.0.0/16'],
  ] as const) {
    const wanted = prefixOf(value ?? byDefault);
    const given = value !== undefined && kind === 'liqo-1.2' ? ipam.reserve(wanted, false) : ipam.acquire(wanted);
    answers.set(role, given.ok ? printPrefix(given.prefix) : null);
  }
  for (const applied of inWaves(configurations(bundle, name), next)) {
    for (const [type, cidr] of [
      ...applied.pods.map((it) => ['pod', it] as const),
      ['external', applied.external] as const,
    ]) {
      const given = ipam.acquire(prefixOf(cidr));
      answers.set(`${applied.peer} ${type} ${cidr}`, given.ok ? printPrefix(given.prefix) : null);
    }
  }
  return answers;
}

/** As Argo CD applies them: wave after wave, and in any order within one. */
function inWaves(all: readonly AppliedConfiguration[], next: () => number): readonly AppliedConfiguration[] {
  return [...shuffled(all, next)].sort((a, b) => a.wave - b.wave);
}

function expectRollout(state: State, next: () => number): void {
  const { bundle } = state.decided;
  const { views } = addressesIn(bundle);
  for (const name of liveClusters(state)) {
    const answers = rollout(state, name, next);
    const rows = views.filter((it) => it.cluster === name);
    for (const it of expectedNetworks(bundle, name)) {
      if (it.peer === null) {
        if (answers.has(it.type)) expect(it.given, `${name} ${it.type}`).toBe(answers.get(it.type));
        continue;
      }
      const key = `${it.peer} ${it.type} ${it.requested}`;
      const row = rows.find((row) => `${row.peer} ${row.kind} ${row.cidr}` === key);
      expect(row?.seenAs, `${name}: ${key}`).toBe(it.given);
      const again = answers.get(key);
      if (row?.history) expect(again, `${name}: history of ${key}`).not.toBe(it.given);
      else expect(again, `${name}: ${key}`).toBe(it.given);
    }
  }
}

describe('the addresses of a fleet, after every edit', () => {
  law(
    'are disjoint in each cluster, as long as the real ones, and inside the pools',
    150,
    fc.property(anyStory, (story) => {
      for (const state of statesOf(story, null)) expectDisjoint(state);
    }),
  );

  law(
    'are what a rollout from nothing gives, except views that are marked as history',
    150,
    fc.property(anyStory, fc.nat(), (story, seed) => {
      const [first, ...others] = statesOf(story, null);
      expect(addressesIn(first.decided.bundle).views.filter((it) => it.history)).toEqual([]);
      for (const state of [first, ...others]) expectRollout(state, chance(seed));
    }),
  );

  law(
    'lie, where weft carved them, beside every network that a cluster of the fleet has for itself',
    150,
    fc.property(arbitraryFleet(), ({ spec, plan, releases }) => {
      const state: State = { fleet: { spec, plan, releases }, decided: compiled(spec) };
      const own = liveClusters(state).flatMap((name) =>
        expectedNetworks(state.decided.bundle, name)
          .filter((it) => it.peer === null)
          .map((it) => ({ ...it, cluster: name })),
      );
      for (const [key, block] of decisionsIn(state.decided.lock)) {
        const [cluster, role, more] = key.split('/');
        if (more !== undefined) continue;
        // An internal CIDR that Liqo moves may be moved for a block of its own cluster, which no peer sees.
        const beside = own.filter((it) =>
          it.cluster === cluster
            ? it.type !== `${role}-cidr`
            : it.type !== 'internal-cidr' || it.given === it.requested,
        );
        const overlapping = beside.filter((it) => overlaps(prefixOf(it.given), prefixOf(block)));
        expect(
          overlapping.map((it) => `${it.cluster} ${shown(it)}`),
          `${key} ${block}`,
        ).toEqual([]);
      }
    }),
  );
});
