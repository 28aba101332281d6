import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Compiled, compile, type Sources } from '../../../src/compile.ts';
import { carriesPackets, type Link } from '../../../src/fleet/model/network-model.ts';
import { stagesBetween } from '../../../src/host/app/stage-change.ts';
import { lossesOf } from '../../../src/plan/stages/losses.ts';
import {
  ADDITIONS,
  applyEdit,
  arbitraryEdit,
  arbitraryFleet,
  CHANGES,
  REMOVALS,
} from '../../laws/arbitrary-topology.ts';
import { law } from '../../laws/law.ts';
import { lockSource, type TopologySpec, topologySource } from '../../laws/topology-spec.ts';
import { keysOf } from '../../support/keys-of.ts';

const FILES = {
  topology: 'topology.yaml',
  keys: 'topology.keys.yaml',
  identities: 'topology.identities.yaml',
  lock: 'topology.lock.yaml',
  byDefault: false,
};

interface Side {
  readonly sources: Sources;
  readonly compiled: Compiled;
}

/** A fleet with its keys; of some gateways the next one is in use, after a rotation. */
function side(spec: TopologySpec, rotated: number, lock?: string): Side | undefined {
  const topology = { ...topologySource(spec), path: FILES.topology };
  const keys = keysOf(topology);
  const rotate = (line: string, index: number): string =>
    rotated > 0 && index % rotated === 0
      ? line.replace(
          /"(\w)([^"]*=)"/,
          (_, first, rest) => `{ key: "${first === 'a' ? 'b' : 'a'}${rest}", generation: 2 }`,
        )
      : line;
  const text = keys?.text
    .split('\n')
    .map((it, i) => (/^ {4}/.test(it) ? rotate(it, i) : it))
    .join('\n');
  const sources = {
    topology,
    keys: text === undefined ? undefined : { path: FILES.keys, text },
    lock: lock === undefined ? undefined : { ...lockSource(lock), path: FILES.lock },
  };
  const compiled = compile(sources, { relock: [], only: null, allowReplacements: true });
  return compiled.ok ? { sources, compiled: compiled.value } : undefined;
}

const edits = fc.array(arbitraryEdit([...ADDITIONS, ...REMOVALS, ...CHANGES]), { minLength: 0, maxLength: 3 });

/** A cluster that gets another hub or another pod CIDR, or the release of the whole fleet. */
const moves = fc.record({ kind: fc.constantFrom('hub', 'pods', 'release', 'none'), which: fc.nat(5), to: fc.nat(5) });

const changes = fc.tuple(arbitraryFleet({ maxClusters: 6 }), edits, moves, fc.integer({ min: 0, max: 4 }));

function moved(spec: TopologySpec, { kind, which, to }: { kind: string; which: number; to: number }): TopologySpec {
  const names = Object.keys(spec.clusters);
  const [name, other] = [names[which % names.length], names[to % names.length]];
  const cluster = name === undefined ? undefined : spec.clusters[name];
  if (name === undefined || cluster === undefined || kind === 'none') return spec;
  if (kind === 'release') {
    return { ...spec, liqo: { version: ['1.0', '1.1', '1.2'][to % 3] ?? '1.2' } };
  }
  const is = kind === 'hub' ? { ...cluster, hub: other ?? name } : { ...cluster, podCIDR: `10.${100 + which}.0.0/16` };
  return { ...spec, clusters: { ...spec.clusters, [name]: is } };
}

/** Everything that a tunnel needs, and the addresses of networks that both states have. */
function signatureOf({ compiled: { model } }: { readonly compiled: Compiled }, link: Link): string {
  const { server, client, endpoint, mtuBytes } = link;
  const ends = [server, client].map((it) => [it.cluster.name, it.publicKey, it.names]);
  const viewsOf = (own: string, peer: string) => {
    const there = model.clusters.get(own)?.peers.get(peer);
    const all = [...(there?.podViews ?? []), ...(there === undefined ? [] : [there.externalView])];
    return all.map(({ cidr, seenAs }) => [cidr, seenAs]);
  };
  const views = [viewsOf(server.cluster.name, client.cluster.name), viewsOf(client.cluster.name, server.cluster.name)];
  return JSON.stringify([ends, endpoint, mtuBytes, views]);
}

const pairOf = ({ server, client }: Link): string => [server.cluster.name, client.cluster.name].sort().join('/');

describe('the states of a change', () => {
  law(
    'end in the wanted topology and keys; each compiles again to itself, and announces every tunnel that it touches',
    200,
    fc.property(changes, ([fleet, list, move, rotated]) => {
      const base = side(fleet.spec, 0);
      const wanted = base && side(moved(list.reduce(applyEdit, fleet).spec, move), rotated, base.compiled.lock);
      fc.pre(base !== undefined && wanted !== undefined);
      const { stages, leftOut } = stagesBetween({ base, wanted }, FILES);
      expect(stages.at(-1)?.kind).toBe('finish');
      expect(leftOut.map((it) => it.kind)).not.toContain('finish');
      const last = stages.at(-1)?.files;
      expect(last?.get(FILES.topology)).toBe(wanted.sources.topology.text);
      expect(last?.get(FILES.keys)).toBe(wanted.sources.keys?.text);
      let before = base.compiled;
      for (const { files, compiled, plan } of stages) {
        const source = (path: string) => {
          const text = files.get(path);
          return text === undefined ? undefined : { path, text };
        };
        const again = compile(
          {
            topology: source(FILES.topology) ?? wanted.sources.topology,
            keys: source(FILES.keys),
            lock: source(FILES.lock),
          },
          { relock: [], only: null },
        );
        expect(again.ok && again.value.lock).toBe(files.get(FILES.lock));
        expect(again.ok && new Map(again.value.bundle)).toEqual(new Map(compiled.bundle));
        const announced = new Set(lossesOf(plan).flatMap((it) => it.pairs));
        const links = new Map(compiled.model.links.filter(carriesPackets).map((it) => [pairOf(it), it]));
        for (const was of before.model.links.filter(carriesPackets)) {
          const is = links.get(pairOf(was));
          const isTouched =
            is === undefined || signatureOf({ compiled: before }, was) !== signatureOf({ compiled }, is);
          if (isTouched) expect(announced, JSON.stringify(plan.changes.map((it) => it.kind))).toContain(pairOf(was));
        }
        before = compiled;
      }
    }),
  );
});
