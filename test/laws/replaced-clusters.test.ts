import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { prefixOf, printPrefix } from '../../src/base/net/text.ts';
import { naiveAllocator } from '../fleet/ipam/naive-allocators.ts';
import { canonical } from '../support/bundle-files.ts';
import {
  ADDITIONS,
  applyEdit,
  arbitraryEdit,
  arbitraryFleet,
  type Fleet,
  isOld,
  REMOVALS,
} from './arbitrary-topology.ts';
import { chance, shuffled } from './chance.ts';
import { compiled, expectNoLockErrors, tryCompile } from './compile-spec.ts';
import type { State } from './history.ts';
import { law } from './law.ts';
import { configurations, expectedNetworks, installValues } from './read-bundle.ts';

const peersOf = ({ decided }: State, cluster: string) =>
  new Map(configurations(decided.bundle, cluster).map((it) => [it.peer, it]));

const shown = (it: { readonly pods: readonly string[]; readonly external: string } | undefined) =>
  canonical([it?.pods, it?.external]);

/** Clusters that go on as they are, while links of theirs come and go. */
function runningClusters(before: State, after: State): readonly string[] {
  const names = Object.keys(after.fleet.spec.clusters).filter((it) => it in before.fleet.spec.clusters);
  return names.filter((name) => {
    const [was, is] = [before, after].map(
      ({ decided }) => decided.bundle.has(`${name}/helm-values.yaml`) && installValues(decided.bundle, name),
    );
    if (!was || !is || canonical(was) !== canonical(is)) return false;
    const [old, now] = [peersOf(before, name), peersOf(after, name)];
    return [...now].every(([peer, it]) => !old.has(peer) || shown(old.get(peer)) === shown(it));
  });
}

/** The IPAM of a running cluster: what it reserved for itself, and a network for each CIDR of each peer that it has. */
function runningIpam(state: State, cluster: string) {
  const { fleet, decided } = state;
  const kind = fleet.releases === 'best-fit' ? 'best-fit' : isOld(fleet.spec, cluster) ? 'liqo-1.0' : 'liqo-1.2';
  const { pools } = installValues(decided.bundle, cluster);
  const ipam = naiveAllocator(kind, pools.map(prefixOf));
  for (const it of expectedNetworks(decided.bundle, cluster)) {
    const isShared = ['pod-cidr', 'service-cidr', 'reserved'].includes(it.type);
    ipam.reserve(prefixOf(it.given), isShared);
  }
  return ipam;
}

/** The steps of a GitOps tool: new Configurations wave by wave, in any order within one; nothing is pruned before. */
function expectPromises(before: State, after: State, next: () => number): void {
  for (const name of runningClusters(before, after)) {
    const ipam = runningIpam(before, name);
    const old = peersOf(before, name);
    const added = shuffled(configurations(after.decided.bundle, name), next)
      .filter((it) => !old.has(it.peer))
      .sort((a, b) => a.wave - b.wave);
    const promised = expectedNetworks(after.decided.bundle, name);
    for (const { peer, pods, external } of added) {
      for (const [type, cidr] of [...pods.map((it) => ['pod', it] as const), ['external', external] as const]) {
        const given = ipam.acquire(prefixOf(cidr));
        const promise = promised.find((it) => it.peer === peer && it.type === type && it.requested === cidr);
        expect(given.ok && printPrefix(given.prefix), `${name} sees ${type} ${cidr} of ${peer}`).toBe(promise?.given);
      }
    }
  }
}

describe('when clusters replace others in one change', () => {
  const change = fc.record({
    fleet: arbitraryFleet({ maxClusters: 7 }),
    edits: fc.array(arbitraryEdit([...ADDITIONS, ...REMOVALS]), { minLength: 2, maxLength: 6 }),
    seed: fc.nat(),
  });

  law(
    'new views are those that the IPAM gives while the leavers are still there, and stay in the next compile',
    100,
    fc.property(change, ({ fleet, edits, seed }) => {
      const before: State = { fleet, decided: compiled(fleet.spec) };
      const edited = edits.reduce<Fleet>(applyEdit, fleet);
      const result = tryCompile(edited.spec, before.decided.lock, { only: null });
      expectNoLockErrors(result.diagnostics);
      fc.pre(result.ok);
      if (!result.ok) return;
      const after: State = { fleet: edited, decided: { ...result.value, diagnostics: result.diagnostics } };
      expectPromises(before, after, chance(seed));
      const again = compiled(edited.spec, after.decided.lock);
      expect([...again.bundle]).toEqual([...after.decided.bundle]);
      expect(again.lock).toBe(after.decided.lock);
    }),
  );
});
