import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printStages } from '../../../src/answers/report/plan/plan-answer.ts';
import { usualNames } from '../../../src/answers/report/plan/plan-steps.ts';
import type { Source } from '../../../src/base/source/source.ts';
import { compile, type Sources } from '../../../src/compile.ts';
import { stagesBetween } from '../../../src/host/app/stage-change.ts';
import { lossesOf } from '../../../src/plan/stages/losses.ts';
import { observationsOf } from '../../../src/plan/stages/observe.ts';
import { keysOf, publicKeyFor } from '../../support/keys-of.ts';

const FLEET = `version: 1
name: fleet
liqo: { version: "1.2" }
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  asia: { podCIDR: 10.210.0.0/16, gateway: 203.0.113.20, hub: europe }
  # Rome has no address of its own.
  rome: { podCIDR: 10.202.0.0/16 } # the first leaf
  milan:
    podCIDR: 10.203.0.0/16
    gateway: 203.0.113.30
`;

const FILES = {
  topology: 'topologies/topology.yaml',
  keys: 'topologies/topology.keys.yaml',
  identities: 'topologies/topology.identities.yaml',
  lock: 'topologies/topology.lock.yaml',
  byDefault: true,
};

interface Edited {
  readonly keys?: (text: string) => string;
  readonly included?: readonly Source[];
}

function sideOf(text: string, lock: string | undefined, { keys = (it) => it, included = [] }: Edited = {}) {
  const topology = { path: FILES.topology, text };
  const sources: Sources = {
    topology,
    included,
    keys: { path: FILES.keys, text: keys(keysOf(topology, undefined, included)?.text ?? '') },
    lock: lock === undefined ? undefined : { path: FILES.lock, text: lock },
  };
  const compiled = compile(sources, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  return { sources, compiled: compiled.value };
}

function staged(before: string, after: string, edited: Edited = {}) {
  const base = sideOf(before, undefined, { included: edited.included ?? [] });
  return stagesBetween({ base, wanted: sideOf(after, base.compiled.lock, edited) }, FILES);
}

const replaced = (text: string, from: string, to: string): string => {
  expect(text.split(from)).toHaveLength(2);
  return text.replace(from, () => to);
};

const edit = (...pairs: readonly (readonly [string, string])[]): string =>
  pairs.reduce((text, [from, to]) => replaced(text, from, to), FLEET);

/** The lines of a state that the wanted topology does not have, and the reverse. */
function differing(a: string | undefined, b: string) {
  const [one, two] = [(a ?? '').split('\n'), b.split('\n')];
  return [one.filter((it) => !two.includes(it)), two.filter((it) => !one.includes(it))];
}

const topologyOf = (files: ReadonlyMap<string, string>) => files.get('topology.yaml');

describe('a change in states', () => {
  it('is one state where nothing new can be beside what it replaces', () => {
    const { stages } = staged(
      FLEET,
      edit(['gateway: 203.0.113.30', 'gateway: { addresses: [203.0.113.30], mtu: 1300 }']),
    );
    expect(stages.map((it) => it.name)).toEqual(['1-finish']);
    expect(stages.flatMap((it) => lossesOf(it.plan))).toMatchObject([{ seconds: 16, restarts: true }]);
  });

  it('renumbers pods: first both networks, in the text of the topology, then the new one', () => {
    const wanted = edit(['    podCIDR: 10.203.0.0/16', '    podCIDR: 10.220.0.0/16']);
    const { stages } = staged(FLEET, wanted);
    expect(stages.map((it) => it.name)).toEqual(['1-add', '2-finish']);
    expect(differing(topologyOf(stages[0]?.files ?? new Map()), wanted)).toEqual([
      ['    podCIDR: [10.203.0.0/16, 10.220.0.0/16]'],
      ['    podCIDR: 10.220.0.0/16'],
    ]);
    const [add, finish] = stages;
    expect(add && lossesOf(add.plan)).toEqual([
      { seconds: 136, restarts: false, pairs: ['asia/milan', 'europe/milan', 'milan/rome'] },
    ]);
    expect(add && observationsOf(add.plan)).toContainEqual({
      cluster: 'europe',
      namespace: 'liqo-tenant-milan',
      object: 'configurations.networking.liqo.io/milan',
      field: '.status.remote.cidr.pod[1]',
      value: '10.220.0.0/16',
      when: 'after',
    });
    expect(finish?.files.get('topology.yaml')).toBe(wanted);
  });

  it('announces the restart where rules are replaced beside it, as it concerns every connection', () => {
    const wanted = edit(
      ['    podCIDR: 10.203.0.0/16', '    podCIDR: [10.203.0.0/16, 10.220.0.0/16]'],
      ['gateway: 203.0.113.30', 'gateway: { addresses: [203.0.113.30], mtu: 1300 }'],
    );
    const { stages } = staged(FLEET, wanted);
    expect(stages.map((it) => lossesOf(it.plan))).toEqual([
      [{ seconds: 16, restarts: true, pairs: ['asia/milan', 'europe/milan', 'milan/rome'] }],
    ]);
  });

  it('moves a leaf to another hub: first both hubs', () => {
    const wanted = edit(['rome: { podCIDR: 10.202.0.0/16 }', 'rome: { podCIDR: 10.202.0.0/16, hub: asia }']);
    const { stages } = staged(FLEET, wanted);
    expect(stages.map((it) => it.kind)).toEqual(['add', 'finish']);
    expect(topologyOf(stages[0]?.files ?? new Map())).toContain(
      '  # Rome has no address of its own.\n  rome: { podCIDR: 10.202.0.0/16, hub: [europe, asia] } # the first leaf\n',
    );
    expect(stages[0] && lossesOf(stages[0].plan)).toEqual([]);
    expect(stages[0] && observationsOf(stages[0].plan).map((it) => `${it.cluster} ${it.object} ${it.value}`)).toEqual([
      'asia connections.networking.liqo.io/gw-rome Connected',
      'rome connections.networking.liqo.io/gw-asia Connected',
    ]);
  });

  it('exchanges a peering for another one: the entry of before stays with its options', () => {
    const before = `${FLEET}peerings:\n  - { between: [milan, rome], mtu: 1300 }\n`;
    const wanted = `${FLEET}peerings:\n  - [asia, rome]\n`;
    const { stages } = staged(before, wanted);
    expect(stages.map((it) => it.kind)).toEqual(['add', 'finish']);
    expect(topologyOf(stages[0]?.files ?? new Map())).toBe(`${wanted}  - {"between":["milan","rome"],"mtu":1300}\n`);
    // A link that only goes has nothing to wait for.
    expect(staged(before, FLEET).stages.map((it) => it.kind)).toEqual(['finish']);
    expect(staged(FLEET, before).stages.map((it) => it.kind)).toEqual(['finish']);
  });

  it('upgrades Liqo in a state of its own, before what only the new release can', () => {
    const before = edit(['"1.2"', '"1.1"']);
    const wanted = edit(['    podCIDR: 10.203.0.0/16', '    podCIDR: 10.220.0.0/16']);
    const { stages } = staged(before, wanted);
    expect(stages.map((it) => it.name)).toEqual(['1-upgrade', '2-add', '3-finish']);
    expect(topologyOf(stages[0]?.files ?? new Map())).toBe(FLEET);
    expect(stages[0] && observationsOf(stages[0].plan).map((it) => [it.cluster, it.when])).toEqual(
      ['asia', 'europe', 'milan', 'rome'].map((it) => [it, 'before']),
    );
  });

  it('upgrades one cluster where the versions are written', () => {
    const before = edit(
      ['"1.2"', '"1.1"'],
      ['rome: { podCIDR: 10.202.0.0/16 }', 'rome: { podCIDR: 10.202.0.0/16, liqo: { version: 1.1.1 } }'],
    );
    const wanted = edit(
      ['"1.2"', '"1.1"'],
      ['10.202.0.0/16 }', '10.202.0.0/16, liqo: { version: 1.1.2 } }'],
      ['reserved: [192.168.10.0/24]', 'reserved: [192.168.11.0/24]'],
    );
    const { stages } = staged(before, wanted);
    expect(stages.map((it) => it.kind)).toEqual(['upgrade', 'finish']);
    expect(topologyOf(stages[0]?.files ?? new Map())).toBe(replaced(before, '1.1.1', '"1.1.2"'));
  });

  it('retires a cluster whose networks a running Liqo cannot change, and advises nothing that would lose its entry', () => {
    const wanted = edit(['rome: { podCIDR', 'rome: { externalCIDR: 10.70.0.0/16, podCIDR']);
    const { stages, leftOut } = staged(FLEET, wanted);
    expect(stages.map((it) => it.name)).toEqual(['1-retire', '2-finish']);
    expect(topologyOf(stages[0]?.files ?? new Map())).toBe(edit(['10.202.0.0/16 }', '10.202.0.0/16, retired: true }']));
    const [first] = stages;
    if (first === undefined) throw new Error('no state');
    const text = printStages(
      { stages, leftOut, folder: null },
      { paint: plainPaint, verbose: true, names: usualNames(first.plan) },
    );
    expect(text).toContain('1-retire: clusters leave the network, and are installed again\n  - rome retires');
    expect(text).not.toContain('remove the entry from the topology');
  });

  it('ends in the wanted lock where nothing new has room beside the addresses in use', () => {
    const before = `version: 1
name: fleet
liqo: { version: "1.2" }
hub: europe
ipam: { pools: [10.80.0.0/16, 10.82.0.0/17, 10.90.0.0/15, 10.92.0.0/16, 10.200.0.0/16, 10.202.0.0/16, 172.21.0.0/16] }
defaults: { serviceCIDR: 172.20.0.0/16, internalCIDR: 172.21.0.0/16 }
clusters:
  europe: { podCIDR: 10.200.0.0/16, externalCIDR: 10.90.0.0/17, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/17, externalCIDR: 10.91.0.0/16 }
  rome: { podCIDR: 10.202.0.0/17, externalCIDR: 10.90.128.0/17 }
`;
    const base = sideOf(before, undefined);
    const wanted = sideOf(`${before}  oslo: { podCIDR: 10.202.0.0/16, externalCIDR: 10.92.0.0/16 }\n`, undefined);
    const { stages, leftOut } = stagesBetween({ base, wanted }, FILES);
    expect([stages.map((it) => it.name), leftOut]).toEqual([['1-finish'], []]);
    expect(stages[0]?.files.get('topology.lock.yaml')).toBe(wanted.compiled.lock);
    expect(stages[0]?.plan.changes).toContainEqual(expect.objectContaining({ kind: 'view-moved' }));
  });

  it('rotates keys: first the next ones, which no gateway uses', () => {
    const next = (text: string): string =>
      ['europe/milan', 'milan/europe'].reduce((all, gateway) => {
        const [cluster = '', peer = ''] = gateway.split('/');
        const key = JSON.stringify(publicKeyFor(cluster, `${peer}-next`));
        return replaced(
          all,
          JSON.stringify(publicKeyFor(cluster, peer)),
          `{ key: ${key}, generation: 2, since: "2026-11-28" }`,
        );
      }, text);
    const { stages } = staged(FLEET, FLEET, { keys: next });
    expect(stages.map((it) => it.name)).toEqual(['1-add', '2-finish']);
    const [add, finish] = stages;
    const key = publicKeyFor('milan', 'europe');
    expect(add?.files.get('topology.keys.yaml')).toContain(
      `    "europe": { key: "${key}", next: { key: "${publicKeyFor('milan', 'europe-next')}", since: "2026-11-28" } }`,
    );
    expect(add?.plan.changes).toEqual([]);
    expect(finish && lossesOf(finish.plan)).toMatchObject([{ seconds: 6, restarts: true }]);
    expect(finish && observationsOf(finish.plan)).toContainEqual({
      cluster: 'milan',
      namespace: 'liqo-tenant-europe',
      object: 'gatewayclients.networking.liqo.io/europe',
      field: '.status.secretRef.name',
      value: 'gw-keys-2',
      when: 'after',
    });
    // The Secrets of both ends are there before a gateway names them.
    expect(finish && observationsOf(finish.plan).filter((it) => it.when === 'before')).toEqual(
      [
        ['milan', 'europe'],
        ['europe', 'milan'],
      ].map(([cluster = '', peer = '']) => ({
        ...{ cluster, namespace: `liqo-tenant-${peer}` },
        ...{ object: 'secrets/gw-keys-2', field: '.metadata.name' },
        ...{ value: 'gw-keys-2', when: 'before' },
      })),
    );
    // A change that the next keys are part of already needs one state.
    const prepared = add?.files.get('topology.keys.yaml') ?? '';
    const base = sideOf(FLEET, undefined, { keys: () => prepared });
    const wanted = sideOf(FLEET, base.compiled.lock, { keys: next });
    expect(stagesBetween({ base, wanted }, FILES).stages.map((it) => it.name)).toEqual(['1-finish']);
  });

  it('edits the file that has the cluster, where a topology includes others', () => {
    const own = FLEET.slice(0, FLEET.indexOf('  milan:'));
    const include = (cidr: string) => ({
      path: 'topologies/clusters/south.yaml',
      text: `version: 1\nclusters:\n  milan:\n    podCIDR: ${cidr} # south\n    gateway: 203.0.113.30\n`,
    });
    const text = `${own}include: [clusters/south.yaml]\n`;
    const base = sideOf(text, undefined, { included: [include('10.203.0.0/16')] });
    const wanted = sideOf(text, base.compiled.lock, { included: [include('10.220.0.0/16')] });
    const { stages } = stagesBetween({ base, wanted }, FILES);
    expect(stages[0]?.files.get('clusters/south.yaml')).toContain(
      '    podCIDR: [10.203.0.0/16, 10.220.0.0/16] # south\n',
    );
    expect(topologyOf(stages[0]?.files ?? new Map())).toBe(text);
  });
});
