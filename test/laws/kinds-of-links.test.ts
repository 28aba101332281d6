import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printAddress } from '../../src/base/net/text.ts';
import { startOf } from '../../src/base/source/source.ts';
import { emitBundle } from '../../src/bundle/emit/emit-bundle.ts';
import { compile } from '../../src/compile.ts';
import type { BoundedModel } from '../../src/fleet/boundaries/bounded-model.ts';
import type { Peer } from '../../src/fleet/ipam/addressed-model.ts';
import type { Assertion, Link } from '../../src/fleet/model/network-model.ts';
import { blastRadius } from '../../src/plan/blast-radius.ts';
import { labScope } from '../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../src/reach/lab/plan-lab.ts';
import { decideAssertions } from '../../src/reach/trace/decide-assertions.ts';
import { trace } from '../../src/reach/trace/trace.ts';
import { traceAll } from '../../src/reach/trace/trace-all.ts';
import { parseInput } from '../../src/reach/translate/parse-input.ts';
import { translateEndpoints } from '../../src/reach/translate/translate-endpoints.ts';
import { reflectionOf } from '../../src/reach/translate/ways.ts';
import { clusterView } from '../../src/reach/view/cluster-view.ts';
import { joinPeers } from '../support/join-peers.ts';
import { keysOf, someKeys } from '../support/keys-of.ts';
import { EMPTY_STATE, planOf } from '../support/plan-of.ts';
import { arbitraryFleet } from './arbitrary-topology.ts';
import { compiledWithKeys } from './compile-spec.ts';
import { law } from './law.ts';

/** The network with every link as a peering, and no cluster as a hub. */
function withoutKinds(model: BoundedModel): BoundedModel {
  const links = new Map(model.links.map((it): [Link, Link] => [it, { ...it, kind: 'peering', commonHubs: [] }]));
  const clusters = [...model.clusters].map(([name, it]) => {
    const peers = new Map(
      [...it.peers].map(([peer, of]): [string, Peer] => [peer, { ...of, link: renamed(links, of) }]),
    );
    return [name, { ...it, hubs: [], peers }] as const;
  });
  return joinPeers({ ...model, links: [...links.values()], clusters: new Map(clusters) });
}

const renamed = (links: ReadonlyMap<Link, Link>, { link }: Peer): Link => links.get(link) ?? link;

const KIND = /\bby their (hub link|peering|shortcut)\b/g;

/** Without the places of the topology, which are the same, and with one word for every kind of link. */
const told = (value: unknown): string =>
  JSON.stringify(value, (key, it) => {
    if (key === 'at' || key === 'cluster') return typeof it === 'string' ? it : undefined;
    if (key === 'commonHubs' || key === 'hubs') return Array.isArray(it) && key === 'hubs' ? it : undefined;
    if (key === 'kind' && ['hub', 'peering', 'shortcut'].includes(it)) return 'peering';
    if (key === 'link' && typeof it === 'string') return 'peering';
    return typeof it === 'string' ? it.replace(KIND, 'by their link') : it;
  });

const filesOf = (model: BoundedModel): readonly (readonly [string, string])[] =>
  [...emitBundle(model, null)]
    .filter(([path]) => !path.startsWith('.weft/'))
    .map(([path, text]) => [path, text.replace(/"link": ?"(hub|shortcut)"/g, '"link":"peering"')]);

/** Every pair by every way, as the trace sees it. */
const tracesOf = (model: BoundedModel) =>
  [...model.clusters.keys()].flatMap((from) =>
    [...model.clusters.keys()].flatMap((to) =>
      [undefined, ...model.clusters.keys()].map((through) => {
        if (through === from || through === to) return null;
        const { fate, sent, received, there, back, route } = trace(model, {
          from: { cluster: from, address: null },
          to: { kind: 'cluster', cluster: to, address: null },
          ...(through === undefined ? {} : { through }),
        });
        return { fate, sent, received, steps: [there.length, back.length], route: { ...route, link: null } };
      }),
    ),
  );

function assertionsOf(model: BoundedModel): readonly Assertion[] {
  const at = startOf({ path: 'topology.yaml', text: '' });
  const names = [...model.clusters.keys()];
  return names.flatMap((from) =>
    names.flatMap((to) =>
      (['reachable', 'unreachable'] as const).flatMap((expected) =>
        ([null, 'hub', 'shortcut'] as const).map((via) => ({
          at,
          from: { kind: 'cluster' as const, name: from, at },
          to: { kind: 'cluster' as const, name: to, at },
          expect: expected,
          via,
          by: null,
          without: null,
        })),
      ),
    ),
  );
}

/** The endpoints of each peer as each cluster receives them. */
const translationsOf = (model: BoundedModel) =>
  [...model.clusters.values()].flatMap((hub) =>
    [...hub.peers.values()].map(({ cluster: receiver }) => {
      const pods = [...hub.peers.values()].map((it) => printAddress((it.podViews[0]?.seenAs.base ?? 0) + 1));
      const reflection = reflectionOf(model, { hub, receiver });
      const input = parseInput({ path: 'stdin', text: pods.join(' ') });
      return reflection && input.ok ? translateEndpoints(reflection, input.value) : null;
    }),
  );

/** By plan, the traffic that a whole fleet makes possible, and that which ends with one of its clusters. */
function trafficOf(model: BoundedModel) {
  const stateOf = (clusters: BoundedModel['clusters'], links: BoundedModel['links']) => ({
    files: emitBundle({ ...model, clusters, links }, null),
    lock: null,
    known: null,
  });
  const [gone] = [...model.clusters.values()].filter((it) => it.peers.size > 0);
  const [head, links] = [stateOf(model.clusters, model.links), model.links];
  const left = [...model.clusters].map(([name, it]) => {
    const peers = new Map([...it.peers].filter(([peer]) => peer !== gone?.name && name !== gone?.name));
    return [name, { ...it, peers }] as const;
  });
  const kept = links.filter((it) => ![it.server, it.client].some((end) => end.cluster.name === gone?.name));
  const smaller = stateOf(joinPeers({ ...model, clusters: new Map(left) }).clusters, kept);
  return [
    { base: EMPTY_STATE, head },
    { base: head, head: smaller },
  ].map((it) => blastRadius(planOf(it)).map(({ cluster, traffic }) => ({ cluster, traffic })));
}

describe('what a link is called', () => {
  law(
    'changes nothing: not the manifests, traces, assertions, views, translations or labs',
    60,
    fc.property(arbitraryFleet({ maxClusters: 6 }), fc.nat(), ({ spec }, seed) => {
      const { model: plain } = compiledWithKeys(spec, someKeys(seed));
      // With its operator, the fork uses a shortcut as such: then its manifests differ.
      const model = { ...plain, fleet: { ...plain.fleet, shortcutOperator: false } };
      const same = withoutKinds(model);
      expect(filesOf(same)).toEqual(filesOf(model));
      expect(told([...traceAll(same).pairs])).toBe(told([...traceAll(model).pairs]));
      expect(told(tracesOf(same))).toBe(told(tracesOf(model)));
      const messages = (it: BoundedModel) =>
        decideAssertions(it, assertionsOf(it)).diagnostics.map(({ code, message }) => ({ code, message }));
      expect(told(messages(same))).toBe(told(messages(model)));
      // The view of a hub lists the shortcuts of its leaves.
      const views = (it: BoundedModel) =>
        [...it.clusters.values()].map((one) => ({ ...clusterView(it, one), shortcuts: undefined }));
      expect(told(views(same))).toBe(told(views(model)));
      expect(told(translationsOf(same))).toBe(told(translationsOf(model)));
      expect(planLab(labScope(same, []))).toEqual(planLab(labScope(model, [])));
      expect(trafficOf(same)).toEqual(trafficOf(model));
    }),
  );

  it('is all that differs between a hub and peerings with the same server', () => {
    const written = (links: string) => `version: 1
name: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
  rome: { podCIDR: 10.202.0.0/16 }
${links}`;
    const [hub, peerings] = ['hub: europe\n', 'peerings: [[milan, europe], [rome, europe]]\n'].map((links) => {
      const topology = { path: 'topology.yaml', text: written(links) };
      const compiled = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: [] });
      return compiled.ok ? compiled.value.model : undefined;
    });
    if (!hub || !peerings) throw new Error('two fleets');
    expect(filesOf(peerings).filter(([path]) => path.endsWith('.yaml'))).toEqual(
      filesOf(hub).filter(([path]) => path.endsWith('.yaml')),
    );
    const ways = (it: BoundedModel) =>
      [...traceAll(it).pairs].map(({ from, to, fate, way }) => [
        from,
        to,
        fate,
        way.kind,
        way.kind === 'through' ? way.hub : null,
      ]);
    expect(ways(peerings)).toEqual(ways(hub));
    expect(trafficOf(peerings)).toEqual(trafficOf(hub));
    expect(trafficOf(hub)[0]?.map((it) => it.traffic.opens.length)).toEqual([2, 2, 2]);
    expect([...traceAll(peerings).pairs].map((it) => it.fate)).toEqual(Array(6).fill('delivered'));
  });
});
