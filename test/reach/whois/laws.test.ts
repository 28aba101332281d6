import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { lastAddress, type Prefix } from '../../../src/base/net/prefix.ts';
import { printAddress } from '../../../src/base/net/text.ts';
import { translatesSourcesWrongly } from '../../../src/base/releases/release.ts';
import { isClosedTowards } from '../../../src/fleet/boundaries/bounded-model.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import type { FateKind } from '../../../src/reach/trace/fates.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import type { TraceTo } from '../../../src/reach/trace/trace-request.ts';
import { whois } from '../../../src/reach/whois/whois.ts';
import { arbitraryFleet } from '../../laws/arbitrary-topology.ts';
import { chance } from '../../laws/chance.ts';
import { compiledWithKeys } from '../../laws/compile-spec.ts';
import { law } from '../../laws/law.ts';
import { someKeys } from '../../support/keys-of.ts';

/** A random address of every network of the fleet: own ones, and views. */
function addressesOf(model: SharedModel, next: () => number): readonly number[] {
  const networks = [...model.clusters.values()].flatMap((it): readonly Prefix[] => [
    ...it.podCIDRs.map((cidr) => cidr.value),
    it.serviceCIDR.value,
    it.externalCIDR,
    it.internalCIDR,
    ...[...it.peers.values()].flatMap((peer) => [...peer.podViews, peer.externalView].map((view) => view.seenAs)),
  ]);
  const within = (it: Prefix): number => it.base + Math.floor(next() * (lastAddress(it) - it.base + 1));
  return [...new Set(networks.map(within)), 0x08080808];
}

/** True when the link between two clusters is closed towards the second one. */
function isClosed(from: AddressedCluster, to: AddressedCluster | undefined): boolean {
  const peer = to?.peers.get(from.name);
  return to !== undefined && peer !== undefined && isClosedTowards(peer, to);
}

const traced = (model: SharedModel, from: AddressedCluster, to: TraceTo, through?: string) =>
  trace(model, { from: { cluster: from.name, address: null }, to, ...(through === undefined ? {} : { through }) });

describe('whois', () => {
  law(
    'agrees with trace: what an address is, and what to dial instead of it',
    60,
    fc.property(arbitraryFleet({ maxClusters: 6 }), fc.nat(), ({ spec }, seed) => {
      const { model } = compiledWithKeys(spec, someKeys(seed));
      const addresses = addressesOf(model, chance(seed));
      // With the rules of 1.0.0 a packet may arrive and get no answer.
      const unanswered: readonly FateKind[] = [...model.clusters.values()].some((it) =>
        translatesSourcesWrongly(it.release),
      )
        ? ['no-return']
        : [];
      for (const from of [...model.clusters.values()].filter((it) => !it.retired)) {
        for (const address of addresses) {
          const name = `${printAddress(address)} in ${from.name}`;
          const { answers, elsewhere } = whois(model, address, from);
          const [use, ...more] = answers[0]?.uses ?? [];
          const { fate, to } = traced(model, from, { kind: 'address', address });
          if (fate.kind === 'delivered') {
            const real = to.address.kind === 'known' ? to.address.value : null;
            expect({ use, more }, name).toMatchObject({
              use: { kind: 'seen', role: 'pod', peer: to.cluster, real },
              more: [],
            });
          }
          expect(fate.kind === 'self', name).toBe(use?.kind === 'own' && use.role === 'pod');
          if (use === undefined) expect(fate.kind, name).toBe('no-route');
          for (const { cluster, role, dial } of elsewhere.filter((it) => !it.cluster.retired && it.role === 'pod')) {
            const to: TraceTo =
              dial.kind === 'address'
                ? { kind: 'address', address: dial.address }
                : { kind: 'cluster', cluster: cluster.name, address };
            const reached = traced(model, from, to, dial.kind === 'through' ? dial.hub : undefined);
            const what = `${name}, ${role} of ${cluster.name}`;
            if (dial.kind === 'address' || dial.kind === 'through') {
              // Whois names every hub that assigns addresses, once it has offloaded the pod.
              const unmapped = dial.kind === 'through' && model.shares.length > 0 ? ['needs-offloading'] : [];
              // Whois reports where an address is, whatever boundaries let in.
              const hub = dial.kind === 'through' ? model.clusters.get(dial.hub) : undefined;
              const refused = isClosed(from, hub ?? cluster) || (hub && isClosed(hub, cluster)) ? ['refused'] : [];
              expect(['delivered', ...unanswered, ...unmapped, ...refused], what).toContain(reached.fate.kind);
              if (reached.fate.kind === 'delivered')
                expect(reached.to).toMatchObject({ cluster: cluster.name, address: { value: address } });
              else if (dial.kind === 'address' && reached.fate.kind !== 'refused')
                expect(reached.there.at(-1), what).toMatchObject({
                  cluster: cluster.name,
                  destination: { value: address },
                });
            }
            // Without --through, the packet takes that hub, too.
            if (dial.kind === 'through' && unanswered.length === 0 && model.shares.length === 0)
              expect(traced(model, from, to).route).toMatchObject({ kind: 'through', hub: dial.hub });
            if (dial.kind === 'no-keys') expect(['no-keys', ...unanswered], what).toContain(reached.fate.kind);
            if (dial.kind === 'nothing') expect(reached.fate.kind, name).toBe('no-route');
          }
        }
      }
    }),
  );
});
