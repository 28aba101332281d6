import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printPairView, printView, printViewMarkdown } from '../../../src/answers/report/view.ts';
import type { ClusterView, PeerView, ThroughHub } from '../../../src/reach/view/cluster-view.ts';

const peer = (name: string, more: Partial<PeerView>): PeerView => ({
  peer: name,
  link: 'hub',
  role: 'client',
  address: '203.0.113.10',
  port: 30001,
  mtu: 1340,
  keyless: [],
  views: [
    { kind: 'pod', cidr: '10.200.0.0/16', seenAs: '10.200.0.0/16', history: false },
    { kind: 'external', cidr: '10.70.0.0/16', seenAs: '10.71.0.0/16', history: false },
  ],
  orderDependent: false,
  seenBy: {
    views: [
      { kind: 'pod', cidr: '10.202.0.0/16', seenAs: '10.202.0.0/16', history: false },
      { kind: 'external', cidr: '10.70.0.0/16', seenAs: '10.68.0.0/16', history: false },
    ],
    orderDependent: true,
  },
  ...more,
});

const europe: ThroughHub = {
  hub: 'europe',
  hubExternalCIDR: '10.70.0.0/16',
  seenIn: '10.71.0.0/16',
  address: '10.71.0.?',
  givenAt: 'run-time',
  sourceThere: '10.75.0.0',
  sourceHere: '10.71.0.0',
};

const rome: ClusterView = {
  cluster: 'rome',
  liqo: '1.2.0',
  retired: false,
  podCIDRs: ['10.202.0.0/16'],
  serviceCIDR: '10.96.0.0/12',
  externalCIDR: '10.70.0.0/16',
  peers: [
    peer('europe', {}),
    peer('milan', {
      link: 'shortcut',
      orderDependent: true,
      views: [
        { kind: 'pod', cidr: '10.202.0.0/16', seenAs: '10.61.0.0/16', history: true },
        { kind: 'pod', cidr: '10.220.0.0/16', seenAs: '10.220.0.0/16', history: false },
        { kind: 'external', cidr: '10.80.0.0/16', seenAs: '10.80.0.0/16', history: false },
      ],
    }),
  ],
  indirect: [
    { cluster: 'oslo', through: [europe] },
    { cluster: 'paris', through: [{ ...europe, sourceThere: '10.69.0.0' }] },
  ],
  shortcuts: [],
};
const milan: ClusterView = { ...rome, cluster: 'milan', peers: [peer('rome', { link: 'shortcut', role: 'server' })] };

describe('the view of a cluster', () => {
  it('is a table of its peers, a line a pod CIDR, and what lies behind hubs', () => {
    expect(printView(rome, plainPaint)).toBe(
      [
        'rome on Liqo 1.2.0',
        '  pods 10.202.0.0/16, services 10.96.0.0/12, external 10.70.0.0/16',
        '',
        'PEER    LINK      ROLE    CLIENT DIALS        PODS                           EXTERNAL',
        'europe  hub       client  203.0.113.10:30001  10.200.0.0/16                  10.70.0.0/16 -> 10.71.0.0/16',
        'milan   shortcut  client  203.0.113.10:30001  10.202.0.0/16 -> 10.61.0.0/16  10.80.0.0/16                  order-dependent, history',
        '                                              10.220.0.0/16',
        '',
        'SEEN BY  PODS           EXTERNAL',
        'europe   10.202.0.0/16  10.70.0.0/16 -> 10.68.0.0/16  order-dependent',
        'milan    10.202.0.0/16  10.70.0.0/16 -> 10.68.0.0/16  order-dependent',
        '',
        'order-dependent: several peers need the same addresses or a remap, so the address depends on which of them comes first',
        'history: from an earlier order of joining; a fresh rollout would choose another address',
        '',
        'NO WORKING LINK  THROUGH  ITS PODS SEEN AS           GIVEN AT RUN TIME FROM  SEES SOURCE',
        'oslo             europe   10.71.0.? in 10.71.0.0/16  10.70.0.0/16 of europe  10.75.0.0',
        'paris            europe   10.71.0.? in 10.71.0.0/16  10.70.0.0/16 of europe  10.69.0.0',
        '',
      ].join('\n'),
    );
  });

  it('names a dozen of a thousand leaves behind a hub', () => {
    const indirect = Array.from({ length: 1000 }, (_, i) => ({
      cluster: `leaf-${i}`,
      through: [europe],
    }));
    expect(printView({ ...rome, indirect }, plainPaint)).toMatch(
      /\nleaf-11 .*\n\.\.\. and 988 more; -o json lists all\n$/,
    );
  });

  it('says so when a cluster is retired, or has no links', () => {
    expect(printView({ ...rome, peers: [], retired: true }, plainPaint)).toContain('It is retired');
    expect(printView({ ...rome, peers: [] }, plainPaint)).toContain('It has no links.');
  });

  it('shows both directions of a link', () => {
    expect(printPairView(rome, milan, plainPaint)).toBe(
      [
        'rome and milan are joined by a shortcut',
        '  milan serves, rome dials 203.0.113.10:30001, MTU 1340',
        '',
        'rome sees milan, order-dependent',
        '  pods      10.202.0.0/16 -> 10.61.0.0/16  history',
        '  pods      10.220.0.0/16',
        '  external  10.80.0.0/16',
        '',
        'milan sees rome',
        '  pods      10.200.0.0/16',
        '  external  10.70.0.0/16 -> 10.71.0.0/16',
        '',
        'order-dependent: several peers need the same addresses or a remap, so the address depends on which of them comes first',
        'history: from an earlier order of joining; a fresh rollout would choose another address',
        '',
      ].join('\n'),
    );
  });

  it('says through which hub two clusters without a link meet', () => {
    const oslo: ClusterView = {
      ...rome,
      cluster: 'oslo',
      peers: [],
      indirect: [
        {
          cluster: 'rome',
          through: [{ ...europe, seenIn: '10.75.0.0/16', address: '10.75.0.?', sourceThere: '10.71.0.0' }],
        },
      ],
    };
    expect(printPairView(rome, oslo, plainPaint)).toBe(
      [
        'rome and oslo have no link; each reaches pods of the other through another cluster',
        '',
        'rome sees pods of oslo as 10.71.0.?, single addresses in 10.71.0.0/16',
        '  europe gives them at run time to pods that it has offloaded, from its external CIDR 10.70.0.0/16',
        '  and oslo sees 10.75.0.0 as the source of all that rome sends',
        '',
        'oslo sees pods of rome as 10.75.0.?, single addresses in 10.75.0.0/16',
        '  europe gives them at run time to pods that it has offloaded, from its external CIDR 10.70.0.0/16',
        '  and rome sees 10.71.0.0 as the source of all that oslo sends',
        '',
      ].join('\n'),
    );
    expect(printPairView(rome, { ...oslo, cluster: 'far', indirect: [] }, plainPaint)).toBe(
      'rome and far have no link, and no cluster has working links to both.\n',
    );
  });

  it('is a table in Markdown, too', () => {
    const tables = printViewMarkdown(rome)
      .split('\n\n')
      .filter((it) => it.startsWith('|'))
      .map((it) => it.trimEnd().split('\n'));
    expect(tables.map((it) => it.length)).toEqual([4, 4, 4]);
    for (const table of tables) expect(new Set(table.map((it) => it.split('|').length)).size).toBe(1);
    expect(tables[0]?.[3]).toContain('10.202.0.0/16 -> 10.61.0.0/16<br>10.220.0.0/16');
    expect(tables[2]?.[2]).toBe('| oslo | europe | 10.71.0.? in 10.71.0.0/16 | 10.70.0.0/16 of europe | 10.75.0.0 |');
  });
});
