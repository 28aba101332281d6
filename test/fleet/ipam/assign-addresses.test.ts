import { describe, expect, it } from 'vitest';
import { printPrefix } from '../../../src/base/net/text.ts';
import { compiledText, compileText, linesOf, ofCode, viewsIn } from '../../support/compile-text.ts';

/** Clusters around a hub, with the settings of Liqo's own install (liqo.md 4.8 E1) unless they set others. */
const fleet = (release: string, clusters: readonly string[], more = ''): string => `
version: 1
name: fleet
liqo: { version: "${release}" }
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12 }
clusters:
${clusters.map((it) => `  ${it}`).join('\n')}
${more}
`;

const HUB = 'hub: { podCIDR: 10.244.0.0/16, gateway: 203.0.113.1 }';

const ownOf = (text: string, name: string) => {
  const cluster = compiledText(text).model.clusters.get(name);
  return cluster && [printPrefix(cluster.externalCIDR), printPrefix(cluster.internalCIDR)];
};

it('peers refer to the clusters of the model, in both directions', () => {
  const { clusters } = compiledText(fleet('1.2', [HUB, 'a: { podCIDR: 10.244.0.0/16 }'])).model;
  const [hub, a] = [clusters.get('hub'), clusters.get('a')];
  expect(hub).toBeDefined();
  expect(hub?.peers.get('a')?.cluster).toBe(a);
  expect(a?.peers.get('hub')?.cluster).toBe(hub);
});

describe('the views of a cluster', () => {
  // liqo.md 4.8 E6: B's external CIDR would have been free at the start, and a pod CIDR that is served before it takes it.
  const PEERS = ['a: { podCIDR: 10.244.0.0/16 }', 'b: { podCIDR: 10.244.0.0/16, externalCIDR: 10.71.0.0/16 }'];

  it.each([
    [
      'a, b',
      {
        'a pod 10.244.0.0/16': '10.71.0.0/16',
        'a external 10.70.0.0/16': '10.68.0.0/16',
        'b pod 10.244.0.0/16': '10.69.0.0/16',
        'b external 10.71.0.0/16': '10.64.0.0/16',
      },
    ],
    [
      'b, a',
      {
        'b pod 10.244.0.0/16': '10.71.0.0/16',
        'b external 10.71.0.0/16': '10.68.0.0/16',
        'a pod 10.244.0.0/16': '10.69.0.0/16',
        'a external 10.70.0.0/16': '10.64.0.0/16',
      },
    ],
  ])('depend on the order in which peers join: %s', (order, views) => {
    const text = fleet('1.1', [HUB, ...PEERS], `order: [${order}]`);
    expect(viewsIn(compiledText(text), 'hub')).toEqual(views);
    expect(ofCode(compileText(text), 'ipam/order-dependent').some((it) => it.message.includes('"hub"'))).toBe(true);
  });

  it('depend on the order also where a peer is moved beside one that shares no network with it', () => {
    const clusters = [
      'hub: { podCIDR: 10.202.0.0/16, externalCIDR: auto, gateway: 203.0.113.1 }',
      'a: { podCIDR: 10.42.0.0/16, externalCIDR: auto }',
      'b: { podCIDR: 10.202.0.0/16, externalCIDR: auto }',
    ];
    const peers = compiledText(fleet('1.2', clusters)).model.clusters.get('hub')?.peers.values() ?? [];
    expect([...peers].map((it) => [it.name, it.remapped, it.orderDependent])).toEqual([
      ['a', false, false],
      ['b', true, true],
    ]);
  });

  it('leave free the network of a link that needs no remap, even when that link joins last', () => {
    const clusters = [HUB, 'a: { podCIDR: 10.244.0.0/16 }', 'z: { podCIDR: 10.71.0.0/16, externalCIDR: 10.68.0.0/16 }'];
    expect(viewsIn(compiledText(fleet('1.2', clusters)), 'hub')).toEqual({
      'z pod 10.71.0.0/16': '10.71.0.0/16',
      'z external 10.68.0.0/16': '10.68.0.0/16',
      'a pod 10.244.0.0/16': '10.69.0.0/16',
      'a external 10.70.0.0/16': '10.64.0.0/16',
    });
  });

  it('take the pod CIDRs of a peer in list order, then the external one', () => {
    const clusters = [HUB, 'a: { podCIDR: [10.245.0.0/16, 10.244.0.0/17, 10.246.0.0/16] }'];
    expect(Object.keys(viewsIn(compiledText(fleet('1.2', clusters)), 'hub'))).toEqual([
      'a pod 10.245.0.0/16',
      'a pod 10.244.0.0/17',
      'a pod 10.246.0.0/16',
      'a external 10.70.0.0/16',
    ]);
  });

  it('lie in the pools on 1.2 even of a peer that does not, and before 1.2 such a peer is refused', () => {
    const clusters = [HUB, 'a: { podCIDR: 100.64.0.0/16, externalCIDR: 10.71.0.0/16, liqo: { version: "1.2" } }'];
    expect(viewsIn(compiledText(fleet('1.2', clusters)), 'hub')['a pod 100.64.0.0/16']).toBe('10.71.0.0/16');
    expect(ofCode(compileText(fleet('1.1', clusters)), 'topology/peer-cidr-outside-pools')).toHaveLength(1);
  });
});

describe('own networks that collide', () => {
  const busy = (release: string, more: string): string =>
    fleet(release, [HUB, `a: { podCIDR: 10.245.0.0/16${more} }`], '');

  it('are moved before 1.2, external first, and peers get the new one', () => {
    const text = busy('1.1', ', serviceCIDR: 10.64.0.0/12, internalCIDR: 10.71.0.0/16');
    const [external, internal] = ownOf(text, 'a') ?? [];
    expect([external, internal]).toEqual(['10.80.0.0/16', '10.81.0.0/16']);
    expect(ofCode(compileText(text), 'ipam/own-cidr-moved').map((it) => it.message)).toEqual([
      'Liqo moves the external CIDR of "a" from 10.70.0.0/16 to 10.80.0.0/16, and peers get the new one',
      'Liqo moves the internal CIDR of "a" from 10.71.0.0/16 to 10.81.0.0/16',
    ]);
    expect(Object.keys(viewsIn(compiledText(text), 'hub'))).toContain(`a external ${external}`);
  });

  it('are moved on 1.2 only where the topology does not set them', () => {
    const text = busy('1.2', ', serviceCIDR: 10.64.0.0/12');
    // The external CIDR comes first and is moved to where the internal one would have been.
    expect(ownOf(text, 'a')).toEqual(['10.80.0.0/16', '10.81.0.0/16']);
    expect(ofCode(compileText(text), 'ipam/own-cidr-moved')).toHaveLength(2);
  });

  it.each([
    ['external', ', externalCIDR: 10.96.128.0/20'],
    ['internal', ', internalCIDR: 10.96.128.0/20'],
    ['internal', ', externalCIDR: 10.71.0.0/16, internalCIDR: 10.71.128.0/20'],
  ])('are refused on 1.2 when the topology sets them: the %s one', (role, more) => {
    const [mistake] = ofCode(compileText(busy('1.2', more)), 'ipam/own-cidr-collides');
    expect(mistake?.message).toContain(`${role} CIDR`);
  });
});

describe('a carved block', () => {
  it('avoids the place to which Liqo moves another network of the cluster', () => {
    // The pools are so small that the external CIDR, which collides, is moved into the upper end, where blocks are carved.
    const text = `
version: 1
name: fleet
ipam: { pools: [10.0.0.0/16, 10.1.0.0/16], carve: { from: 10.1.0.0/16, prefix: 20 } }
clusters:
  a: { podCIDR: 10.0.0.0/17, serviceCIDR: 10.0.128.0/17, internalCIDR: auto, externalCIDR: 10.0.0.0/18, liqo: { version: "1.1" } }
`;
    const [external, internal] = ownOf(text, 'a') ?? [];
    expect(external).toBe('10.1.0.0/18');
    expect(internal).toMatch(/^10\.1\.(64|80|96|112|128|144|160|176|192|208|224|240)\.0\/20$/);
  });

  it('moves, with a warning, when another network of its cluster is moved onto it', () => {
    const text = (pods: string): string => `
version: 1
name: fleet
ipam: { pools: [10.0.0.0/16, 10.1.0.0/16], carve: { from: 10.1.0.0/18, prefix: 20 } }
clusters:
  a: { podCIDR: ${pods}, serviceCIDR: 10.0.128.0/17, internalCIDR: auto, externalCIDR: 10.0.64.0/19, liqo: { version: "1.1" } }
`;
    const before = `version: 1\ndecisions:\n  a/internal: 10.1.0.0/20\n`;
    expect(linesOf(compiledText(text('10.0.0.0/18'), before).lock)['a/internal']).toBe('10.1.0.0/20');
    const result = compileText(text('10.0.0.0/17'), before);
    expect(ofCode(result, 'lock/block-moved')).toHaveLength(1);
    const cluster = result.ok ? result.value.model.clusters.get('a') : undefined;
    expect(cluster && printPrefix(cluster.externalCIDR)).toBe('10.1.0.0/19');
    expect(cluster && printPrefix(cluster.internalCIDR)).toMatch(/^10\.1\.(32|48)\.0\/20$/);
  });

  it('is refused when there is no room, with a hint that makes some', () => {
    const clusters = ['a', 'b', 'c'].map((it) => `${it}: { podCIDR: 10.244.0.0/16, externalCIDR: auto }`);
    const text = fleet('1.2', [HUB, ...clusters.map((it) => it.replace(' }', ', hub: [] }'))]).replace(
      'hub: hub\n',
      'ipam: { carve: { from: 10.1.0.0/19, prefix: 20 } }\n',
    );
    const mistakes = ofCode(compileText(text), 'ipam/carve-exhausted');
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]?.hint).toContain('ipam.carve.prefix');
  });

  it('that two branches carved independently is a contradiction, and the relock in the hint carves one of them again', () => {
    const text = fleet('1.2', [
      HUB,
      'a: { podCIDR: 10.245.0.0/16, externalCIDR: auto }',
      'b: { podCIDR: 10.246.0.0/16, externalCIDR: auto }',
    ]);
    const clean = linesOf(compiledText(text).lock);
    const merged = compiledText(text).lock.replace(
      `b/external: ${clean['b/external']}`,
      `b/external: ${clean['a/external']}`,
    );
    const [mistake] = ofCode(compileText(text, merged), 'lock/contradiction');
    expect(mistake?.hint).toContain('"weft compile --relock b"');
    const relocked = linesOf(compiledText(text, merged, [{ cluster: 'b', peer: null }]).lock);
    expect(relocked['a/external']).toBe(clean['a/external']);
    expect(relocked['b/external']).not.toBe(clean['a/external']);
    const ofOthers = Object.entries(clean).filter(([key]) => key.startsWith('a/'));
    expect(relocked).toMatchObject(Object.fromEntries(ofOthers));
  });
});

describe('no room for a view', () => {
  const cramped = (count: number): string => `
version: 1
name: fleet
hub: hub
ipam: { pools: [10.0.0.0/14] }
defaults: { podCIDR: 10.0.0.0/16, serviceCIDR: 10.1.0.0/20, externalCIDR: auto, internalCIDR: 10.1.128.0/20 }
clusters:
  hub: { gateway: 203.0.113.1 }
${Array.from({ length: count }, (_, i) => `  c${i}:`).join('\n')}
`;

  it('is reported once for a cluster, with what is free and a hint that makes room', () => {
    expect(compileText(cramped(1)).ok).toBe(true);
    const mistakes = ofCode(compileText(cramped(4)), 'ipam/exhausted');
    expect(mistakes.map((it) => it.message)).toEqual([
      expect.stringContaining('"hub" has no network of length /16 left'),
    ]);
    expect(mistakes[0]?.message).toMatch(/\d+ of \/\d+/);
    expect(mistakes[0]?.hint).toMatch(/^give clusters distinct networks, use smaller ones, or add a pool/);
  });

  it('advises `externalCIDR: auto` only where an external CIDR has no room and is not `auto`', () => {
    const text = cramped(4).replace('externalCIDR: auto', 'externalCIDR: 10.2.0.0/16');
    const [mistake] = ofCode(
      compileText(text.replace('podCIDR: 10.0.0.0/16', 'podCIDR: 10.0.0.0/24')),
      'ipam/exhausted',
    );
    expect(mistake?.message).toContain('external CIDR');
    expect(mistake?.hint).toContain('externalCIDR: auto');
  });
});

describe('views and the lock', () => {
  const PEERS = ['a: { podCIDR: 10.244.0.0/16 }', 'b: { podCIDR: 10.244.0.0/16 }'];
  const text = fleet('1.2', [HUB, ...PEERS]);
  const before = compiledText(text);

  it('report a view that has to move because a network of the cluster itself moved, and name that network', () => {
    const seenAs = viewsIn(before, 'hub')['a pod 10.244.0.0/16'];
    const renumbered = text.replace(HUB, `hub: { podCIDR: ${seenAs}, gateway: 203.0.113.1 }`);
    const result = compileText(renumbered, before.lock);
    const moves = ofCode(result, 'lock/view-moved');
    expect(moves.map((it) => it.message)).toEqual([
      `"hub" can no longer see the pod CIDR 10.244.0.0/16 of "a" as ${seenAs}: it overlaps the cluster's own pod CIDR ${seenAs}`,
    ]);
    expect(moves[0]?.related[0]?.span.source.path).toBe('topology.lock.yaml');
    const now = result.ok ? viewsIn(result.value, 'hub') : {};
    expect(now['b pod 10.244.0.0/16']).toBe(viewsIn(before, 'hub')['b pod 10.244.0.0/16']);
  });

  it('keep a view that a rebuild would no longer assign, and mark it', () => {
    const without = compiledText(fleet('1.2', [HUB, PEERS[1] as string]), before.lock);
    expect(viewsIn(without, 'hub')).toEqual({
      'b pod 10.244.0.0/16': '10.69.0.0/16',
      'b external 10.70.0.0/16': '10.64.0.0/16',
    });
    const views = [...(without.model.clusters.get('hub')?.peers.values() ?? [])].flatMap((it) => [
      ...it.podViews,
      it.externalView,
    ]);
    expect(views?.map((it) => it.history)).toEqual([true, true]);
  });

  it('mark as history a view that has no room in a rebuild', () => {
    const text = `
version: 1
name: fleet
hub: v
ipam: { pools: [10.0.0.0/14, 172.16.0.0/12] }
defaults: { serviceCIDR: 172.20.0.0/16, internalCIDR: 172.21.0.0/16 }
clusters:
  v:
    podCIDR: 10.0.0.0/17
    serviceCIDR: 10.0.128.0/18
    externalCIDR: 10.0.192.0/20
    internalCIDR: 10.0.208.0/20
    gateway: 203.0.113.1
    ipam: { pools: [10.0.0.0/14] }
  a: { podCIDR: 10.2.0.0/16, externalCIDR: 10.0.224.0/24 }
  b: { podCIDR: 10.0.0.0/17, externalCIDR: 10.0.225.0/24 }
  c: { podCIDR: 10.3.0.0/18, externalCIDR: 10.0.226.0/24 }
  d: { podCIDR: 10.2.0.0/16, externalCIDR: 10.0.227.0/24 }
`;
    const lock = `version: 1
decisions:
  a/v/join: 1
  a/v/view/v/pod/10.2.0.0/16: 10.2.0.0/16
  b/v/join: 2
  b/v/view/v/pod/10.0.0.0/17: 10.1.0.0/17
  c/v/join: 3
  c/v/view/v/pod/10.3.0.0/18: 10.1.192.0/18
  d/v/join: 4
  d/v/view/v/pod/10.2.0.0/16: 10.3.0.0/16
`;
    const peers = [...(compiledText(text, lock).model.clusters.get('v')?.peers.values() ?? [])];
    // A rebuild would leave c where it is, inside 10.3.0.0/16, and then no /16 is left for d.
    expect(peers.map((it) => [it.name, it.podViews[0]?.history])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
      ['d', true],
    ]);
  });

  it('forget with `--relock X/Y` the decisions of X about Y, and with `--relock X` all decisions of X', () => {
    // Another peer of the hub is gone, so that deciding again has another result.
    const three = fleet('1.2', [HUB, ...PEERS, 'c: { podCIDR: 10.244.0.0/16, externalCIDR: auto }']);
    const lock = compiledText(three).lock;
    const two = three.replace(/ {2}a: .*\n/, '');
    const kept = linesOf(compiledText(two, lock).lock);
    const changedBy = (cluster: string, peer: string | null): readonly string[] => {
      const now = linesOf(compiledText(two, lock, [{ cluster, peer }]).lock);
      expect(Object.keys(now)).toEqual(Object.keys(kept));
      return Object.keys(kept).filter((it) => now[it] !== kept[it]);
    };
    const viewsOfHub = Object.keys(kept).filter((it) => it.includes('/view/hub/pod/'));
    expect(viewsOfHub).toHaveLength(2);
    expect(changedBy('hub', 'b').filter((it) => !it.startsWith('b/hub/view/hub/'))).toEqual([]);
    expect(changedBy('hub', 'b')).toContain('b/hub/view/hub/pod/10.244.0.0/16');
    expect(changedBy('hub', null).filter((it) => !/\/view\/hub\//.test(it))).toEqual([]);
    expect(changedBy('hub', null)).toEqual(expect.arrayContaining(viewsOfHub));
    expect(changedBy('b', null)).toEqual([]);
  });
});

describe('what leaves in a compile still counts as taken in it', () => {
  const leaf = (name: string, pods: string, external: string): string =>
    `${name}: { podCIDR: ${pods}, externalCIDR: ${external} }`;
  const before = fleet('1.2', [HUB, leaf('milan', '10.3.0.0/16', '10.73.0.0/16')]);
  const after = fleet('1.2', [HUB, leaf('turin', '10.3.0.0/16', '10.73.0.0/16')]);

  it('so a cluster that replaces another does not get its views, and keeps its own in the next compile', () => {
    const first = compiledText(after, compiledText(before).lock);
    expect(viewsIn(first, 'hub')['turin pod 10.3.0.0/16']).not.toBe('10.3.0.0/16');
    const second = compileText(after, first.lock);
    expect(second.ok && second.value.lock).toBe(first.lock);
    expect(ofCode(second, 'ipam/taken-by-leaver')).toEqual([]);
    expect(ofCode(second, 'ipam/history').map((it) => it.message.includes('"turin"'))).toEqual([true]);
  });

  it('and gets them when the other one left in a change before', () => {
    const between = compiledText(fleet('1.2', [HUB]), compiledText(before).lock);
    const last = compileText(after, between.lock);
    expect(last.ok && viewsIn(last.value, 'hub')['turin pod 10.3.0.0/16']).toBe('10.3.0.0/16');
    expect(ofCode(last, 'ipam/history')).toEqual([]);
  });

  it('and with a warning gets those that another one has until the same change', () => {
    const changed = leaf('milan', '10.5.0.0/16', '10.75.0.0/16');
    const both = compileText(
      fleet('1.2', [HUB, changed, leaf('turin', '10.3.0.0/16', '10.73.0.0/16')]),
      compiledText(before).lock,
    );
    expect(both.ok && viewsIn(both.value, 'hub')['turin pod 10.3.0.0/16']).toBe('10.3.0.0/16');
    expect(ofCode(both, 'ipam/handed-over').map((it) => it.message)).toEqual([
      '"hub" is to see the pod CIDR 10.3.0.0/16 of "turin" as 10.3.0.0/16, which "milan" has until the same change is applied: which of the two comes first is left to chance',
      '"hub" is to see the external CIDR 10.73.0.0/16 of "turin" as 10.73.0.0/16, which "milan" has until the same change is applied: which of the two comes first is left to chance',
    ]);
    const lock = compiledText(fleet('1.2', [HUB, changed]), compiledText(before).lock).lock;
    const later = compileText(fleet('1.2', [HUB, changed, leaf('turin', '10.3.0.0/16', '10.73.0.0/16')]), lock);
    expect(ofCode(later, 'ipam/handed-over')).toEqual([]);
  });

  it('also where two clusters stay and only their link goes', () => {
    const linked = `${before.replace('hub: hub\n', '')}peerings: [[hub, milan]]\n`.replace(
      'clusters:',
      `clusters:\n  ${leaf('turin', '10.3.0.0/16', '10.74.0.0/16')}`,
    );
    const moved = linked.replace('[[hub, milan]]', '[[hub, turin]]');
    const views = viewsIn(compiledText(moved, compiledText(linked).lock), 'hub');
    expect(views['turin pod 10.3.0.0/16']).not.toBe('10.3.0.0/16');
    expect(views['turin external 10.74.0.0/16']).toBeDefined();
  });

  it('not when its decisions are made again, as for a cluster that is rebuilt', () => {
    const again = compiledText(after, compiledText(before).lock, [{ cluster: 'hub', peer: null }]);
    expect(viewsIn(again, 'hub')['turin pod 10.3.0.0/16']).toBe('10.3.0.0/16');
  });

  it('so no block is carved where a peer still has one', () => {
    const carved = (name: string): string =>
      fleet('1.2', [HUB, leaf(name, '10.3.0.0/16', 'auto')]).replace(
        'hub: hub\n',
        'hub: hub\nipam: { carve: { from: 10.128.0.0/19, prefix: 20 } }\n',
      );
    const lock = compiledText(carved('milan')).lock;
    const [was] = Object.entries(linesOf(lock)).filter(([key]) => key === 'milan/external');
    const [is] = Object.entries(linesOf(compiledText(carved('turin'), lock).lock)).filter(
      ([key]) => key === 'turin/external',
    );
    expect([was?.[1], is?.[1]].sort()).toEqual(['10.128.0.0/20', '10.128.16.0/20']);
  });

  it('so a hub without room for both is refused, and the hint says what to remove first', () => {
    const small = (name: string): string =>
      fleet('1.2', [
        'hub: { podCIDR: 10.0.0.0/18, serviceCIDR: 10.0.64.0/18, externalCIDR: 10.0.128.0/18, internalCIDR: 10.0.192.0/18, gateway: 203.0.113.1, ipam: { pools: [10.0.0.0/15] } }',
        `${name}: { podCIDR: 10.1.0.0/17, externalCIDR: 10.1.128.0/17 }`,
      ]);
    const result = compileText(small('turin'), compiledText(small('milan')).lock);
    expect(ofCode(result, 'ipam/exhausted').map((it) => it.hint?.split(',')[0])).toEqual([
      'remove "milan" in a change of its own first',
    ]);
  });
});

describe('a cluster that is installed anew', () => {
  const clusters = [
    HUB,
    'a: { podCIDR: 10.244.0.0/16, externalCIDR: auto }',
    'b: { podCIDR: 10.244.0.0/16, externalCIDR: auto }',
  ];

  it('keeps with `--relock` the carved block that its peers know', () => {
    const { lock } = compiledText(fleet('1.2', clusters));
    expect(compiledText(fleet('1.2', clusters), lock, [{ cluster: 'a', peer: null }]).lock).toBe(lock);
  });

  it('gets another block with `--relock` where another cluster has the same one', () => {
    const { lock } = compiledText(fleet('1.2', clusters));
    const block = linesOf(lock)['a/external'] ?? '';
    const merged = lock.replace(/(b\/external: ).*/, `$1${block}`);
    expect(ofCode(compileText(fleet('1.2', clusters), merged), 'lock/contradiction').length).toBeGreaterThan(0);
    const again = compileText(fleet('1.2', clusters), merged, [{ cluster: 'a', peer: null }]);
    expect(again.ok && linesOf(again.value.lock)['a/external']).not.toBe(block);
    expect(again.ok).toBe(true);
  });
});
