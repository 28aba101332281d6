import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { printLinkId } from '../../src/base/core/lock-key.ts';
import { withEndNames } from '../support/end-names.ts';
import { ADDITIONS, applyEdit, arbitraryEdit, CHANGES, type EditKind, REMOVALS } from './arbitrary-topology.ts';
import { compiled, type Decided, explained, moved, undirected, withoutDirection } from './compile-spec.ts';
import { arbitraryStory, statesOf as newStatesOf, type State } from './history.ts';
import { law } from './law.ts';
import { once } from './once.ts';
import type { TopologySpec } from './topology-spec.ts';

const ALL: readonly EditKind[] = [...ADDITIONS, ...REMOVALS, ...CHANGES];

const statesOf = once(newStatesOf);

/** A state some edits away from a fresh one, or the fresh one itself; and one more edit. */
const beforeEdit = (kinds: readonly EditKind[]) =>
  fc.tuple(fc.oneof(arbitraryStory(ALL, 4), arbitraryStory(ALL, 1)), arbitraryEdit(kinds));

function edited(state: State, edit: Parameters<typeof applyEdit>[1]): { spec: TopologySpec; after: Decided } {
  const { spec } = applyEdit(state.fleet, edit);
  fc.pre(spec !== state.fleet.spec);
  return { spec, after: compiled(spec, state.decided.lock, { only: [] }) };
}

describe('an edit', () => {
  law(
    'that adds a cluster, peering or shortcut moves no view, port, block or join number',
    200,
    fc.property(beforeEdit(ADDITIONS), ([story, edit]) => {
      const state = statesOf(story).at(-1) as State;
      const { after } = edited(state, edit);
      const excused = explained(state.decided.lock, after.diagnostics);
      const lost = [...undirected(state.decided.lock).keys()].filter((it) => !undirected(after.lock).has(it));
      expect(lost).toEqual([]);
      // A new link may name a port that weft had assigned: then the topology wins, with a warning.
      const silent = moved(state.decided.lock, after.lock).filter((it) => !excused.has(it.split(':')[0] as string));
      expect(silent).toEqual([]);
      expect([...excused].filter((it) => !it.includes('/port/'))).toEqual([]);
    }),
  );

  law(
    'that removes or retires a cluster, peering or shortcut leaves every other decision as it was',
    200,
    fc.property(beforeEdit(REMOVALS), ([story, edit]) => {
      const state = statesOf(story).at(-1) as State;
      const { after } = edited(state, edit);
      expect(moved(state.decided.lock, after.lock)).toEqual([]);
      expect(explained(state.decided.lock, after.diagnostics).size).toBe(0);
    }),
  );

  law(
    'of any kind moves nothing in silence',
    200,
    fc.property(beforeEdit(ALL), ([story, edit]) => {
      const state = statesOf(story).at(-1) as State;
      const { after } = edited(state, edit);
      const excused = explained(state.decided.lock, after.diagnostics);
      const requested = new Set(portsAskedFor(after));
      const silent = moved(state.decided.lock, after.lock)
        .map((it) => it.split(':')[0] as string)
        .filter((it) => !excused.has(it) && !requested.has(it));
      expect(silent).toEqual([]);
    }),
  );

  law(
    'moves no view of a cluster that keeps its own networks, release and pools',
    150,
    fc.property(beforeEdit(ALL), ([story, edit]) => {
      const state = statesOf(story).at(-1) as State;
      const { spec, after } = edited(state, edit);
      const names = Object.keys(spec.clusters).filter((it) => sameNetworks(state.fleet.spec, spec, it));
      const moves = moved(state.decided.lock, after.lock).filter((it) => it.split('/')[2] === 'view');
      expect(moves.filter((it) => names.includes(it.split('/')[3] as string))).toEqual([]);
    }),
  );

  law(
    'leads to a state that is current: compiling again changes nothing',
    150,
    fc.property(arbitraryStory(ALL), (story) => {
      for (const { fleet, decided } of statesOf(story, null)) {
        const again = compiled(fleet.spec, decided.lock);
        expect(again.lock).toBe(decided.lock);
        expect([...again.bundle]).toEqual([...decided.bundle]);
        expect(again.diagnostics.filter((it) => it.code.startsWith('lock/'))).toEqual([]);
      }
    }),
  );
});

/** Ports that the topology itself names need no explanation. */
function portsAskedFor({ model }: Decided): readonly string[] {
  return model.links
    .filter(
      ({ at, endpoint }) => /(nodePort|port): \d/.test(at.source.text.slice(at.start, at.end)) && endpoint.port > 0,
    )
    .map(({ id, server }) => withoutDirection(`${id.first}/${id.second}/port/${server.cluster.name}`));
}

function sameNetworks(before: TopologySpec, after: TopologySpec, name: string): boolean {
  const own = (spec: TopologySpec): string => {
    const { podCIDR, serviceCIDR, externalCIDR, internalCIDR, reserved, liqo, ipam } = spec.clusters[name] ?? {};
    return JSON.stringify([podCIDR, serviceCIDR, externalCIDR, internalCIDR, reserved, liqo, ipam]);
  };
  return name in before.clusters && own(before) === own(after);
}

/** A hub and leaves that can all be dialled, with the fork's operator, which has an opinion on who serves a shortcut. */
function fleetWithOperator(shortcuts: readonly (readonly [string, string])[]): TopologySpec {
  const leaves = LEAVES.map((it, i) => {
    const cluster = { podCIDR: `10.20${i + 1}.0.0/16`, gateway: { addresses: [`203.0.113.${i + 2}`] } };
    return [it, cluster] as const;
  });
  return {
    version: 1,
    name: 'fleet',
    liqo: { version: '1.1', shortcutOperator: true },
    hub: 'hub',
    defaults: { serviceCIDR: '10.96.0.0/12', externalCIDR: 'auto' },
    clusters: {
      hub: { podCIDR: '10.200.0.0/16', gateway: { addresses: ['203.0.113.1'] } },
      ...Object.fromEntries(leaves),
    },
    shortcuts: shortcuts.map((between) => ({ between })),
  };
}

const LEAVES = ['a', 'b', 'c', 'd', 'e'];

const PAIRS = LEAVES.flatMap((a, i) => LEAVES.slice(i + 1).map((b) => [a, b] as const));

describe('a new shortcut', () => {
  law(
    'turns no other tunnel round, whatever the operator would like better',
    100,
    fc.property(fc.shuffledSubarray(PAIRS, { minLength: 2, maxLength: 6 }), (pairs) => {
      const before = compiled(fleetWithOperator(pairs.slice(1)), undefined, { only: [] }).lock;
      const after = compiled(fleetWithOperator(pairs), before, { only: [] }).lock;
      expect([...undirected(after)]).toEqual(expect.arrayContaining([...undirected(before)]));
    }),
  );
});

describe('the ports of a fleet, after every edit', () => {
  law(
    'appear once in each cluster and behind each address, and inside their range',
    150,
    fc.property(arbitraryStory(ALL), (story) => {
      for (const { decided } of statesOf(story, null)) expectPorts(decided);
    }),
  );
});

function expectPorts({ model }: Decided): void {
  const seen = new Map<string, string>();
  const claim = (place: string, link: string): void => {
    expect(seen.get(place), `${place} of ${link}`).toBeUndefined();
    seen.set(place, link);
  };
  for (const { id: linkId, server, endpoint } of model.links.map(withEndNames)) {
    const id = printLinkId(linkId);
    const gateway = model.clusters.get(server)?.gateway;
    claim(`dialled ${endpoint.address}:${endpoint.port}`, id);
    if (endpoint.nodePort !== null) {
      claim(`node port ${server}:${endpoint.nodePort}`, id);
      expect(endpoint.nodePort).toBeGreaterThanOrEqual(gateway?.nodePorts.first ?? 0);
      expect(endpoint.nodePort).toBeLessThanOrEqual(gateway?.nodePorts.last ?? 0);
    }
    if (endpoint.serviceType === 'LoadBalancer')
      claim(`balanced ${endpoint.loadBalancerIP ?? `${server} ${endpoint.address}`}:${endpoint.servicePort}`, id);
  }
}
