import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';

const fleet = (text = TOPOLOGY) => workspace(withKeysFiles({ [PATH]: text }));

/** Two hubs that join 40 spokes; every fourth spoke has only the first hub. */
const LARGE = [
  ...['version: 1', 'name: large', 'hub: [hub-a, hub-b]', 'peerings: [[hub-a, hub-b], [c1, c2]]'],
  'defaults: { serviceCIDR: 172.20.0.0/16, internalCIDR: 172.21.0.0/16, externalCIDR: auto }',
  'ipam: { carve: { from: 10.128.0.0/9, prefix: 20 } }',
  'assertions: [{ from: {}, to: {}, expect: reachable }]',
  'clusters:',
  '  hub-a: { podCIDR: 10.0.0.0/24, gateway: 203.0.113.1 }',
  '  hub-b: { podCIDR: 10.0.1.0/24, gateway: 203.0.113.2 }',
  ...Array.from({ length: 40 }, (_, i) => {
    const hub = i % 4 === 0 ? ', hub: hub-a' : '';
    return `  c${i}: { podCIDR: 10.1.${i}.0/24, gateway: 198.51.100.${i + 1}${hub} }`;
  }),
].join('\n');

const SHARED = `${TOPOLOGY}sharing:
  - { consumer: europe, provider: rome }
  - { consumer: europe, provider: milan }
offloading:
  - { cluster: europe, namespace: demo, to: [rome, milan] }
assertions:
  - { from: rome, to: milan, expect: reachable, via: shortcut }
  - { from: rome, to: { service: demo/web }, expect: reachable }
`;

describe('weft whatif', () => {
  it('tries each part, those that cut most first', async () => {
    const { weft } = fleet();
    const { code, stdout, stderr } = await weft('whatif');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`6 pairs of clusters reach each other. Each part alone, those that cut most first:
WITHOUT                      CUTS     CUT OFF  GO ROUND  BREAKS
gateway europe/203.0.113.10  4 pairs  europe

Nothing is cut without any one of 3 links and 3 clusters; 3 of them make pairs go round at other addresses.
`);
  });

  it('says what a closed boundary lets in on another way', async () => {
    const closed = SHARED.replace('gateway: 203.0.113.30', 'gateway: 203.0.113.30, boundary: closed');
    const entries = `boundaries:
  - { from: rome, to: milan, ports: 5432 }
  - { from: europe, masqueraded: true, to: milan, ports: [443, 8000-8100] }
  - { from: europe, to: milan, ports: 22 }
`;
    const { weft } = fleet(`${closed}${entries}`);
    const { stdout } = await weft('whatif', '--without', 'milan/rome');
    expect(stdout).toMatch(/rome to milan +\S+ direct +\S+ through europe; only TCP 443, 8000-8100 may enter/);
    expect(stdout).toMatch(/milan to rome +\S+ direct +\S+ through europe\n/);
  });

  it('does not count the pairs of a cluster that fails itself', async () => {
    expect((await fleet().weft('whatif', '--without', 'europe')).stdout).toBe(
      'Without cluster europe: nothing else is cut.\n',
    );
  });

  it('counts keys that are still to be made as made', async () => {
    const { weft: withoutKeys } = workspace({ [PATH]: TOPOLOGY });
    const { weft } = fleet();
    for (const args of [[], ['--without', 'milan/rome'], ['--without', 'europe']] as const)
      expect((await withoutKeys('whatif', ...args)).stdout).toBe((await weft('whatif', ...args)).stdout);
  });

  it('fits a screen whatever the size of the fleet', async () => {
    const { weft } = fleet(LARGE);
    const { stdout } = await weft('whatif');
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(stdout).toMatch(
      /\n10 links of hub-a, like c0\/hub-a +82 pairs each +c0, c12, c16 and 7 more +1 assertion\n/,
    );
    expect(stdout).toMatch(/\ncluster hub-a +\d+ pairs +c0, c12, c16 and 7 more +\d+ pairs +1 assertion\n/);
  });

  it('shows who goes round at which address, and which assertions break', async () => {
    const { weft } = fleet(SHARED);
    const { code, stdout } = await weft('whatif', '--without', 'milan/rome');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Without link milan\/rome: nothing is cut, 2 pairs go round at another address, 1 assertion breaks\.\n/,
    );
    expect(stdout).toMatch(/\nmilan to rome, rome to milan +10\.\S+ direct +10\.\S+\.\? through europe\n/);
    expect(stdout).toMatch(/\n {2}topologies\/topology\.yaml:\d+: rome does not reach milan\n$/);
  });

  it('shows Services that lose endpoints', async () => {
    const { weft } = fleet(SHARED);
    const { stdout } = await weft('whatif', '--without', 'rome/europe');
    expect(stdout).toContain('\n  demo of europe: europe loses the pods in rome\n');
    expect(stdout).toMatch(/topology\.yaml:\d+: rome does not reach the pods in europe, and \d other pairs?\n/);
  });

  it('takes parts in either order and several at a time', async () => {
    const { weft } = fleet();
    expect((await weft('whatif', '--without', 'rome/milan')).stdout).toBe(
      (await weft('whatif', '--without', 'milan/rome')).stdout,
    );
    const both = await weft('whatif', '--without', 'rome/milan', '--without', 'europe');
    expect(both.stdout).toContain('Without link milan/rome and cluster europe: 2 pairs are cut.\n');
    expect(both.stdout).toContain('Cut off from all others: milan, rome.\n');
  });

  it('names a similar part, or the parts that there are', async () => {
    const { weft } = fleet();
    const answers = {
      rme: 'no part is called "rme"\n  hint: did you mean "rome"?',
      'rome/milam':
        '"rome" has no link to "milam", and serves no link at such an address\n  hint: did you mean "milan"?',
      'rom/milan': 'no cluster is called "rom"\n  hint: did you mean "rome"?',
      'europe/nowhere-at-all':
        '"europe" has no link to "nowhere-at-all", and serves no link at such an address\n  hint: name one of: europe/milan, europe/rome, europe/203.0.113.10',
    };
    for (const [part, answer] of Object.entries(answers))
      expect(await weft('whatif', '--without', part)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: `error: ${answer}\n`,
      });
  });

  it('is Markdown for a pull request', async () => {
    const { weft } = fleet(SHARED);
    const { stdout } = await weft('whatif', '--without', 'milan/rome', '-o', 'markdown');
    expect(stdout).toContain(
      '\n| go round | dialled before | dialled now |\n| --- | --- | --- |\n| milan to rome, rome to milan |',
    );
    expect((await weft('whatif', '-o', 'markdown')).stdout).toContain(
      '| without | cuts | cut off | go round | breaks |',
    );
  });
});

describe('--without', () => {
  it('lets a trace go round, and ends it where nothing is left', async () => {
    const { weft } = fleet();
    const around = await weft('trace', 'rome', 'milan', '--without', 'milan/rome');
    expect(around.code).toBe(0);
    expect(around.stdout).toMatch(/^rome\/\S+ to milan\/\S+: delivered, through europe\n/);
    expect(around.stdout).toContain('\n  The link of "milan" and "rome" is off.\n');
    const cut = await weft('trace', 'rome', 'milan', '--without', 'milan/rome', '--without', 'europe');
    expect(cut.code).toBe(1);
    expect(cut.stdout).toBe(`rome/10.202.0.10 to milan/10.202.0.10: the tunnel is down
  The link of "milan" and "rome" is off, so nothing passes between the two.

There
 1  rome pod  10.202.0.10  ->  10.81.0.10
`);
    expect((await weft('trace', 'rome', 'milan', '--without', 'rom')).stderr).toContain('did you mean "rome"?');
  });

  it('traces all pairs of the clusters that are left', async () => {
    const { weft } = fleet();
    const { code, stdout } = await weft('trace', '--all', '--without', 'europe');
    expect(code).toBe(0);
    expect(stdout).toContain('2 pairs of 2 clusters: 2 direct, 0 through another cluster, 0 not at all.');
    const link = await weft('trace', '--all', '--without', 'rome/europe');
    expect(link).toMatchObject({ code: 0 });
    expect(link.stdout).toContain('6 pairs of 3 clusters: 4 direct, 2 through another cluster, 0 not at all.');
  });

  it('shows the endpoints of a Service that are not ready', async () => {
    const { weft } = fleet(SHARED);
    const { code, stdout } = await weft(
      'trace',
      '--service',
      'demo/web',
      '--from',
      'europe',
      '--without',
      'europe/rome',
    );
    expect(code).toBe(1);
    expect(stdout).toContain('The link of "europe" and "rome" is off, and the endpoint is not ready.');
  });

  it('is drawn', async () => {
    const { weft } = fleet();
    const { stdout } = await weft('graph', '--without', 'milan/rome');
    expect(stdout).toContain('"shortcut is off');
    expect(stdout).toMatch(/linkStyle \d stroke:#8c959f,stroke-width:1px/);
    expect((await weft('graph', '--without', 'milan', '-o', 'dot')).stdout).toContain('style="rounded,filled,dotted"');
    expect((await weft('graph', '--without', 'milan', '-o', 'svg')).stdout).toContain('>off</text>');
    expect((await weft('graph', '--without', 'milan', '--plan')).code).toBe(2);
  });
});

describe('weft trace -o', () => {
  it('draws one packet', async () => {
    const { weft } = fleet();
    const mermaid = await weft('trace', 'rome', 'milan', '-o', 'mermaid');
    expect(mermaid).toMatchObject({ code: 0, stderr: '' });
    expect(mermaid.stdout).toMatch(/^flowchart TB\n {2}accTitle: rome\/10\.202\.0\.10 to milan\/10\.202\.0\.10\n/);
    expect(mermaid.stdout).toContain('(out/rome/nftables/milan.nft#58;');
    expect((await weft('trace', 'rome', 'milan', '-o', 'svg')).stdout).toMatch(/^<svg xmlns/);
    const lost = await weft('trace', 'rome', '10.81.0.9', '--without', 'milan/rome', '-o', 'svg');
    expect(lost.code).toBe(1);
    expect(lost.stdout).toContain('is off, so nothing passes');
  });

  it('draws no more than one', async () => {
    const { weft } = fleet(SHARED);
    for (const many of [['--all'], ['--service', 'demo/web']]) {
      const refused = await weft('trace', ...many, '-o', 'svg');
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`-o svg draws one packet, and ${many[0]} traces many`);
    }
  });
});
