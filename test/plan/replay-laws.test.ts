import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stepGroups, type TypedStep } from '../../src/answers/report/plan/plan-steps.ts';
import type { RelockTarget } from '../../src/compile.ts';
import type { Plan } from '../../src/plan/plan-changes.ts';
import { chance } from '../laws/chance.ts';
import { type Decided, tryCompile } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { runsOf } from '../support/drawn.ts';
import { anyCommit, anyStart, type Commit, editedStory, type StorySpec, withoutRenames } from './arbitrary-story.ts';
import { LiveNetworks, promisedViews, type Side, type Views, viewKey } from './live-networks.ts';
import { Replay } from './replay-steps.ts';
import { planBetween } from './run-edit.ts';

const anyStory = fc.record({
  start: anyStart,
  commits: fc.array(anyCommit, { minLength: 1, maxLength: 3 }),
  seed: fc.nat(),
});

/** The numbers of comparisons, so that the laws are not empty. */
const counted = { plans: 0, views: 0, asPromised: 0, told: 0, enough: 0 };
const done = new Map<string, number>();

const RUNS = 100;

interface Merged {
  readonly spec: StorySpec;
  readonly decided: Decided;
}

const tried = (spec: StorySpec, lock?: string, relock: readonly RelockTarget[] = []): Decided | undefined => {
  const result = tryCompile(spec, lock, { relock });
  return result.ok ? { ...result.value, diagnostics: result.diagnostics } : undefined;
};

function compiledAgain(spec: StorySpec, lock: string | undefined, relock: readonly RelockTarget[] = []): Decided {
  const it = tried(spec, lock, relock);
  fc.pre(it !== undefined);
  return it as Decided;
}

/** Carries out the plan of a change on the fleet, and compares every view of it with what the bundles promise. */
function merge(before: Merged, spec: StorySpec, live: LiveNetworks, relock: readonly RelockTarget[]): Merged {
  const { lock } = before.decided;
  const after = compiledAgain(spec, lock, relock);
  const plan = planBetween(before.decided, after);
  const first = firstOfTwo(plan, spec);
  if (first !== undefined) return merge(merge(before, first, live, relock), spec, live, []);
  const replay = new Replay(after, { live, compileAgain: (more) => compiledAgain(spec, lock, [...relock, ...more]) });
  const alone = new Replay(after, {
    live: live.copy(),
    compileAgain: (more) => compiledAgain(spec, lock, [...relock, ...more]),
  });
  expect(differing(alone.live.views(), live.views())).toEqual([]);
  alone.runWithoutDeleting(plan);
  replay.run(plan);
  const { commit, compared, deleted, moving } = replay;
  const found = live.views();
  // Decisions that are made again are those of a rebuilt cluster. No plan shows that they were, so where a running one asks for
  // more, after peers that stay and beside peers that leave, the answers may be others.
  const unknown = relock.filter(({ cluster: name }) =>
    plan.changes.some(
      (it) => (it.kind === 'link-added' || it.kind === 'announced-changed') && it.clusters.includes(name),
    ),
  );
  for (const { cluster: name } of unknown)
    compared.push(
      ...[...(commit.model.clusters.get(name)?.peers.keys() ?? [])].map((peer) => ({ cluster: name, peer })),
    );
  const told = new Set(compared.map(viewKey));
  const wrong = differing(promisedViews(commit.bundle), found);
  // Nothing is deleted where applying and then pruning would be enough.
  const isEnough = differing(promisedViews(alone.commit.bundle), alone.live.views()).length === 0;
  if (isEnough) expect(wrong, wrong.length === 0 ? '' : shown(before, spec, plan, commit, found)).toEqual([]);
  counted.enough += isEnough ? 1 : 0;
  // A view that is not as promised is one that the plan has compared.
  const silent = wrong.filter((it) => !told.has(it));
  expect(silent, silent.length === 0 ? '' : shown(before, spec, plan, commit, found)).toEqual([]);
  const adopted = compiledAgain(spec, withViews(commit, compared, found));
  expect(differing(promisedViews(adopted.bundle), found)).toEqual([]);
  for (const { steps: some } of stepGroups(plan))
    for (const { step } of some) done.set(step, (done.get(step) ?? 0) + 1);
  counted.plans++;
  counted.views += found.size;
  counted.told += told.size;
  counted.asPromised += found.size - wrong.length;
  // Without chance, weft itself says what they are: the deleted ones are asked for in the order of the waves.
  if (moving.length === 0 && relock.length === 0) {
    const predicted = compiledAgain(spec, withoutViews(lock, deleted), replay.relock);
    if (ordersOf(predicted) === ordersOf(commit)) {
      const others = differing(promisedViews(predicted.bundle), found);
      expect(others, others.length === 0 ? '' : shown(before, spec, plan, predicted, found)).toEqual([]);
    }
  }
  return { spec, decided: adopted };
}

const differing = (promised: Views, found: Views): readonly string[] =>
  [...new Set([...promised.keys(), ...found.keys()])].filter((it) => promised.get(it) !== found.get(it));

/** The change that has to come before, where the only pod network is replaced. With a list it is only better. */
function firstOfTwo({ changes }: Plan, spec: StorySpec): StorySpec | undefined {
  const lists = changes.flatMap((it) =>
    it.kind === 'own-cidr-changed' &&
    it.from.length + it.to.length === 2 &&
    it.steps.some(({ step }) => step === 'add-before-removing')
      ? [[it.cluster, { ...spec.clusters[it.cluster], podCIDR: [...new Set([...it.from, ...it.to])] }] as const]
      : [],
  );
  return lists.length === 0
    ? undefined
    : ({ ...spec, clusters: { ...spec.clusters, ...Object.fromEntries(lists) } } as StorySpec);
}

/** The lock of a commit after `weft drift --adopt`. */
const withViews = ({ lock }: Pick<Decided, 'lock'>, sides: readonly Side[], found: Views): string =>
  sides.reduce((text, side) => {
    const { cluster, peer } = side;
    const given = (found.get(viewKey(side)) ?? '').matchAll(/(\w+) ([^>]+)>([^,]+)/g);
    return [...given].reduce((all, [, role, cidr, seenAs]) => {
      const key = `(?:${cluster}/${peer}|${peer}/${cluster})/view/${cluster}/${role}/${cidr}`;
      return all.replace(new RegExp(`^(  ${key}: ).*$`, 'm'), (_, start: string) => `${start}${seenAs}`);
    }, text);
  }, lock);

/** A lock without what it has about some sides. */
const withoutViews = (lock: string, sides: readonly Side[]): string =>
  sides.reduce(
    (text, { cluster, peer }) =>
      text.replaceAll(new RegExp(`^  (?:${cluster}/${peer}|${peer}/${cluster})/view/${cluster}/.*\\n`, 'gm'), ''),
    lock,
  );

/** The order in which each cluster requests its peers. */
const ordersOf = ({ model }: Pick<Decided, 'model'>): string =>
  JSON.stringify(
    [...model.clusters.values()].map(({ name, peers }) => [
      name,
      [...peers.values()].map((it) => [it.name, it.remapped]),
    ]),
  );

/** For the message of a failure. */
const shown = (before: Merged, spec: StorySpec, plan: Plan, commit: Pick<Decided, 'bundle'>, found: Views): string => {
  const [old, now] = [promisedViews(before.decided.bundle), promisedViews(commit.bundle)];
  return [
    JSON.stringify(before.spec),
    JSON.stringify(spec),
    ...stepGroups(plan).map((it) => `${it.when}: ${it.what.slice(0, 70)} (${it.on.join('; ')})`),
    ...differing(now, found).map((it) => `${it}: was ${old.get(it)}, is to be ${now.get(it)}, is ${found.get(it)}`),
  ].join('\n');
};

function begun(start: StorySpec, seed: number): { readonly state: Merged; readonly live: LiveNetworks } {
  const decided = compiledAgain(start, undefined);
  const live = new LiveNetworks(chance(seed));
  for (const it of decided.model.clusters.keys()) live.install(decided, it);
  live.sync(decided);
  expect(differing(promisedViews(decided.bundle), live.views())).toEqual([]);
  return { state: { spec: start, decided }, live };
}

const next = (state: Merged, live: LiveNetworks, { edits, relock }: Commit): Merged => {
  const spec = edits.reduce(editedStory, withoutRenames(state.spec));
  const names = Object.keys(spec.clusters);
  const targets = relock === null ? [] : [{ cluster: names[relock % names.length] as string, peer: null }];
  return tried(spec, state.decided.lock, targets) === undefined ? state : merge(state, spec, live, targets);
};

describe('an upgrade that asks for every view again', () => {
  it('says of no view that it cannot move because a link goes in the same change, which is still there then', () => {
    const fleet = (version: string, shortcuts: NonNullable<StorySpec['shortcuts']>): StorySpec => ({
      version: 1,
      name: 'fleet',
      liqo: { version },
      hub: 'hub',
      defaults: { serviceCIDR: '10.96.0.0/12' },
      clusters: {
        hub: cluster('10.200.0.0/16', 1),
        anna: cluster('10.202.0.0/16', 2),
        dora: cluster('10.200.128.0/17', 5),
      },
      shortcuts,
    });
    const { state, live } = begun(fleet('1.1', [{ between: ['anna', 'dora'] }]), 1);
    const after = fleet('1.2', []);
    const plan = planBetween(state.decided, compiledAgain(after, state.decided.lock));
    const anna = plan.changes.find((it) => it.kind === 'release-changed' && it.cluster === 'anna');
    expect(anna).toMatchObject({ mayMove: [{ peer: 'hub' }, { peer: 'hub' }] });
    merge(state, after, live, []);
    expect(live.views().get('anna sees hub')).not.toBe(promisedViews(state.decided.bundle).get('anna sees hub'));
  });
});

describe('networks of peers that come and go in one change, on 1.2', () => {
  const fleet = (clusters: StorySpec['clusters'], peerings: NonNullable<StorySpec['peerings']> = []): StorySpec => ({
    version: 1,
    name: 'fleet',
    hub: 'hub',
    defaults: { serviceCIDR: '10.96.0.0/12' },
    clusters,
    peerings,
  });

  it('are asked for when those that hold them are gone', () => {
    const hub = cluster('10.200.0.0/16', 1);
    const [one, other] = ['10.204.0.0/16', '10.205.0.0/16'];
    const swapped = (anna: string, bert: string): StorySpec =>
      fleet({ hub, anna: cluster(['10.201.0.0/16', anna], 2), bert: cluster(['10.202.0.0/16', bert], 3) });
    for (const seed of [1, 2, 3]) {
      const { state, live } = begun(swapped(one, other), seed);
      const { decided } = merge(state, swapped(other, one), live, []);
      expect(promisedViews(decided.bundle).get('hub sees anna')).toContain(`pod ${other}>${other}`);
    }
  });

  it('are not given to a new peer where they are new networks of the cluster itself', () => {
    const [own, added] = ['10.200.0.0/16', '10.204.0.0/16'];
    const { state, live } = begun(fleet({ hub: cluster(own, 1), bert: cluster('10.202.0.0/16', 3) }), 1);
    const after = { hub: cluster([own, added], 1), bert: cluster('10.202.0.0/16', 3), anna: cluster(added, 2) };
    merge(state, fleet(after), live, []);
    expect(live.views().get('hub sees anna')).not.toContain(`pod ${added}>${added}`);
  });

  it('are asked for in the turn of a peer that is remapped already', () => {
    const before = {
      hub: cluster('10.202.0.0/16', 1),
      anna: { ...cluster('10.201.0.0/16', 2), externalCIDR: 'auto' },
      bert: cluster('10.201.0.0/16', 3),
      carl: cluster('10.200.0.0/16', 4),
    };
    const after = { ...before, carl: cluster(['10.200.0.0/16', '10.68.0.0/16'], 4) };
    const moved = { between: ['bert', 'hub'] as const, names: { hub: { namespace: 'of-bert' } } };
    const { state, live } = begun(fleet(before), 1);
    merge(state, fleet(after, [moved]), live, []);
    expect(live.views().get('hub sees carl')).toContain('pod 10.68.0.0/16>10.64.0.0/16');
  });
});

/** Steps that decide what the allocators give; each has to be carried out again and again. */
const DECIDING: readonly TypedStep['step'][] = [
  'remove-the-old-objects-first',
  'delete-before-applying',
  'apply-before-pruning',
  'prune-gateways-first',
  'reinstall-under-new-id',
  'reinstall-with-new-values',
  'upgrade-and-restart',
  'upgrade-liqo',
  'relock',
  'compare-views',
  'compare-views-that-may-move',
];

const cluster = (podCIDR: string | readonly string[], host: number) => ({
  podCIDR,
  gateway: { addresses: [`203.0.113.${host}`] },
});

describe('a cluster that takes the place of another one', () => {
  const fleet = (name: string, renamedFrom?: string): StorySpec => ({
    version: 1,
    name: 'fleet',
    liqo: { version: '1.1' },
    hub: 'hub',
    defaults: { serviceCIDR: '10.96.0.0/12' },
    clusters: {
      hub: cluster('10.200.0.0/16', 1),
      anna: cluster('10.200.0.0/16', 2),
      [name]: { ...cluster('10.200.0.0/16', 3), ...(renamedFrom === undefined ? {} : { renamedFrom }) },
      carl: cluster('10.201.0.0/16', 4),
    },
  });
  const replaced = (after: StorySpec) => {
    const { state, live } = begun(fleet('bert'), 1);
    const decided = compiledAgain(after, state.decided.lock);
    const plan = planBetween(state.decided, decided);
    merge(state, after, live, []);
    const promised = promisedViews(decided.bundle).get('hub sees dora');
    const names = stepGroups(plan).flatMap((it) => it.steps.map(({ step }) => step));
    return { plan, names, promised, before: state, found: live.views().get('hub sees dora') };
  };

  it('is applied before the old one is pruned, and nothing is deleted first', () => {
    const { plan, names, promised, before, found } = replaced(fleet('dora'));
    expect(found).toBe(promised);
    expect(found).not.toBe(promisedViews(before.decided.bundle).get('hub sees bert'));
    expect(names).toContain('apply-before-pruning');
    expect(names.filter((it) => it.startsWith('delete-before') || it.startsWith('remove-the-old'))).toEqual([]);
    expect(names[0]).toBe('declare-a-rename');
    expect(plan.changes.filter((it) => it.kind === 'view-moved' || it.kind === 'cluster-renamed')).toEqual([]);
    expect(plan.changes.find((it) => it.kind === 'cluster-removed')).toMatchObject({
      cluster: 'bert',
      lookalike: 'dora',
    });
  });

  it('is deleted first where the rename is declared, and its views are compared, since others hold addresses by now', () => {
    const { names, promised, before, found } = replaced(fleet('dora', 'bert'));
    expect(promised).toBe(promisedViews(before.decided.bundle).get('hub sees bert'));
    // The network of carl after bert attracts later requests.
    expect(found).not.toBe(promised);
    expect(names.filter((it) => /^(remove-the-old|compare|apply-before)/.test(it))).toEqual([
      'remove-the-old-objects-first',
      'compare-views',
    ]);
  });
});

describe('the steps of a plan, carried out on the allocators of each release', () => {
  law(
    'lead to every view that the bundles promise, or to a comparison with what weft predicts',
    RUNS,
    fc.property(anyStory, ({ start, commits, seed }) => {
      const { state, live } = begun(start, seed);
      commits.reduce((it, commit) => next(it, live, commit), state);
    }),
  );

  it('are carried out often enough to mean something', () => {
    const runs = runsOf(RUNS);
    expect(counted.plans).toBeGreaterThan(runs);
    if (runs < 100) return;
    // Almost all views are as promised. Most of the views that must be compared are as promised, too.
    expect(counted.asPromised).toBeGreaterThan(0.9 * counted.views);
    expect(counted.told).toBeLessThan(0.3 * counted.views);
    expect(counted.enough).toBeGreaterThan(0.5 * counted.plans);
    expect(DECIDING.filter((it) => (done.get(it) ?? 0) < 5)).toEqual([]);
  });
});
