import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compiled, compile } from '../../../src/compile.ts';
import { law } from '../../laws/law.ts';
import { RUNS_ALL } from '../../support/drawn.ts';
import { Commit } from './commit.ts';
import { LiqoAnswers } from './liqo-answers.ts';
import { Schedule } from './schedule.ts';
import { SimulatedArgo } from './simulated-argo.ts';
import { SimulatedFlux } from './simulated-flux.ts';

/** A peer of the hub: with an external CIDR of its own it needs no order, with Liqo's default it does. */
interface Spoke {
  readonly name: string;
  readonly isOrdered: boolean;
  readonly mtu: number;
}

interface Fleet {
  readonly spokes: readonly Spoke[];
  readonly lends: boolean;
}

const textOf = ({ spokes, lends }: Fleet): string => `version: 1
name: europe
hub: hub
gitops: { repository: https://github.com/example/network, argo: {}, flux: {} }
defaults: { serviceCIDR: 172.20.0.0/16, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.200.0.0/16, externalCIDR: 10.69.0.0/16, gateway: 203.0.113.10 }
${spokes.map(({ name, isOrdered, mtu }, i) => `  ${name}: { podCIDR: 10.${i + 1}.0.0/16, ${isOrdered ? '' : `externalCIDR: 10.${i + 101}.0.0/16, `}gateway: { mtu: ${mtu} } }\n`).join('')}${
  lends
    ? `sharing: [{ consumer: hub, provider: ${spokes[0]?.name}, auth: credentials, resources: { cpu: 1, memory: 2Gi, pods: 10 } }]\n`
    : ''
}`;

const compiledBefore = new Map<string, { readonly compiled: Compiled; readonly survivesRebuild: boolean }>();

function compileFleet(fleet: Fleet, lock: string | undefined) {
  const text = textOf(fleet);
  const key = `${text}\n${lock}`;
  const known = compiledBefore.get(key);
  if (known) return known;
  const sources = {
    topology: { path: 'topology.yaml', text },
    keys: undefined,
    lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  const result = compile(sources, { only: null, relock: [] });
  if (!result.ok) throw new Error(result.diagnostics.map((one) => one.message).join('\n'));
  const made = {
    compiled: result.value,
    survivesRebuild: !result.diagnostics.some((one) => one.code === 'ipam/history'),
  };
  compiledBefore.set(key, made);
  return made;
}

type Edit =
  | { readonly kind: 'add'; readonly ordered: readonly boolean[] }
  | { readonly kind: 'turn' | 'mtu'; readonly at: number }
  | { readonly kind: 'lend' | 'remove' };

/** Peers get their CIDRs by their place, so only the last one is removed, and never the one that lends. */
function edited(fleet: Fleet, edit: Edit): Fleet {
  const { spokes } = fleet;
  const at = 'at' in edit ? edit.at % Math.max(1, spokes.length) : -1;
  switch (edit.kind) {
    case 'add':
      return {
        ...fleet,
        spokes: [...spokes, ...edit.ordered.map((isOrdered, i) => newSpoke(spokes.length + i, isOrdered))],
      };
    case 'turn':
      return { ...fleet, spokes: spokes.map((it, i) => (i === at ? { ...it, isOrdered: !it.isOrdered } : it)) };
    case 'mtu':
      return { ...fleet, spokes: spokes.map((it, i) => (i === at ? { ...it, mtu: it.mtu - 10 } : it)) };
    case 'lend':
      return { ...fleet, lends: true };
    case 'remove':
      return { ...fleet, spokes: spokes.slice(0, Math.max(1, spokes.length - 1)) };
  }
}

/** The order of names is not the order of joining. */
const newSpoke = (place: number, isOrdered: boolean): Spoke => ({
  name: `spoke-${(place * 7 + 3) % 20}`,
  isOrdered,
  mtu: 1340,
});

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      ordered: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('turn' as const, 'mtu' as const), at: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('lend' as const, 'remove' as const) }) },
);

/** Events in the cluster besides edits. */
type Incident = 'none' | 'rebuild' | 'purge-long' | 'purge-short' | 'wipe' | 'occupied';

/** 10,000 stories in all each night; on a push, as many as cost about two seconds for each tool. */
const STORIES = RUNS_ALL ? { flux: 4500, argo: 4500 } : { flux: 400, argo: 800 };
const STOPPED = RUNS_ALL ? 500 : 100;

const story = fc.record({
  seed: fc.integer(),
  spokes: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
  /** Seconds after the one before. */
  edits: fc.array(fc.record({ edit, after: fc.nat(900) }), { maxLength: 3 }),
  /** Seconds between a commit and the moment when its entry points are applied. */
  entryPointsLate: fc.integer({ min: -60, max: 300 }),
  /** True when Flux applies its entry points itself, after they were applied once. */
  appliesItself: fc.boolean(),
  incident: fc.constantFrom<Incident>('none', 'none', 'rebuild', 'purge-long', 'purge-short', 'wipe', 'occupied'),
  incidentAfter: fc.nat(3000),
  outage: fc.integer({ min: 1, max: 400 }),
  gatewaysHang: fc.boolean(),
  slowness: fc.constantFrom(1, 20, 200),
  workers: fc.constantFrom(1, 4),
  cancelsHealthChecks: fc.boolean(),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** Longer than a chain of these fleets takes with all its retries, unless each answer takes an hour. */
const SETTLED = 2 * 3600;
/** Longer than an interval, a failing health check and its retry. */
const LONG = 3000;

const syncOptionsOf = ({ applicationSet }: Commit): readonly string[] =>
  parse(applicationSet).spec.template.spec.syncPolicy.syncOptions;

function commitsOf({ spokes, edits }: Pick<Story, 'spokes' | 'edits'>): {
  readonly commits: readonly Commit[];
  readonly survivesRebuild: boolean;
} {
  let fleet = edited({ spokes: [], lends: false }, { kind: 'add', ordered: spokes });
  const commits: Commit[] = [];
  let lock: string | undefined;
  let survivesRebuild = true;
  for (const next of [fleet, ...edits.map((it) => it.edit)]) {
    if ('kind' in next) fleet = edited(fleet, next);
    const made = compileFleet(fleet, lock);
    lock = made.compiled.lock;
    survivesRebuild = made.survivesRebuild;
    commits.push(new Commit(made.compiled, 'hub', `main@sha1:${commits.length}`));
  }
  return { commits, survivesRebuild };
}

/**
 * True when a network of one link is another's in a later commit. A tool that meets both commits at once may not have
 * freed it by then: the link is reported as failed, and the chain stopped.
 */
function givesANetworkAway(commits: readonly Commit[]): boolean {
  const owners = new Map<string, string>();
  for (const { views } of commits)
    for (const [id, { pod, external }] of views)
      for (const network of [...pod, ...external]) {
        if ((owners.get(network) ?? id) !== id) return true;
        owners.set(network, id);
      }
  return false;
}

/** The number of stories of each kind, all with the required end. */
const told = new Map<string, number>();
const count = (what: string): void => void told.set(what, (told.get(what) ?? 0) + 1);

interface Tool {
  readonly fetch: (commit: Commit) => void;
  readonly applyEntryPoints: (commit: Commit) => void;
  readonly prepareRebuild: () => void;
  readonly endRebuild: (commit: Commit) => void;
}

function tell(it: Story, commits: readonly Commit[], makeTool: (cluster: LiqoAnswers, schedule: Schedule) => Tool) {
  const [first, last] = [commits[0] as Commit, commits.at(-1) as Commit];
  const schedule = new Schedule(it.seed);
  const cluster = new LiqoAnswers(
    () => first.freshIpam(),
    (work) => schedule.after(schedule.aWhile() * it.slowness, work),
    it,
  );
  const tool = makeTool(cluster, schedule);
  let time = 0;
  let newest = first;
  let skipsNone = true;
  commits.forEach((commit, i) => {
    time += i === 0 ? 0 : (it.edits[i - 1]?.after ?? 0);
    schedule.after(time, () => {
      if (i > 0 && !isInPlace(newest, cluster)) skipsNone = false;
      newest = commit;
      tool.fetch(commit);
    });
    schedule.after(Math.max(0, time + it.entryPointsLate), () => tool.applyEntryPoints(commit));
  });
  // A rebuild begins after the last change of entry points; everything else may happen in the middle.
  const at = it.incidentAfter + (it.incident === 'rebuild' ? time + 301 : 0);
  const end = Math.max(time + 300, at) + LONG;
  if (it.incident === 'rebuild') {
    schedule.after(at, () => tool.prepareRebuild());
    schedule.after(at + 400, () => cluster.uninstall({ keepsKinds: true }));
    schedule.after(at + 400 + it.outage, () => cluster.install());
    schedule.after(end, () => tool.endRebuild(last));
  }
  if (it.incident === 'purge-long' || it.incident === 'purge-short' || it.incident === 'wipe') {
    schedule.after(at, () => cluster.uninstall({ keepsKinds: it.incident === 'wipe' }));
    const back = it.incident === 'purge-long' ? LONG : it.outage;
    schedule.after(at + back, () => cluster.install());
  }
  if (it.incident === 'occupied') schedule.after(at, () => cluster.occupy('10.70.0.0/16'));
  schedule.until(end + SETTLED);
  return { cluster, schedule, tool, newest, skipsNone };
}

const isInPlace = (commit: Commit, cluster: LiqoAnswers): boolean =>
  commit.notAsCompiled(cluster).length === 0 && commit.notRemoved(cluster).length === 0;

/** Waits for links whose answers take an hour each. */
function settle({ cluster, schedule, newest }: Pick<ReturnType<typeof tell>, 'cluster' | 'schedule' | 'newest'>): void {
  const waits = (): boolean => newest.notAsCompiled(cluster).some((id) => cluster.views(id) === undefined);
  schedule.until(schedule.now + SETTLED);
  for (let i = 0; i < 20 && (waits() || newest.notRemoved(cluster).length > 0); i++)
    schedule.until(schedule.now + SETTLED);
}

/** Deletes objects with wrong addresses, as the page explains, until none is left. */
function repair(end: ReturnType<typeof tell>): void {
  const { cluster, newest } = end;
  for (let i = 0; i < 3; i++) {
    settle(end);
    for (const id of newest.notAsCompiled(cluster)) if (cluster.views(id) !== undefined) cluster.remove(id);
  }
  settle(end);
}

describe('Flux, whatever meets whatever', () => {
  law(
    'reports no Configuration as ready that has other addresses, and gives every one its own where its state is known',
    STORIES.flux,
    fc.property(story, (it) => {
      const { commits, survivesRebuild } = commitsOf(it);
      let flux: SimulatedFlux | undefined;
      const end = tell(it, commits, (cluster, schedule) => {
        const made = new SimulatedFlux(cluster, schedule, it);
        flux = made;
        return {
          fetch: (commit) => made.fetch(commit),
          applyEntryPoints: (commit) => {
            if (!it.appliesItself) made.applyEntryPoints(commit);
            else if (commit === commits[0]) made.applyApplier(commit);
          },
          prepareRebuild: () => made.suspendAndDeleteAll(),
          endRebuild: (commit) => (it.appliesItself ? made.resumeAppliers() : made.applyEntryPoints(commit)),
        };
      });
      if (flux === undefined) throw new Error('no tool');
      // Later entry points that are applied by hand before Flux has their commit: a link may then be applied while those before it
      // are ready without their new peers.
      const isAhead = !it.appliesItself && it.entryPointsLate < 0 && commits.length > 1;
      const isKnown =
        !isAhead &&
        ((it.incident === 'none' && end.skipsNone) ||
          (['none', 'rebuild', 'purge-long'].includes(it.incident) && survivesRebuild && !givesANetworkAway(commits)));
      if (isKnown) settle(end);
      expect(flux.wronglyReady).toEqual([]);
      expect(flux.waitedInVain).toEqual([]);
      const wrong = end.newest.notAsCompiled(end.cluster);
      count(
        `Flux, ${it.incident}${survivesRebuild ? '' : ', with history'}: ${wrong.length === 0 ? 'as compiled' : 'failed'}`,
      );
      if (isKnown) expect(wrong).toEqual([]);
      if (isKnown) expect(end.newest.notRemoved(end.cluster)).toEqual([]);
      const waitsForGateways = it.gatewaysHang && commits.at(-1)?.kustomizations.length === 1;
      if (!waitsForGateways) expect(flux.areLinksReady).toBe(wrong.length === 0);
      if (wrong.length === 0 || it.incident === 'occupied' || !survivesRebuild) return;
      repair(end);
      count('Flux, repaired');
      expect(end.newest.notAsCompiled(end.cluster)).toEqual([]);
      if (!waitsForGateways) expect(flux.areLinksReady).toBe(true);
    }),
  );
});

/** One of several links that need no order is removed; others need one, so the cluster has a chain. */
const removal = fc.record({
  seed: fc.integer(),
  spokes: fc.integer({ min: 1, max: 3 }).map((free) => [true, true, ...Array.from({ length: free + 1 }, () => false)]),
  slowness: fc.constantFrom(1, 20),
  workers: fc.constantFrom(1, 4),
  cancelsHealthChecks: fc.boolean(),
});

describe('a link that a commit removes', () => {
  law(
    'is not waited for by Flux, whichever of its objects meets the commit first',
    400,
    fc.property(removal, (it) => {
      const { commits } = commitsOf({ spokes: it.spokes, edits: [{ edit: { kind: 'remove' }, after: 0 }] });
      const [first, last] = [commits[0] as Commit, commits[1] as Commit];
      const schedule = new Schedule(it.seed);
      const cluster = new LiqoAnswers(
        () => first.freshIpam(),
        (work) => schedule.after(schedule.aWhile() * it.slowness, work),
      );
      const flux = new SimulatedFlux(cluster, schedule, it);
      schedule.after(0, () => [flux.fetch(first), flux.applyApplier(first)]);
      schedule.until(SETTLED);
      schedule.after(0, () => flux.fetch(last));
      schedule.until(2 * SETTLED);
      expect(flux.waitedInVain).toEqual([]);
      expect([...last.notRemoved(cluster), ...last.notAsCompiled(cluster)]).toEqual([]);
      expect(flux.isAppliedAt(last.revision)).toBe(true);
    }),
  );
});

describe('Argo CD, whatever meets whatever', () => {
  law(
    'takes no Configuration for healthy that has other addresses, and gives every one its own',
    STORIES.argo,
    fc.property(story, (it) => {
      const { commits, survivesRebuild } = commitsOf(it);
      let argo: SimulatedArgo | undefined;
      const end = tell(it, commits, (cluster, schedule) => {
        const made = new SimulatedArgo(cluster, schedule, syncOptionsOf(commits[0] as Commit));
        argo = made;
        return {
          fetch: (commit) => made.fetch(commit),
          applyEntryPoints: () => {},
          prepareRebuild: () => {},
          endRebuild: () => {},
        };
      });
      if (argo === undefined) throw new Error('no tool');
      const isKnown =
        (it.incident === 'none' && end.skipsNone) ||
        (!['occupied', 'wipe'].includes(it.incident) && survivesRebuild && !givesANetworkAway(commits));
      if (isKnown) settle(end);
      expect(argo.wronglyHealthy).toEqual([]);
      const wrong = end.newest.notAsCompiled(end.cluster);
      count(
        `Argo CD, ${it.incident}${survivesRebuild ? '' : ', with history'}: ${wrong.length === 0 ? 'as compiled' : 'failed'}`,
      );
      if (isKnown) expect(wrong).toEqual([]);
      if (wrong.length === 0) expect(end.newest.notRemoved(end.cluster)).toEqual([]);
    }),
  );
});

/** A first rollout with a foreign Network that overlaps one of a link. */
const occupied = fc.record({
  seed: fc.integer(),
  spokes: fc.integer({ min: 2, max: 5 }),
  taken: fc.nat(4),
  commitAfter: fc.nat(900),
  slowness: fc.constantFrom(1, 20, 200),
  workers: fc.constantFrom(1, 4),
  cancelsHealthChecks: fc.boolean(),
});

describe('a wrong address in a first rollout', () => {
  const tools = {
    Flux: (cluster: LiqoAnswers, schedule: Schedule, settings: { workers: number; cancelsHealthChecks: boolean }) => {
      const flux = new SimulatedFlux(cluster, schedule, settings);
      return { start: (it: Commit) => [flux.fetch(it), flux.applyEntryPoints(it)], failures: () => flux.failures };
    },
    'Argo CD': (cluster: LiqoAnswers, schedule: Schedule, _: object, commit: Commit) => {
      const argo = new SimulatedArgo(cluster, schedule, syncOptionsOf(commit));
      return { start: (it: Commit) => argo.fetch(it), failures: () => argo.failures };
    },
  };
  for (const [name, makeTool] of Object.entries(tools)) {
    law(
      `stops the chain at the first, whatever commits arrive meanwhile, until it is corrected: ${name}`,
      STOPPED,
      fc.property(occupied, (it) => {
        const spokes = Array.from({ length: it.spokes }, () => true);
        const edits = [{ edit: { kind: 'add' as const, ordered: [true] }, after: it.commitAfter }];
        const { commits } = commitsOf({ spokes, edits });
        const [first, last] = [commits[0] as Commit, commits[1] as Commit];
        const schedule = new Schedule(it.seed);
        const cluster = new LiqoAnswers(
          () => first.freshIpam(),
          (work) => schedule.after(schedule.aWhile() * it.slowness, work),
        );
        const [network = ''] = last.externalViewsOf(last.ordered[it.taken % last.ordered.length] ?? '');
        cluster.occupy(network);
        const stopped = last.firstWrongWith(network);
        const tool = makeTool(cluster, schedule, it, first);
        schedule.after(0, () => tool.start(first));
        schedule.after(it.commitAfter, () => tool.start(last));
        for (let i = 0; i < 20 && tool.failures().length === 0; i++) schedule.until(schedule.now + SETTLED);
        schedule.until(schedule.now + SETTLED);
        count(`${name}, stopped`);
        expect(tool.failures().length).toBeGreaterThan(0);
        expect(new Set(tool.failures())).toEqual(new Set([stopped]));
        expect([...last.notAsCompiled(cluster)].sort()).toEqual(
          last.ordered.slice(last.ordered.indexOf(stopped)).sort(),
        );
        expect(cluster.created.filter((id) => last.ordered.includes(id))).toEqual(
          last.ordered.slice(0, last.ordered.indexOf(stopped) + 1),
        );
        cluster.vacate(network);
        cluster.remove(stopped);
        settle({ cluster, schedule, newest: last });
        expect(last.notAsCompiled(cluster)).toEqual([]);
      }),
    );
  }
});

it('tells stories of every kind', () => {
  // A twentieth of the examples does not meet all of them.
  if ([...told.values()].reduce((sum, one) => sum + one, 0) < 400) return;
  const kinds = [...told.keys()].map((one) => one.replace(/(, with history)?:.*/, ''));
  const incidents = ['none', 'rebuild', 'purge-long', 'purge-short', 'wipe', 'occupied', 'stopped'];
  for (const tool of ['Flux', 'Argo CD'])
    expect(kinds).toEqual(expect.arrayContaining(incidents.map((one) => `${tool}, ${one}`)));
});
