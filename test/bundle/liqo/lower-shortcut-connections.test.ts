import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printLinkId } from '../../../src/base/core/lock-key.ts';
import { lowerShortcutConnections, shortcutsOfHub } from '../../../src/bundle/liqo/lower-shortcut-connections.ts';
import { orientShortcuts } from '../../../src/fleet/model/choose-servers.ts';
import { nameShortcuts, type ShortcutEnd, unreadEnds } from '../../../src/fleet/model/object-names.ts';
import { withEndNames } from '../../support/end-names.ts';
import { cluster, link, model, secondDeck } from './fixtures.ts';

/** Shortcuts of one hub, `client > server`. */
const shortcuts = (...pairs: readonly string[]) =>
  pairs.map((it, join) => {
    const [client = '', server = ''] = it.split(' > ');
    return link(client, server, { kind: 'shortcut', join, commonHubs: ['hub'] });
  });

const names = (...pairs: readonly string[]) => nameShortcuts(shortcuts(...pairs)).map((it) => it.name);

const ends = (found: readonly ShortcutEnd[]) =>
  found.map((it) => `${printLinkId(it.link.id)} for ${it.end.cluster.name}`);

/**
 * The ends that the fork uses, computed cluster by cluster as in its virtual kubelets (liqo.md 6.4, step 3): list by
 * name, collect where the cluster is B, collect and stop where it is A.
 */
function usedByFork(listed: readonly { readonly name: string; readonly a: string; readonly b: string }[]): Set<string> {
  const byName = [...listed].sort((x, y) => (x.name < y.name ? -1 : 1));
  const used = new Set<string>();
  for (const provider of new Set(byName.flatMap((it) => [it.a, it.b]))) {
    for (const { name, a, b } of byName) {
      if (a === provider) {
        used.add(`${name} for ${provider}`);
        break;
      }
      if (b === provider) used.add(`${name} for ${provider}`);
    }
  }
  return used;
}

describe('lowerShortcutConnections', () => {
  it('gives the hub of the second deck the addresses of the slides', () => {
    const { hub, model } = secondDeck();
    const [connection, ...more] = lowerShortcutConnections(hub, model);
    expect(more).toEqual([]);
    expect(connection?.used).toBe(true);
    expect(connection?.manifest).toEqual({
      apiVersion: 'networking.liqo.io/v1beta1',
      kind: 'ForeignClusterConnection',
      metadata: { name: 'cluster2--cluster3', namespace: 'liqo' },
      spec: {
        foreignClusterA: 'cluster2',
        foreignClusterB: 'cluster3',
        networking: {
          mtu: 1340,
          serverGatewayType: 'networking.liqo.io/v1beta1/wggatewayservertemplates',
          serverTemplateName: 'wireguard-server',
          serverTemplateNamespace: 'liqo',
          serverServiceType: 'NodePort',
          serverServicePort: 51840,
          clientGatewayType: 'networking.liqo.io/v1beta1/wggatewayclienttemplates',
          clientTemplateName: 'wireguard-client',
          clientTemplateNamespace: 'liqo',
          timeoutSeconds: 120,
          wait: true,
        },
      },
    });
    expect(connection?.expectedStatus).toEqual({
      ...connection?.manifest,
      status: {
        isConnected: true,
        phase: 'Connected',
        foreignClusterANetworking: { podCIDR: '10.63.0.0/16', remappedPodCIDR: '10.61.0.0/16' },
        foreignClusterBNetworking: { podCIDR: '10.60.0.0/16', remappedPodCIDR: '10.61.0.0/16' },
      },
    });
  });

  it('creates none for leaves, and none at all without the operator', () => {
    const { hub, two, model } = secondDeck();
    expect(lowerShortcutConnections(two, model)).toEqual([]);
    expect(lowerShortcutConnections(hub, { ...model, fleet: { ...model.fleet, shortcutOperator: false } })).toEqual([]);
  });

  it('gives a hub only the shortcuts between its own spokes', () => {
    const links = [
      link('a', 'b', { kind: 'shortcut', commonHubs: ['hub', 'other'] }),
      link('c', 'd', { kind: 'shortcut', commonHubs: ['other'] }),
      link('a', 'hub'),
    ];
    const clusters = ['a', 'b', 'c', 'd', 'hub', 'other'].map((it) => cluster(it, { release: '1.0.3' }));
    const fleet = model(clusters, links, { shortcutOperator: true });
    const given = clusters.map((it) => lowerShortcutConnections(it, fleet).map((one) => one.manifest.metadata.name));
    expect(given).toEqual([[], [], [], [], ['a--b'], ['a--b', 'c--d']]);
  });

  it('lists the ends that the fork does not use', () => {
    const links = shortcuts('a > b', 'a > c', 'x > y');
    const clusters = ['a', 'b', 'c', 'hub', 'x', 'y'].map((it) => cluster(it));
    const fleet = model(clusters, links, { shortcutOperator: true });
    const hub = cluster('hub');
    expect(ends(unreadEnds(nameShortcuts(shortcutsOfHub(hub.name, fleet))))).toEqual(['a/c for a']);
    expect(lowerShortcutConnections(hub, fleet).map((it) => [it.manifest.metadata.name, it.used])).toEqual([
      ['a--b', true],
      ['a--c', false],
      ['x--y', true],
    ]);
  });
});

describe('nameShortcuts', () => {
  it('names them after their ends where the order of these names is right', () => {
    expect(names('milan > rome')).toEqual(['milan--rome']);
    expect(names('a > b', 'b > c')).toEqual(['a--b', 'b--c']);
    expect(names('a > c', 'b > c')).toEqual(['a--c', 'b--c']);
  });

  it('puts the distance from the root before names whose order would hide some, in that tree alone', () => {
    expect(names('b > a', 'c > b')).toEqual(['s97-c--b', 's98-b--a']);
    expect(names('b > a', 'c > b', 'x > y')).toEqual(['s97-c--b', 's98-b--a', 'x--y']);
  });

  it('renames nothing when a leaf is added to a tree that has such names', () => {
    const before = names('b > a', 'c > b', 'x > y');
    expect(names('b > a', 'c > b', 'x > y', 'd > c')).toEqual(expect.arrayContaining(before));
    expect(names('b > a', 'c > b', 'x > y', 'd > a')).toEqual(expect.arrayContaining(before));
  });

  it('leaves plain names where no order helps: a cluster that is client twice, a ring', () => {
    expect(names('a > b', 'a > c')).toEqual(['a--b', 'a--c']);
    expect(names('b > a', 'c > b', 'a > c')).toEqual(['a--c', 'b--a', 'c--b']);
  });

  it('keeps names apart that the usual separator would run together', () => {
    expect(names('a--b > c', 'a > b--c')).toEqual(['a--b.c', 'a.b--c']);
  });

  it('ranks chains longer than a hundred', () => {
    const chain = Array.from({ length: 150 }, (_, i) => `c${150 - i} > c${149 - i}`);
    const named = nameShortcuts(shortcuts(...chain));
    expect(named[0]?.name).toBe('s849-c150--c149');
    expect(unreadEnds(named)).toEqual([]);
  });

  it('names a long chain and a large star quickly', () => {
    const chain = Array.from({ length: 5000 }, (_, i) => link(`c${i + 1}`, `c${i}`, { kind: 'shortcut' }));
    const star = Array.from({ length: 5000 }, (_, i) => link(`s${i + 1}`, 's0', { kind: 'shortcut' }));
    expect(unreadEnds(nameShortcuts([...chain, ...star]))).toEqual([]);
  });
});

/** Up to twelve shortcuts over a few clusters, in any direction, at most one per pair. */
const anyShortcuts = fc
  .uniqueArray(fc.tuple(fc.nat({ max: 6 }), fc.nat({ max: 6 })), {
    maxLength: 12,
    selector: ([a, b]) => [a, b].sort().join(),
  })
  .map((pairs) => pairs.filter(([a, b]) => a !== b).map(([a, b]) => `c${a} > c${b}`));

/** Every cluster but the first has one shortcut to an earlier one; names and directions are shuffled. */
const anyForest = fc
  .tuple(
    fc.array(fc.option(fc.nat(), { freq: 6 }), { maxLength: 9 }),
    fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }),
  )
  .chain(([parents, turns]) => {
    const clusters = Array.from({ length: parents.length + 1 }, (_, i) => `c${i}`);
    return fc.shuffledSubarray(clusters, { minLength: clusters.length }).map((shuffled) =>
      parents.flatMap((parent, i) => {
        if (parent === null) return [];
        const pair = [shuffled[i + 1] ?? '', shuffled[parent % (i + 1)] ?? ''];
        return [(turns[i] ? pair : pair.reverse()).join(' > ')];
      }),
    );
  });

describe('the order of names', () => {
  it('hides exactly what a walk through the fork, cluster by cluster, finds hidden', () => {
    fc.assert(
      fc.property(anyShortcuts, (pairs) => {
        const named = nameShortcuts(shortcuts(...pairs));
        const used = usedByFork(
          named.map(({ name, link }) => ({ name, a: link.client.cluster.name, b: link.server.cluster.name })),
        );
        const all = named.flatMap(({ name, link }) =>
          [link.client, link.server].map((it) => `${name} for ${it.cluster.name}`),
        );
        const unread = unreadEnds(named).map(({ link, end }) => {
          return `${named.find((it) => it.link === link)?.name} for ${end.cluster.name}`;
        });
        expect(unread.sort()).toEqual(all.filter((it) => !used.has(it)).sort());
        expect(new Set(named.map((it) => it.name)).size).toBe(pairs.length);
      }),
      { numRuns: 300 },
    );
  });

  it('lets the fork use everything whenever some order of the shortcuts does', () => {
    fc.assert(
      fc.property(
        anyShortcuts.map((it) => it.slice(0, 5)),
        (pairs) => {
          const links = shortcuts(...pairs);
          const possible = permutations(links).some(
            (order) => unreadEnds(order.map((link) => ({ link }))).length === 0,
          );
          expect(unreadEnds(nameShortcuts(links)).length === 0).toBe(possible);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('lets the fork use every shortcut of a forest once the ends are chosen for it', () => {
    fc.assert(
      fc.property(anyForest, (pairs) => {
        const links = shortcuts(...pairs);
        const servers = orientShortcuts(
          links.map(withEndNames).map(({ id, client, server }) => ({
            id: printLinkId(id),
            ends: [client, server],
            forcedServer: null,
            preferredServer: server,
          })),
        );
        const oriented = links.map((it) => {
          const { server, client } = withEndNames(it);
          return servers.get(printLinkId(it.id)) === server ? it : link(server, client);
        });
        expect(unreadEnds(nameShortcuts(oriented))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, at) => permutations(items.filter((_, i) => i !== at)).map((rest) => [item, ...rest]));
}
