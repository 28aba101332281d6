import { describe, expect, it } from 'vitest';
import { missingRoutes } from '../../../src/live/problems/missing-routes.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { drawn, firstOfEach, RUNS_ALL } from '../../support/drawn.ts';
import { dumpOf, type Item, objectIn, recordedFleet, setAt } from '../drift/recorded-fleet.ts';
import { allRecordedClusters } from '../dumps/recordings.ts';
import { liveOf } from '../import/live-of.ts';

const FLEET = 'lends-and-offloads/1.2';

type Edit = (core: Item[]) => Item[] | undefined;

/** A way to run weft beside dumps of the recorded fleet, in which core, the hub, was edited. */
function fleet(edit: Edit) {
  const { files, dumps } = recordedFleet(FLEET);
  dumps['core'] = edit(dumps['core'] ?? []) ?? dumps['core'] ?? [];
  const texts = Object.entries(dumps).map(([cluster, items]) => [`dumps/${cluster}.json`, dumpOf(items)]);
  const { weft } = workspace({ ...files, ...Object.fromEntries(texts) });
  return async (...argv: readonly string[]): Promise<string> => (await weft(...argv)).stdout;
}

const RULES = 'spec/table/rules';

const edited =
  (name: string, path: string, value: unknown): Edit =>
  (core) =>
    void setAt(objectIn(core, 'RouteConfiguration', name), path, value);

const without =
  (name: string): Edit =>
  (core) =>
    core.filter((it) => it.kind !== 'RouteConfiguration' || it.metadata.name !== name);

interface Row {
  readonly what: string;
  readonly edit: Edit;
  /** Pairs that it breaks, and what is said of them. */
  readonly broken: Readonly<Record<string, RegExp>>;
  readonly drift: RegExp;
}

const DELIVERED = /: delivered/;
const NO_WAY_TO = (route: string) =>
  new RegExp(`: no route.*\n {2}"core" has no route for packets .*"${route}" lacks it`);
const NO_WAY_BACK = (route: string) =>
  new RegExp(`: no way back.*\n {2}"core" has no route for the answer .*"${route}" lacks it`);

const ROWS: readonly Row[] = [
  { what: 'nothing', edit: () => undefined, broken: {}, drift: /no drift|as compiled/ },
  {
    what: 'the routes to the gateway are gone',
    edit: without('edge1-node-gw'),
    broken: {
      'core edge1': NO_WAY_TO('edge1-node-gw'),
      'edge1 core': NO_WAY_BACK('edge1-node-gw'),
      'edge2 edge1': NO_WAY_TO('edge1-node-gw'),
      'edge1 edge2': NO_WAY_BACK('edge1-node-gw'),
    },
    drift: /drift\/routes {2}"core" has no routes to "edge1"/,
  },
  {
    what: 'a route to the gateway leads to another address',
    edit: edited('edge1-node-gw', `${RULES}/2/routes/0/gw`, '10.80.0.99'),
    broken: {
      'core edge1': NO_WAY_TO('edge1-node-gw'),
      'edge1 core': NO_WAY_BACK('edge1-node-gw'),
      'edge2 edge1': NO_WAY_TO('edge1-node-gw'),
      'edge1 edge2': NO_WAY_BACK('edge1-node-gw'),
    },
    drift: /the table has {3}to 10\.42\.0\.0\/16 via 10\.80\.0\.99/,
  },
  {
    what: 'a route into the tunnel leads back',
    edit: edited('edge2-gw-ext', `${RULES}/0/routes/0/gw`, '169.254.18.1'),
    broken: {
      'core edge2': NO_WAY_TO('edge2-gw-ext'),
      'edge2 core': NO_WAY_BACK('edge2-gw-ext'),
      'edge1 edge2': NO_WAY_TO('edge2-gw-ext'),
      'edge2 edge1': NO_WAY_BACK('edge2-gw-ext'),
    },
    drift: /drift\/routes {2}"core" has other routes to "edge2"/,
  },
  {
    what: 'a route from gateways to a node is gone',
    edit: edited('core-node1-extcidr', `${RULES}/0/dst`, '10.99.0.0/16'),
    broken: { 'edge1 edge2': NO_WAY_TO('core-node1-extcidr') },
    drift: /drift\/routes {2}"core" forwards nothing to "edge2": .*\n {4}"core-node1-extcidr" lacks 10\.43\.0\.0\/16/,
  },
  {
    what: 'a route from gateways to a node leads to another one',
    edit: edited('core-node1-extcidr', `${RULES}/1/routes/0/gw`, '10.80.0.77'),
    broken: { 'edge2 edge1': NO_WAY_TO('core-node1-extcidr') },
    drift: /drift\/routes {2}"core" forwards nothing to "edge1"/,
  },
  {
    what: 'all routes from gateways to a node are gone',
    edit: without('core-node1-extcidr'),
    broken: { 'edge1 edge2': NO_WAY_TO('core-node1-extcidr'), 'edge2 edge1': NO_WAY_TO('core-node1-extcidr') },
    drift: /drift\/routes {2}"core" forwards nothing to "edge1", "edge2": .*\n {4}"core-node1-extcidr" is missing/,
  },
  {
    what: 'no routes were read',
    edit: (core) => core.filter((it) => it.kind !== 'RouteConfiguration'),
    broken: {},
    drift: /core: as compiled/,
  },
];

const NAMES = ['core', 'edge1', 'edge2'];
const PAIRS = NAMES.flatMap((from) => NAMES.flatMap((to) => (from === to ? [] : [`${from} ${to}`])));

describe('when', () => {
  it.each(ROWS.map((it) => [it.what, it] as const))('%s, trace and drift agree', async (_, { edit, broken, drift }) => {
    const weft = fleet(edit);
    const found = await weft('drift', '--live', 'dumps');
    expect(found).toMatch(drift);
    expect(found.match(/^ {2}drift\/routes/gm) ?? []).toHaveLength(Object.keys(broken).length === 0 ? 0 : 1);
    const all = JSON.parse(await weft('trace', '--all', '--live', 'dumps', '-o', 'json')) as {
      readonly pairs: readonly { readonly from: string; readonly to: string; readonly fate: string }[];
    };
    const delivered = all.pairs.filter((it) => it.fate === 'delivered').map((it) => `${it.from} ${it.to}`);
    const others = PAIRS.filter((it) => !(it in broken));
    expect(delivered).toEqual(expect.arrayContaining(others));
    expect(delivered.filter((it) => it in broken)).toEqual([]);
    // On a push, one of each answer.
    const pairs = drawn(
      Object.keys(broken),
      firstOfEach((it) => `${broken[it]}`),
    );
    for (const pair of [...pairs, ...(RUNS_ALL || pairs.length === 0 ? others.slice(0, 1) : [])]) {
      const text = await weft('trace', ...pair.split(' '), '--live', 'dumps');
      expect(text, pair).toMatch(broken[pair] ?? DELIVERED);
    }
  });
});

it('a link of the two that lost its routes is reported itself, not the path through another cluster', async () => {
  const { files, dumps } = recordedFleet('example/1.2');
  dumps['rome'] = (dumps['rome'] ?? []).filter((it) => it.metadata.name !== 'milan-node-gw');
  const texts = Object.entries(dumps).map(([cluster, items]) => [`dumps/${cluster}.json`, dumpOf(items)]);
  const { weft } = workspace({ ...files, ...Object.fromEntries(texts) });
  expect((await weft('trace', 'rome', 'milan', '--live', 'dumps')).stdout).toMatch(NO_WAY_TO_MILAN);
  const { pairs } = JSON.parse((await weft('trace', '--all', '--live', 'dumps', '-o', 'json')).stdout);
  expect(pairs).toContainEqual(expect.objectContaining({ from: 'rome', to: 'milan', fate: 'no-route' }));
});

const NO_WAY_TO_MILAN = /: no route\n {2}"rome" has no route for packets to .* "milan-node-gw" lacks it/;

describe('no route is missing', () => {
  it('in any recorded cluster', () => {
    const recorded = allRecordedClusters().flatMap(({ name, clusters, after }) =>
      [...clusters, ...after].map((live) => ({ fleet: name, live })),
    );
    expect(recorded.length).toBeGreaterThan(80);
    for (const { fleet, live: it } of recorded) {
      const live = liveOf(it.name, it.objects.values());
      expect(live.listed).toContain('RouteConfiguration.networking.liqo.io');
      expect(missingRoutes(live), `${fleet} ${it.name}`).toEqual([]);
    }
  });
});
