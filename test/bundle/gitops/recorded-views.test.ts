import { describe, expect, it } from 'vitest';
import { CONFIGURATION_HEALTH } from '../../../src/bundle/gitops/flux-health.ts';
import { type Item, recordedFleet } from '../../live/drift/recorded-fleet.ts';
import { HEALTH_OF, verdictOf } from './cel.ts';
import { needsLua, runLua, scriptOf } from './health-scripts.ts';

/** Fleets of each release, what controllers left of them; and after Configurations had been applied in another order. */
const FLEETS: readonly (readonly [fleet: string, after?: string])[] = [
  ...['example/1.0', 'example/1.1', 'example/1.2', 'overlap/1.0', 'overlap/1.1', 'overlap/1.2'].map(
    (it) => [it] as const,
  ),
  ['several-pod-cidrs/1.2'],
  ...['atonce', 'reverse', 'shuffle-3'].map((it) => ['overlap/1.1', it] as const),
  ...['atonce', 'reverse', 'shuffle-1', 'shuffle-7'].map((it) => ['overlap/1.2', it] as const),
];

type Views = Readonly<Record<'pod' | 'external', readonly string[]>>;

interface Configuration extends Item {
  status: { remote: { cidr: Views }; conditions?: readonly object[] };
}

/** With the annotations of the bundle that the fleet compiles to. */
const configurations = FLEETS.flatMap(([fleet, after]) =>
  Object.entries(recordedFleet(fleet, after).dumps).flatMap(([cluster, items]) =>
    items
      .filter((it): it is Configuration => it.kind === 'Configuration')
      .map((object) => ({ what: [fleet, after, cluster, object.metadata.name].join(' '), object })),
  ),
);

const isAsCompiled = ({ metadata: { annotations = {} }, status }: Configuration): boolean =>
  (['pod', 'external'] as const).every(
    (it) => annotations[`liqo-weft/${it}-views`] === status.remote.cidr[it].join(','),
  );

/** Faults of a correct object, and the health that tools must report. */
const EDITS: Readonly<Record<string, readonly [health: string, edit: (it: Configuration) => void]>> = {
  'another pod network': ['Degraded', (it) => annotate(it, 'pod', '10.99.0.0/16')],
  'another external network': ['Degraded', (it) => annotate(it, 'external', '10.99.0.0/16')],
  'the two swapped': [
    'Degraded',
    (it) => {
      const { pod, external } = it.status.remote.cidr;
      annotate(it, 'pod', external.join(','));
      annotate(it, 'external', pod.join(','));
    },
  ],
  'one network more': ['Degraded', (it) => annotate(it, 'pod', `${it.status.remote.cidr.pod.join(',')},10.99.0.0/16`)],
  'no annotations': ['Healthy', (it) => delete it.metadata.annotations],
  'no external network yet': ['Progressing', (it) => setViews(it, { external: [] })],
  'an empty external network': ['Progressing', (it) => setViews(it, { external: [''] })],
  'no status': ['Progressing', (it) => delete (it as Item)['status']],
  'only conditions': ['Progressing', (it) => delete (it.status as Partial<Configuration['status']>).remote],
};

/** Faults that only releases with a condition show. */
const WITH_CONDITION: typeof EDITS = {
  'a condition that waits': ['Progressing', (it) => setCondition(it, { status: 'False' })],
  'another view before the last change was seen': [
    'Progressing',
    (it) => {
      annotate(it, 'external', '10.99.0.0/16');
      it.metadata['generation'] = Number(it.metadata['generation']) + 1;
    },
  ],
  'the right view before the last change was seen': [
    'Healthy',
    (it) => {
      it.metadata['generation'] = Number(it.metadata['generation']) + 1;
    },
  ],
};

function annotate(it: Configuration, list: keyof Views, views: string): void {
  it.metadata.annotations = { ...it.metadata.annotations, [`liqo-weft/${list}-views`]: views };
}

function setViews(it: Configuration, views: Partial<Views>): void {
  it.status.remote.cidr = { ...it.status.remote.cidr, ...views };
}

function setCondition(it: Configuration, changes: object): void {
  it.status.conditions = (it.status.conditions ?? []).map((one) => ({ ...one, ...changes }));
}

const samples = [
  ...configurations.map(({ what, object }) => ({
    what,
    object,
    health: isAsCompiled(object) ? 'Healthy' : 'Degraded',
  })),
  ...configurations
    .filter(({ object }) => isAsCompiled(object))
    .flatMap(({ what, object }) =>
      Object.entries({ ...EDITS, ...(object.status.conditions ? WITH_CONDITION : {}) }).map(
        ([name, [health, edit]]) => {
          const copy = structuredClone(object);
          edit(copy);
          return { what: `${what}: ${name}`, object: copy, health };
        },
      ),
    ),
];

describe('Configurations as real controllers left them', () => {
  it('are right and wrong ones, of every release', () => {
    const wrong = configurations.filter(({ object }) => !isAsCompiled(object));
    expect(configurations.length).toBeGreaterThan(100);
    expect(wrong.length).toBeGreaterThan(5);
    expect(wrong.every(({ what }) => / (atonce|reverse|shuffle-\d) /.test(what))).toBe(true);
    for (const release of ['1.0', '1.1', '1.2'])
      expect(configurations.some(({ what, object }) => what.includes(release) && isAsCompiled(object))).toBe(true);
  });

  it('are judged by Flux by their views', () => {
    const found = samples.map(({ what, object }) => [what, HEALTH_OF[verdictOf(CONFIGURATION_HEALTH, object)]]);
    expect(found).toEqual(samples.map(({ what, health }) => [what, health]));
  });

  it.skipIf(needsLua)('are judged by Argo CD by their views', () => {
    const found = runLua(
      scriptOf('configuration'),
      samples.map((it) => it.object),
    );
    expect(samples.map(({ what }, i) => [what, found[i]?.status])).toEqual(
      samples.map(({ what, health }) => [what, health]),
    );
    for (const { message } of found) expect(message).not.toBe('');
  });
});
