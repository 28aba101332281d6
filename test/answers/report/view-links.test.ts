import { describe, expect, it } from 'vitest';
import { type Paint, plainPaint } from '../../../src/answers/report/paint.ts';
import { linksAnswer } from '../../../src/answers/report/view-links.ts';
import type { ListedLink } from '../../../src/reach/view/lists.ts';

const link = (server: string, client: string, more: Partial<ListedLink> = {}): ListedLink => ({
  link: 'hub',
  server,
  client,
  address: '203.0.113.10',
  port: 30001,
  mtu: 1340,
  keyless: [],
  keysSince: null,
  remaps: [],
  ...more,
});

const remap = (cluster: string, peer: string, seenAs: string) => ({
  ...({ cluster, peer, kind: 'pod', cidr: '10.202.0.0/16', history: false } as const),
  seenAs,
});

const spokes = (count: number, more: Partial<ListedLink> = {}): readonly ListedLink[] =>
  Array.from({ length: count }, (_, i) => link('europe', `spoke-${String(i).padStart(4, '0')}`, more));

const print = (links: readonly ListedLink[], look: { readonly paint?: Paint; readonly verbose?: boolean } = {}) =>
  String(
    linksAnswer.text({ of: null, links, look: null }, { paint: plainPaint, verbose: false, quiet: false, ...look }),
  );

const FEW = [
  link('europe', 'milan', { keyless: [{ cluster: 'milan', peer: 'europe' }] }),
  link('europe', 'rome', { remaps: [remap('europe', 'rome', '10.81.0.0/16')] }),
  link('milan', 'rome', {
    link: 'shortcut',
    keyless: [
      { cluster: 'milan', peer: 'rome' },
      { cluster: 'rome', peer: 'milan' },
    ],
    remaps: [
      remap('milan', 'rome', '10.81.0.0/16'),
      remap('rome', 'milan', '10.81.0.0/16'),
      remap('rome', 'milan', '10.82.0.0/16'),
    ],
  }),
];

describe('the list of links', () => {
  it('has kind, ends, what the client dials, MTU, keys and remaps; those without keys first', () => {
    expect(print(FEW)).toBe(
      [
        '3 links: 2 hub links, 1 shortcut; 2 without keys',
        '',
        'WHO DIALS WHOM   LINK      AT                  MTU   KEYS           REMAPS',
        'milan -> europe  hub       203.0.113.10:30001  1340  none in milan',
        'rome -> milan    shortcut  203.0.113.10:30001  1340  none           rome in milan, milan in rome (2)',
        'rome -> europe   hub       203.0.113.10:30001  1340  both           rome in europe',
        '',
        'keys: a link carries nothing without the public keys of both gateways; run "weft keys generate", or "weft keys collect" where Liqo makes the keys',
        'remaps: rome in milan: milan sees 10.202.0.0/16 of rome as 10.81.0.0/16; "weft view CLUSTER" has all',
        '',
      ].join('\n'),
    );
  });

  it('says that there are none', () => {
    expect(print([])).toBe('The fleet has no links.\n');
    const ofRome = { of: 'rome', links: [], look: null };
    expect(linksAnswer.markdown(ofRome, { paint: plainPaint, verbose: false, quiet: false })).toBe(
      'rome has no links.\n',
    );
  });

  it('names forty of a thousand, among them every one that carries nothing, and with -v all', () => {
    const links = [
      ...spokes(999),
      link('milan', 'rome', { link: 'peering', keyless: [{ cluster: 'rome', peer: 'milan' }] }),
    ];
    const lines = print(links).split('\n');
    expect(lines.slice(0, 5)).toEqual([
      '1000 links: 999 hub links, 1 peering; 1 without keys',
      '',
      'WHO DIALS WHOM        LINK     AT                  MTU   KEYS          REMAPS',
      'rome -> milan         peering  203.0.113.10:30001  1340  none in rome',
      'spoke-0000 -> europe  hub      203.0.113.10:30001  1340  both',
    ]);
    expect(lines).toHaveLength(3 + 40 + 1 + 2 + 1);
    expect(lines[43]).toBe('... and 960 more; -v lists all, "weft view links CLUSTER" those of one');
    expect(print(links, { verbose: true }).split('\n')).toHaveLength(3 + 1000 + 2 + 1);
    expect(print(spokes(41)).split('\n')).toHaveLength(3 + 41 + 1);
  });

  it('is a block for each link where the terminal is too narrow', () => {
    const lines = print(FEW, { paint: { ...plainPaint, columns: 60 } }).split('\n');
    expect(Math.max(...lines.map((it) => it.length))).toBeLessThanOrEqual(60);
    expect(lines.join('\n')).toContain('\nrome -> milan\n  LINK    shortcut\n  AT      203.0.113.10:30001\n');
  });
});
