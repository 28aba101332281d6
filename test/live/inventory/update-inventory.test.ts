import { describe, expect, it } from 'vitest';
import { CODES, type Code } from '../../../src/base/diagnostics/codes.ts';
import { readDocument } from '../../../src/base/source/read-document.ts';
import { placeAt, type Source } from '../../../src/base/source/source.ts';
import { readInventory } from '../../../src/live/inventory/read-inventory.ts';
import { type FleetFiles, updateInventory } from '../../../src/live/inventory/update-inventory.ts';

const TOPOLOGY = 'version: 1\nname: europe\nclusters: {}\n';
const HEAD = 'name,podCIDR,serviceCIDR';
const ROME = 'rome,10.1.0.0/16,10.96.0.0/12';

interface Case {
  /** Inventories, each with a name after its kind. */
  readonly inventories: readonly string[];
  readonly topology?: string;
  /** The file of the inventory as it is; none by default. */
  readonly file?: string;
  readonly other?: string;
}

function update({ inventories, topology = TOPOLOGY, file, other }: Case) {
  const readings = inventories.map((text, index) => readInventory({ path: `${index + 1}`, text }));
  const found = readings.flatMap((it) => it.found);
  const files: FleetFiles = {
    topology: written({ path: 'topology.yaml', text: topology }),
    path: 'inventory/a.yaml',
    file: file === undefined ? undefined : written({ path: 'inventory/a.yaml', text: file }),
    others: other === undefined ? [] : [written({ path: 'regions/eu.yaml', text: other })],
    schema: null,
  };
  const updated = updateInventory(
    readings.flatMap((it) => it.clusters),
    files,
  );
  const all = [...found, ...updated.diagnostics];
  const placed = all.map(({ code, span }) => {
    const { line, column } = placeAt(span.source, span.start);
    return `${code} ${span.source.path}:${line}:${column}`;
  });
  return { ...(updated.ok ? updated.value : {}), ok: updated.ok, all, placed };
}

function written(source: Source) {
  const read = readDocument(source, { language: 'yaml' });
  if (!read.ok) throw new Error(`${source.path} is no YAML`);
  return { source, root: read.root };
}

const csv = (...rows: readonly string[]): string => [HEAD, ...rows, ''].join('\n');

describe('the file of an inventory', () => {
  it('is written in the order of names', () => {
    const { text, added } = update({
      inventories: [csv('rome,10.1.0.0/16,10.96.0.0/12', 'oslo,10.2.0.0/16,10.96.0.0/12')],
    });
    expect(text).toBe(
      '# Clusters of an inventory. "weft import --clusters" adds clusters and updates the keys that the inventory has;\n' +
        '# what you add here, keys and comments, stays.\nversion: 1\nclusters:\n' +
        '  oslo: { podCIDR: 10.2.0.0/16, serviceCIDR: 10.96.0.0/12 }\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12 }\n',
    );
    expect(added).toEqual(['oslo', 'rome']);
  });

  const EDITED = `# mine
version: 1
clusters:
  # the first
  oslo:
    podCIDR: 10.2.0.0/16 # since 2024
    gateway: { addresses: [203.0.113.2], mtu: 1400 } # by hand

    serviceCIDR: '10.96.0.0/12'
  # the second
  rome: { serviceCIDR: 10.96.0.0/12, retired: false, podCIDR: 10.1.0.0/16 }
peerings:
  - [oslo, rome]
`;

  it('is the same after the same inventory', () => {
    const { text, changed, unchanged } = update({
      inventories: [csv('rome,10.1.0.0/16,10.96.0.0/12', 'oslo,10.2.0.0/16,10.96.0.0/12')],
      file: EDITED,
    });
    expect([text, changed, unchanged]).toEqual([EDITED, [], ['rome', 'oslo']]);
  });

  it('keeps what people wrote when a key changes, another is new, and clusters come', () => {
    const table = `${HEAD},gateway,labels.site
rome,10.9.0.0/16,10.96.0.0/12,,italy
oslo,10.2.0.0/16,10.96.0.0/12,203.0.113.9,
pisa,10.3.0.0/16,10.96.0.0/12,,
bari,10.4.0.0/16,10.96.0.0/12,,
`;
    const { text, added, changed } = update({ inventories: [table], file: EDITED });
    expect(text).toBe(`# mine
version: 1
clusters:
  bari: { podCIDR: 10.4.0.0/16, serviceCIDR: 10.96.0.0/12 }
  # the first
  oslo:
    podCIDR: 10.2.0.0/16 # since 2024
    gateway: { addresses: [203.0.113.9], mtu: 1400 } # by hand

    serviceCIDR: '10.96.0.0/12'
  pisa: { podCIDR: 10.3.0.0/16, serviceCIDR: 10.96.0.0/12 }
  # the second
  rome: { serviceCIDR: 10.96.0.0/12, retired: false, podCIDR: 10.9.0.0/16, labels: { site: italy } }
peerings:
  - [oslo, rome]
`);
    expect(added).toEqual(['bari', 'pisa']);
    expect(changed).toEqual([
      { cluster: 'rome', key: 'podCIDR', from: '10.1.0.0/16', to: '10.9.0.0/16' },
      { cluster: 'rome', key: 'labels', from: null, to: '{ site: italy }' },
      { cluster: 'oslo', key: 'gateway.addresses', from: '[203.0.113.2]', to: '[203.0.113.9]' },
    ]);
  });

  it.each([
    [
      'an address that gets settings',
      'gateway: 203.0.113.1',
      'gateway.mtu',
      '1400',
      'gateway: { addresses: [203.0.113.1], mtu: 1400 }',
    ],
    [
      'a label beside those of people',
      'labels: { tier: leaf }',
      'labels.site',
      'italy',
      'labels: { tier: leaf, site: italy }',
    ],
    [
      'a list of one and its text',
      'gateway: { addresses: [203.0.113.1] }',
      'gateway',
      '203.0.113.1',
      'gateway: { addresses: [203.0.113.1] }',
    ],
    [
      'an address with an authority',
      'apiServer: { address: a.example.com, trustedCA: true }',
      'apiServer',
      'b.example.com',
      'apiServer: { address: b.example.com, trustedCA: true }',
    ],
  ])('keeps the form of %s', (_, before, column, value, after) => {
    const file = (it: string): string =>
      `version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, ${it} }\n`;
    expect(update({ inventories: [`name,${column}\nrome,${value}\n`], file: file(before) }).text).toBe(file(after));
  });

  it.each([
    [
      'without clusters',
      'version: 1\n',
      'version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12 }\n',
    ],
    [
      'with an empty map',
      'version: 1\nclusters: {}\n',
      'version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12 }\n',
    ],
    [
      'with a cluster that has no keys',
      'version: 1\nclusters:\n  rome: # later\n',
      'version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12 } # later\n',
    ],
    [
      'that is not in order',
      'version: 1\nclusters:\n  z: { podCIDR: 10.8.0.0/16, serviceCIDR: 10.96.0.0/12 }\n  b: { podCIDR: 10.9.0.0/16, serviceCIDR: 10.96.0.0/12 }\n',
      /\n {2}b: .*\n {2}rome: .*\n$/,
    ],
  ])('may be one %s', (_, file, after) => {
    expect(update({ inventories: [csv(ROME)], file }).text).toEqual(
      typeof after === 'string' ? after : expect.stringMatching(after),
    );
  });

  it('has what two kinds of inventories have of one cluster', () => {
    const outputs = {
      c: { sensitive: false, value: { rome: { pod_cidr: '10.1.0.0/16', labels: { site: 'italy' } } } },
    };
    const { text, ok } = update({ inventories: ['name,serviceCIDR\nrome,10.96.0.0/12\n', JSON.stringify(outputs)] });
    expect([ok, text]).toEqual([
      true,
      expect.stringContaining('rome: { serviceCIDR: 10.96.0.0/12, podCIDR: 10.1.0.0/16, labels: { site: italy } }'),
    ]);
  });

  it('gets no cluster that another file declares', () => {
    const same = {
      topology: `version: 1\nname: europe\ndefaults: { serviceCIDR: 10.96.0.0/12 }\nclusters: { rome: { podCIDR: 10.1.0.0/16 } }\n`,
    };
    const { text, elsewhere, placed } = update({
      inventories: ['name,podCIDR\nrome,10.1.0.0/16\noslo,10.2.0.0/16\n'],
      ...same,
    });
    expect(text).toContain('  oslo: { podCIDR: 10.2.0.0/16 }\n');
    expect(text).not.toContain('rome:');
    expect([elsewhere, placed]).toEqual([[{ cluster: 'rome', path: 'topology.yaml' }], []]);
  });

  it('may lack what the defaults of the topology have', () => {
    const topology = 'version: 1\nname: europe\ndefaults: { serviceCIDR: 10.96.0.0/12 }\nclusters: {}\n';
    expect(update({ inventories: ['name,podCIDR\nrome,10.1.0.0/16\n'], topology })).toMatchObject({
      ok: true,
      placed: [],
    });
  });
});

/** Mistakes, each with its code and its place. */
const REPORTS: readonly (readonly [string, Case, Code, string])[] = [
  ['a network with host bits', { inventories: [csv('rome,10.1.0.1/16,10.96.0.0/12')] }, 'topology/host-bits', '1:2:6'],
  ['a network that is none', { inventories: [csv(ROME, 'oslo,10.2.0.0,10.96.0.0/12')] }, 'topology/bad-cidr', '1:3:6'],
  [
    'networks that overlap',
    { inventories: [csv('rome,10.96.0.0/16,10.96.0.0/12')] },
    'topology/own-cidrs-overlap',
    '1:2:19',
  ],
  [
    'networks that are exchanged',
    { inventories: [csv('rome,10.96.0.0/12,10.244.0.0/16')] },
    'topology/cidrs-swapped',
    '1:2:6',
  ],
  ['a name that Liqo refuses', { inventories: [csv('Rome_1,10.1.0.0/16,10.96.0.0/12')] }, 'topology/bad-name', '1:2:1'],
  [
    'a name that is an integer',
    { inventories: [csv('12,10.1.0.0/16,10.96.0.0/12')] },
    'topology/name-like-integer',
    '1:2:1',
  ],
  ['a row twice', { inventories: [csv(ROME, ROME)] }, 'inventory/cluster-twice', '1:3:1'],
  [
    'another value in another kind of inventory',
    { inventories: [csv(ROME), JSON.stringify({ rome: { pod_cidr: '10.2.0.0/16' } })] },
    'inventory/cluster-twice',
    '2:1:2',
  ],
  ['no pod CIDR', { inventories: ['name,serviceCIDR\nrome,10.96.0.0/12\n'] }, 'inventory/missing-network', '1:2:1'],
  [
    'no service CIDR',
    { inventories: ['name,podCIDR\nrome,10.1.0.0/16\noslo,10.2.0.0/16\n'] },
    'inventory/missing-network',
    '1:2:1',
  ],
  ['an unknown column', { inventories: [`${HEAD},owner\n${ROME},ada\n`] }, 'inventory/unknown-column', '1:1:26'],
  ['half a row', { inventories: [`${HEAD}\n${ROME},more\n`] }, 'inventory/unreadable', '1:2:31'],
  [
    'a cluster of the topology with another network',
    {
      inventories: [csv(ROME)],
      topology: 'version: 1\nname: europe\nclusters:\n  rome: { podCIDR: 10.7.0.0/16, serviceCIDR: 10.96.0.0/12 }\n',
    },
    'inventory/declared-elsewhere',
    'topology.yaml:4:3',
  ],
  [
    'a cluster of another included file with another network',
    {
      inventories: [csv(ROME)],
      other: 'version: 1\nclusters: { rome: { podCIDR: 10.7.0.0/16, serviceCIDR: 10.96.0.0/12 } }\n',
    },
    'inventory/declared-elsewhere',
    'regions/eu.yaml:2:13',
  ],
  [
    'clusters that are gone',
    {
      inventories: [csv(ROME)],
      file: `version: 1\nclusters:\n  oslo: { podCIDR: 10.2.0.0/16, serviceCIDR: 10.96.0.0/12 }\n`,
    },
    'inventory/cluster-gone',
    'inventory/a.yaml:3:3',
  ],
  [
    'a mistake of people in the file',
    { inventories: [csv(ROME)], file: `version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16, gatway: x }\n` },
    'topology/unknown-key',
    'inventory/a.yaml:3:33',
  ],
];

describe('an inventory', () => {
  it.each(REPORTS)('reports %s at its place', (_, given, code, place) => {
    const { placed, ok } = update(given);
    expect(placed).toEqual([`${code} ${place}`]);
    expect(ok).toBe(CODES[code] !== 'error' || code === 'inventory/unreadable');
  });

  it('proposes a name that Liqo accepts', () => {
    const { all } = update({ inventories: [csv('Rome_1,10.1.0.0/16,10.96.0.0/12')] });
    expect(all[0]?.hint).toContain('rome-1');
  });

  it('leads to where a missing network can be added', () => {
    const hint = (given: Case): string | undefined => update(given).all[0]?.hint;
    const defaults = '; if all clusters have the same, add it to `defaults` in topology.yaml';
    const argo = `kind: Secret\nmetadata: { name: rome, labels: { argocd.argoproj.io/secret-type: cluster } }\n`;
    expect(hint({ inventories: [argo] })).toBe(
      `add \`podCIDR\` to the inventory, as the annotation weft.dev/podCIDR${defaults}`,
    );
    const file = 'version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16 }\n';
    expect(hint({ inventories: ['name,podCIDR\nrome,10.1.0.0/16\n'], file })).toBe(
      `add \`serviceCIDR\` to the inventory, or to its entry in inventory/a.yaml${defaults}`,
    );
    const two = 'version: 1\nclusters:\n  rome: { podCIDR: 10.1.0.0/16 }\n  oslo: { podCIDR: 10.2.0.0/16 }\n';
    expect(hint({ inventories: ['name,podCIDR\nrome,10.1.0.0/16\noslo,10.2.0.0/16\n'], file: two })).toContain(
      'or to their entries in inventory/a.yaml',
    );
  });

  it('says nothing of a cluster that is retired', () => {
    const file = `version: 1\nclusters:\n  oslo: { podCIDR: 10.2.0.0/16, serviceCIDR: 10.96.0.0/12, retired: true }\n`;
    expect(update({ inventories: [csv(ROME)], file })).toMatchObject({ placed: [], gone: [] });
  });

  it('names the clusters that are gone, and removes none', () => {
    const rows = Array.from(
      { length: 8 },
      (_, i) => `  c${i}: { podCIDR: 10.${i + 2}.0.0/16, serviceCIDR: 10.96.0.0/12 }\n`,
    );
    const { all, text, gone } = update({ inventories: [csv(ROME)], file: `version: 1\nclusters:\n${rows.join('')}` });
    expect(all.map((it) => it.message)).toEqual([
      '"c0", "c1", "c2", "c3", "c4" and 3 more are in inventory/a.yaml, but no longer in the inventory',
    ]);
    expect(gone).toHaveLength(8);
    for (const row of rows) expect(text).toContain(row);
  });

  it('raises every code of inventories, here or where an empty one is read', () => {
    const raised = new Set<string>([...REPORTS.map(([, , code]) => code), 'inventory/empty']);
    expect(Object.keys(CODES).filter((it) => it.startsWith('inventory/') && !raised.has(it))).toEqual([]);
  });
});
