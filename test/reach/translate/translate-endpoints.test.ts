import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { translationDocument } from '../../../src/answers/report/translation.ts';
import { readAddress } from '../../../src/base/net/text.ts';
import { compile } from '../../../src/compile.ts';
import { parseInput } from '../../../src/reach/translate/parse-input.ts';
import { translateEndpoints } from '../../../src/reach/translate/translate-endpoints.ts';
import { WAYS, type Way } from '../../../src/reach/translate/translation.ts';
import { checker } from '../../support/check-diagnostics.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { compileGolden } from '../../support/golden.ts';
import { reflectionIn, sliceOf, translated } from './fixtures.ts';

const modelOf = (folder: string) => {
  const outcome = compileGolden(folder);
  if (!outcome.ok) throw new Error(`${folder} does not compile`);
  return outcome.value.model;
};

const deck = modelOf('deck-two-one-pod-cidr-everywhere');

interface Row {
  readonly address: string;
  readonly pod: { readonly cluster: string; readonly address: string };
  readonly hub?: Cell;
  readonly direct?: Cell;
  readonly shortcut?: Cell;
}

interface Cell {
  readonly kind: string;
  readonly received?: string;
  readonly receivedNetwork?: string;
  readonly why: readonly string[];
}

const rowsOf = (reflection: ReturnType<typeof reflectionIn>, text: string): readonly Row[] =>
  translationDocument(translated(reflection, text), WAYS)['addresses'] as unknown as readonly Row[];

describe("the slides' example", () => {
  it('gives cluster2 the address of the shortcut, and only the fork does', () => {
    const rows = rowsOf(reflectionIn(deck, 'hub', 'cluster2'), '10.63.0.151 10.60.0.17');
    expect(rows).toMatchObject([
      {
        pod: { cluster: 'cluster3', address: '10.200.0.151' },
        hub: {
          kind: 'run-time',
          sent: '10.70.0.?',
          sentNetwork: '10.70.0.0/16',
          received: '10.60.0.?',
          receivedNetwork: '10.60.0.0/16',
        },
        shortcut: { kind: 'known', sent: '10.61.0.151', received: '10.61.0.151' },
      },
      { pod: { cluster: 'cluster2', address: '10.200.0.17' }, hub: { kind: 'skipped' }, shortcut: { kind: 'skipped' } },
    ]);
    expect(rows.map((it) => it.direct)).toEqual([undefined, undefined]);
  });

  it('gives cluster3 the other one', () => {
    expect(rowsOf(reflectionIn(deck, 'hub', 'cluster3'), '10.63.0.151 10.60.0.17 10.200.0.9')).toMatchObject([
      { shortcut: { kind: 'skipped' } },
      { shortcut: { received: '10.61.0.17' } },
      { hub: { received: '10.62.0.9' }, shortcut: { received: '10.62.0.9' } },
    ]);
  });
});

describe('a slice', () => {
  const resultsOf = (hub: string, receiver: string, text: string, model = deck) => {
    const { translated: all } = translated(reflectionIn(model, hub, receiver), text);
    return all.kind === 'slices' ? all.slices[0] : undefined;
  };

  it('can have one address over a shortcut, but not two: a label must not contain a comma', () => {
    const one = resultsOf('hub', 'cluster2', sliceOf('web', ['10.63.0.1'], ['10.200.0.4']));
    expect(one?.results.shortcut).toEqual({
      labels: { 'liqo.io/shortcut-addresses': '10.61.0.1' },
      annotations: {},
      refused: null,
    });
    const two = resultsOf('hub', 'cluster2', sliceOf('web', ['10.63.0.1'], ['10.63.0.2']));
    expect(two?.results.shortcut?.labels).toEqual({ 'liqo.io/shortcut-addresses': '10.61.0.1,10.61.0.2' });
    expect(two?.results.shortcut?.refused).toMatch(/the limit is one address per slice/);
    expect(two?.results.hub?.refused).toBeNull();
  });

  it('has no label when no address uses a shortcut', () => {
    expect(resultsOf('hub', 'cluster2', sliceOf('web', ['10.200.0.4']))?.results.shortcut?.labels).toEqual({});
  });

  it('loses the other addresses of an endpoint that uses a shortcut', () => {
    const it = resultsOf('hub', 'cluster2', sliceOf('web', ['10.200.0.4', '10.63.0.1', '10.63.0.2']));
    expect(it?.endpoints[0]?.map((one) => one.arrivals.shortcut?.arrival.kind)).toEqual([
      'dropped',
      'known',
      'dropped',
    ]);
    expect(it?.endpoints[0]?.map((one) => one.arrivals.hub?.arrival.kind)).toEqual(['known', 'run-time', 'run-time']);
    expect(it?.results.shortcut?.refused).toBeNull();
  });

  // Europe does not remap milan but remaps rome, because both use 10.202.0.0/16.
  const example = compiledFleets().find((it) => it.name === 'topologies/topology.yaml')?.compiled.model ?? deck;

  it('uses direct connections where the hub does not remap the leaf', () => {
    const unremapped = (leaf: string) => example.clusters.get('europe')?.peers.get(leaf)?.podViews[0];
    const [leaf, receiver] =
      unremapped('milan')?.seenAs.base === unremapped('milan')?.cidr.base ? ['milan', 'rome'] : ['rome', 'milan'];
    const text = sliceOf('web', ['10.202.0.9'], ['10.200.0.4'], ['10.202.0.8']);
    const one = resultsOf('europe', receiver as string, text, example);
    expect(one?.results.direct?.refused).toBeNull();
    expect(JSON.parse(one?.results.direct?.annotations['liqo.io/direct-connections-data'] ?? '')).toEqual({
      clusterAddresses: { [leaf as string]: ['10.202.0.9', '10.202.0.8'] },
    });
    expect(one?.endpoints[0]?.[0]?.arrivals.direct?.arrival).toMatchObject({
      received: readAddress('10.81.0.9'),
      by: 'configuration',
    });
    const other = resultsOf('europe', leaf as string, sliceOf('web', ['10.81.0.9']), example);
    expect(other?.results.direct?.refused).toMatch(/since "europe" remaps that to 10\.81\.0\.0\/16$/);
  });

  it('keeps an endpoint without a targetRef out of direct connections', () => {
    const text =
      'kind: EndpointSlice\nmetadata: { name: web }\nendpoints: [{ addresses: [10.202.0.9, 10.81.0.9, 10.200.0.4] }]\n';
    for (const receiver of ['rome', 'milan']) {
      const it = resultsOf('europe', receiver, text, example);
      expect(it?.results.direct).toEqual({ labels: {}, annotations: {}, refused: null });
      const arrivals = it?.endpoints[0]?.map(({ address, arrivals }) => ({ address, ...arrivals.direct?.arrival }));
      expect(arrivals?.map((one) => ('kind' in one ? one.kind : 'none')).sort()).toEqual(['known', 'known', 'skipped']);
      for (const one of arrivals ?? []) if ('received' in one) expect(one.received).toBe(one.address);
    }
  });

  it('has at most 256 KiB of annotations, what the hub adds among them', () => {
    const key = 'liqo.io/direct-connections-data';
    const data = '{"clusterAddresses":{"milan":["10.202.0.9"]}}';
    const padded = (bytes: number) =>
      sliceOf('web', ['10.202.0.9']).replace('  labels:', `  annotations: { xy: ${'ä'.repeat(bytes / 2)} }\n  labels:`);
    const room = 256 * 1024 - key.length - data.length - 'xy'.length;
    expect(room % 2).toBe(0);
    expect(resultsOf('europe', 'rome', padded(room - 2), example)?.results.direct).toEqual({
      labels: {},
      annotations: { [key]: data },
      refused: null,
    });
    expect(resultsOf('europe', 'rome', padded(room), example)?.results.direct?.refused).toMatch(
      /have 262144 bytes .* must have fewer than 262144: /,
    );
  });
});

describe('what the fork does not read', () => {
  // A triangle: with any names one of the three is not read by one of its ends.
  const topology = `version: 1
name: triangle
liqo: { version: "1.1", shortcutOperator: true }
hub: hub
defaults: { podCIDR: 10.244.0.0/16, serviceCIDR: 10.96.0.0/12 }
clusters:
  hub: { gateway: 203.0.113.1 }
  a: { gateway: 203.0.113.2 }
  b: { gateway: 203.0.113.3 }
  c: { gateway: 203.0.113.4 }
shortcuts: [[a, b], [b, c], [a, c]]
`;

  it('takes the way of the hub, with the connection at which the fork stops', () => {
    const outcome = compile(
      { topology: { path: 'topology.yaml', text: topology }, keys: undefined, lock: undefined },
      { relock: [], only: [] },
    );
    if (!outcome.ok) throw new Error('the triangle does not compile');
    const { model } = outcome.value;
    const reasons: string[] = [];
    for (const receiver of ['a', 'b', 'c']) {
      for (const leaf of model.clusters.get('hub')?.peers.values() ?? []) {
        const base = (leaf.podViews[0]?.seenAs.base ?? 0) + 7;
        const text = [24, 16, 8, 0].map((bits) => (base >>> bits) & 255).join('.');
        const [row] = rowsOf(reflectionIn(model, 'hub', receiver), text);
        if (row?.shortcut?.kind === 'run-time') reasons.push(...row.shortcut.why.slice(0, 1));
      }
    }
    expect(reasons.length).toBeGreaterThan(0);
    for (const it of reasons)
      expect(it).toMatch(
        /^the fork does not read ForeignClusterConnection "[a-c]--[a-c]" for "[a-c]": it stops at "[a-c]--[a-c]"/,
      );
  });
});

const checkIn = (hub: string, receiver: string) =>
  checker((source) => {
    const input = parseInput(source);
    return input.ok
      ? translateEndpoints(reflectionIn(deck, hub, receiver), input.value).diagnostics
      : input.diagnostics;
  });
const check = checkIn('hub', 'cluster2');
const code = 'translate/address-of-nobody' as const;

describe('an address of no pod', () => {
  check('nowhere', '10.63.0.1 «192.0.2.7»', { code, message: /neither in its pod CIDR nor in its view of any peer$/ });
  check(
    'in a slice',
    'kind: EndpointSlice\nmetadata: { name: a }\nendpoints: [{ addresses: [10.63.0.1, «192.0.2.7»] }]',
    {
      code,
    },
  );
  check('of a Service', '10.63.0.1 «10.61.0.1»', { code, message: /its own service CIDR 10\.61\.0\.0\/16$/ });
  check('of its external CIDR', '10.63.0.1 «10.70.0.5»', { code, message: /its own external CIDR/ });
  check('of its internal CIDR', '10.63.0.1 «10.80.0.5»', { code, message: /its own internal CIDR/ });
  check("of a peer's external CIDR", '10.63.0.1 «10.62.0.5»', {
    code,
    message: /external CIDR of "cluster2".*at run time/,
  });
  checkIn('cluster2', 'hub')('that the hub maps at run time', '10.200.0.1 «10.60.0.17»', {
    code,
    message: /"hub" maps it to a pod at run time only/,
  });
});

interface ViewRow {
  readonly cluster: string;
  readonly peer: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
}

interface Connection {
  readonly spec: { readonly foreignClusterA: string; readonly foreignClusterB: string };
  readonly status: Readonly<
    Record<
      'foreignClusterANetworking' | 'foreignClusterBNetworking',
      Readonly<Record<'podCIDR' | 'remappedPodCIDR', string>>
    >
  >;
}

const parsedBefore = new Map<string, readonly Connection[]>();

function connectionsOf(text: string): readonly Connection[] {
  const known = parsedBefore.get(text) ?? parseAllDocuments(text).map((it) => it.toJS() as Connection);
  parsedBefore.set(text, known);
  return known;
}

const value = (address: string): number => address.split('.').reduce((sum, it) => sum * 256 + Number(it), 0);
const textOf = (address: number): string =>
  [2 ** 24, 2 ** 16, 2 ** 8, 1].map((unit) => Math.floor(address / unit) % 256).join('.');
const sizeOf = (cidr: string): number => 2 ** (32 - Number(cidr.split('/')[1]));
const baseOf = (cidr: string): number => value(cidr.split('/')[0] ?? '');
const holds = (cidr: string, address: string): boolean =>
  value(address) >= baseOf(cidr) && value(address) < baseOf(cidr) + sizeOf(cidr);
const shifted = (address: string, from: string, to: string): string =>
  textOf(baseOf(to) + value(address) - baseOf(from));

describe('every address of every fleet', () => {
  const fleets = compiledFleets().map(({ name, compiled }) => {
    const { views } = JSON.parse(compiled.bundle.get('addresses.json') ?? '') as { readonly views: readonly ViewRow[] };
    return { name, model: compiled.model, bundle: compiled.bundle, views };
  });

  /** liqo.md 6, computed a second time from the emitted files alone. */
  const expected = (
    { views, bundle }: (typeof fleets)[number],
    hub: string,
    receiver: string,
    owner: ViewRow | null,
    address: string,
    way: Way,
  ): string => {
    const rows = (cluster: string, peer: string, kind: ViewRow['kind']) =>
      views.filter((it) => it.cluster === cluster && it.peer === peer && it.kind === kind);
    if (owner === null) {
      const row = rows(receiver, hub, 'pod').find((it) => holds(it.cidr, address));
      return row ? shifted(address, row.cidr, row.seenAs) : 'no view';
    }
    if (owner.peer === receiver) return 'skipped';
    if (way === 'direct') {
      const row = rows(receiver, owner.peer, 'pod').find((it) => holds(it.cidr, address));
      return row && owner.cidr === owner.seenAs ? shifted(address, row.cidr, row.seenAs) : 'refused';
    }
    if (way === 'shortcut') {
      const connections = connectionsOf(bundle.get(`${hub}/expected/foreignclusterconnections.yaml`) ?? '');
      for (const { spec, status } of connections) {
        const end = spec.foreignClusterA === receiver ? 'A' : spec.foreignClusterB === receiver ? 'B' : null;
        if (end === null) continue;
        const { podCIDR, remappedPodCIDR } = status[`foreignCluster${end}Networking`];
        if (holds(podCIDR, address)) return shifted(address, podCIDR, remappedPodCIDR);
        if (end === 'A') break;
      }
    }
    return `one of ${rows(receiver, hub, 'external')[0]?.seenAs}`;
  };

  const cases = fleets.flatMap((fleet) =>
    [...fleet.model.clusters.values()].flatMap((hub) =>
      [...hub.peers.values()].map((peer) => ({ fleet, hub, receiver: peer.name })),
    ),
  );

  const shortcuts = cases.filter(({ fleet, hub }) =>
    fleet.bundle.has(`${hub.name}/expected/foreignclusterconnections.yaml`),
  );
  // Few goldens have shortcuts: without cases of their own, whether each kind is drawn depends on the number of goldens.
  const anyCase = fc.oneof(fc.constantFrom(...cases), fc.constantFrom(...shortcuts));

  it('arrives as computed from the emitted files', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyCase, fc.nat(), fc.nat(), ({ fleet, hub, receiver }, which, host) => {
        const rows = [...fleet.views.filter((it) => it.cluster === hub.name && it.kind === 'pod'), null];
        const owner = rows[which % rows.length] ?? null;
        const own = hub.podCIDRs[which % hub.podCIDRs.length]?.value;
        const network = owner?.seenAs ?? `${textOf(own?.base ?? 0)}/${own?.length}`;
        const address = textOf(baseOf(network) + (host % sizeOf(network)));
        const [row] = rowsOf(reflectionIn(fleet.model, hub.name, receiver), address);
        expect(row?.hub).toBeDefined();
        for (const way of WAYS) {
          const cell = row?.[way];
          if (cell === undefined) continue;
          const got =
            cell.received === undefined
              ? cell.kind
              : cell.kind === 'run-time'
                ? `one of ${cell.receivedNetwork}`
                : cell.received;
          expect(got, `${fleet.name}: ${address} of ${hub.name} for ${receiver}, ${way}`).toBe(
            expected(fleet, hub.name, receiver, owner, address, way),
          );
          seen.add(`${way} ${cell.kind}`);
          expect(cell.why.length).toBeGreaterThan(0);
          for (const why of cell.why) expect(why).not.toMatch(/undefined|\[object|\.$|^[A-Z]/);
        }
      }),
      { numRuns: 600, seed: 7 },
    );
    const kinds = ['direct known', 'direct refused', 'direct skipped', 'hub known', 'hub run-time', 'hub skipped'];
    expect([...seen].sort()).toEqual([...kinds, 'shortcut known', 'shortcut run-time', 'shortcut skipped']);
  });
});
