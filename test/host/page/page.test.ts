import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEWS } from '../../../src/host/page/route.ts';
import { axe, browserMissing, screensOf, startBrowser, type WatchedTab } from '../../support/browser.ts';
import { drawn, firstOfEach, RUNS_ALL } from '../../support/drawn.ts';
import { dumpsOf } from '../../support/dumps-of.ts';
import { goldenSources } from '../../support/golden.ts';
import { HOSTILE } from '../../support/hostile-text.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';

/** Fleets with every kind of link, remaps, loans, and clusters that do not reach each other; a push opens the first ones. */
const FLEETS = [
  'equal-networks-everywhere-are-remapped',
  'sharing-of-a-hub-with-its-spokes',
  'two-hubs-with-tiers',
  'warns-missing-keys',
  'a-retired-cluster-leaves',
  'deck-two-one-pod-cidr-everywhere',
  'ends-behind-nat',
  'included-files-are-one-fleet',
  'links-with-options',
  'notes-order-dependent-views',
  'several-pod-cidrs',
  'sharing-with-argo-and-flux',
  'shortcuts-in-a-star-with-operator',
].slice(0, RUNS_ALL ? Infinity : 2);

/** Parts of one fleet that are switched off. */
const MOST_FAILURES = RUNS_ALL ? 4 : 2;

/** Walks of one fleet; a fleet of ten clusters has ninety. */
const MOST_WALKS = RUNS_ALL ? 16 : 3;

type Workspace = ReturnType<typeof workspace>;

/** A folder with the sources of a golden. */
function fleetFolder(golden: string): Workspace {
  const { included, ...sources } = goldenSources(golden);
  const files = [...included, ...Object.values(sources)].flatMap((it) => it ?? []);
  return workspace(Object.fromEntries(files.map((it) => [`topologies/${it.path}`, it.text])));
}

const jsonOf = async ({ weft }: Workspace, ...argv: readonly string[]) =>
  JSON.parse((await weft(...argv, '-o', 'json')).stdout);

let browser: Awaited<ReturnType<typeof startBrowser>>;
let opened: WatchedTab | undefined;

/** Makes the page of a fleet and opens it. */
async function openPage(fleet: Workspace, options: readonly string[] = [], hash = '', most = 1): Promise<WatchedTab> {
  const { code, stderr } = await fleet.weft('report', '--quiet', ...options);
  expect(code, stderr).toBeLessThanOrEqual(most);
  const url = `file://${join(fleet.folder, 'weft-report.html')}${hash}`;
  if (opened === undefined) opened = await browser.open(url);
  else await opened.openNext(url);
  return opened;
}

/** Nothing was asked for but the page itself and the worker in it; no script failed. */
function expectQuiet({ faults, requests }: WatchedTab): void {
  expect(faults).toEqual([]);
  expect(requests.filter((it) => !/^(file:\/\/.*weft-report\.html|blob:|data:,)/.test(it))).toEqual([]);
}

/** The elements of a page with which axe finds fault. */
const violations = ({ tab }: WatchedTab): Promise<readonly string[]> =>
  tab.evaluate(
    `axe.run().then((it) => it.violations.flatMap(({ id, nodes }) => nodes.map((one) => id + ' ' + one.html)))`,
  );

/** A cell of Markdown as a reader sees it. */
const plain = (text: string): string =>
  text
    .replace(/<span>\$<\/span>/g, '$')
    .replace(/\u200b/g, '')
    .replace(/\\([\\`*_[\]|~#])/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();

/** The parts of `weft trace -o markdown`. */
function walkIn(markdown: string) {
  const [head = '', ...tables] = markdown.split(/^\*\*(?:There|Back)\*\*$/m);
  const [title = '', verdict = '', ...remarks] = head.split('\n\n').map((it) => plain(it.replace(/^### /, '')));
  return {
    title,
    verdict: verdict.replace(/\.$/, '').replace(/^./, (it) => it.toLowerCase()),
    remarks: remarks.filter((it) => it !== ''),
    hops: tables.map((it) =>
      it
        .split('\n')
        .filter((line) => /^\| \d/.test(line))
        .map((line) => line.slice(2, -2).split(' | ').map(plain)),
    ),
  };
}

interface ShownWalk {
  readonly title: string;
  readonly verdict: string;
  readonly remarks: readonly string[];
  readonly hops: readonly (readonly (readonly string[])[])[];
}

describe.skipIf(browserMissing)('the page of weft report', () => {
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());

  describe.each(FLEETS)('%s', (golden) => {
    it('shows the walks of weft trace and the views of weft view', async () => {
      const fleet = fleetFolder(golden);
      const page = await openPage(fleet);
      const { pairs } = await jsonOf(fleet, 'trace', '--all');
      const found = await page.tab.evaluate<readonly (readonly string[])[]>('shown.pairs()');
      expect(found.filter(([from, to]) => from !== to)).toEqual(pairs.map(pairCells));

      const walks = pairs.slice(0, MOST_WALKS).map((it: Pair) => [it.from, it.to]);
      const shown = await page.tab.evaluate<readonly ShownWalk[]>(`shown.walks(${JSON.stringify(walks)})`);
      for (const [i, [from, to]] of walks.entries()) {
        const { stdout } = await fleet.weft('trace', from, to, '-o', 'markdown');
        expect([from, to, shown[i]]).toEqual([from, to, walkIn(stdout)]);
      }

      const { clusters } = await jsonOf(fleet, 'view');
      for (const { cluster, retired } of clusters as readonly Listed[]) {
        if (retired) continue;
        const { views } = await jsonOf(fleet, 'view', cluster);
        const { boxes, tables } = await page.tab.evaluate<ShownView>(`shown.view(${JSON.stringify(cluster)})`);
        const [view]: readonly View[] = views;
        const rows = (view?.peers ?? []).map((it) => [
          it.peer,
          seenCells(it.views, 'pod'),
          seenCells(it.views, 'external'),
          seenCells(it.seenBy.views, 'pod'),
        ]);
        expect([cluster, (rows.length === 0 ? [] : (tables[0] ?? [])).map((row) => row.slice(0, 4))]).toEqual([
          cluster,
          rows,
        ]);
        // The picture has the same addresses as the table, where it has room for single clusters.
        for (const { peer, views: seen, keyless } of view?.peers ?? []) {
          const box = boxes.find((it) => it.startsWith(`${peer},`));
          const pods = seen.filter((it) => it.kind === 'pod').map((it) => it.seenAs);
          if (box !== undefined && keyless.length === 0) expect(box).toContain(`pods ${pods.join(', ')}`);
        }
      }
      const { failures } = await jsonOf(fleet, 'whatif');
      const names = (failures as readonly Failure[]).map((it) => it.without.name);
      const parts = await page.tab.evaluate<readonly (readonly string[])[]>('shown.failures()');
      expect(parts.map((row) => row.slice(0, 2))).toEqual((failures as readonly Failure[]).map(failureCells));
      for (const name of names.slice(0, MOST_FAILURES)) {
        const words = await page.tab.evaluate<string>(`shown.without(${JSON.stringify(name)})`);
        const { stdout } = await fleet.weft('whatif', '--without', name, '-o', 'markdown');
        expect([name, words]).toEqual([name, plain(stdout.split('\n')[0] ?? '')]);
        const ends = walks[0] ?? [];
        const [detour] = await page.tab.evaluate<readonly ShownWalk[]>(
          `shown.walks(${JSON.stringify([[...ends, name]])})`,
        );
        const printed = await fleet.weft('trace', ...ends, '--without', name, '-o', 'markdown');
        expect([name, detour]).toEqual([name, walkIn(printed.stdout)]);
      }
      expectQuiet(page);
    });
  });

  it('runs and loads nothing that a topology contains', async () => {
    const all = [...ATTACKS, ...Object.values(HOSTILE)];
    const fleet = workspace({ 'topologies/topology.yaml': '' });
    // Texts that weft refuses are in no page.
    let accepted = all;
    for (let before = 0; before !== accepted.length; ) {
      fleet.write('topologies/topology.yaml', withReasons(accepted));
      const { diagnostics } = await jsonOf(fleet, 'validate');
      const lines = new Set(diagnostics.flatMap((it: Reported) => (it.severity === 'error' ? [it.line] : [])));
      before = accepted.length;
      accepted = accepted.filter((_, i) => !lines.has(FIRST_REASON + i));
    }
    expect(accepted.length).toBeGreaterThan(30);
    expect(accepted).toEqual(expect.arrayContaining(ATTACKS));
    // The base has another topology in a folder whose name is hostile, too.
    fleet.write(`${HOSTILE_FOLDER}/topologies/topology.yaml`, withReasons(accepted.slice(1)));
    const page = await openPage(fleet, ['--base-dir', HOSTILE_FOLDER]);
    const typed = ATTACKS.flatMap((it) => VIEWS.map((view) => ({ view, hash: `${view}=${it},${it}` })));
    const typedHashes = drawn(
      typed,
      firstOfEach((it) => it.view),
    ).map((it) => it.hash);
    // The page itself has all of them in its reasons.
    const inTraces = drawn(all, (it) => ATTACKS.includes(it));
    for (const hash of [...HASHES, ...typedHashes, ...inTraces.map((it) => `trace=${it},${it}`)])
      await page.tab.evaluate(`shown.go(${JSON.stringify(hash)})`);
    await page.tab.evaluate('shown.go("changes", () => document.querySelectorAll("h2").length === 2)');
    expect(await page.tab.evaluate('shown.texts("h2")')).toContain(`Before (${HOSTILE_FOLDER})`);
    await page.tab.evaluate('shown.go("warnings")');
    const reasons = await page.tab.evaluate<readonly string[]>('shown.texts(".remarks .quiet")');
    for (const it of ATTACKS) expect(reasons).toContain(`Accepted: ${it}`);
    await expectNothingThatLoads(page);
    expectQuiet(page);
  });

  it('has no label of a cluster that could be an element', async () => {
    const fleet = workspace({ 'topologies/topology.yaml': '' });
    for (const it of ATTACKS) {
      const label = JSON.stringify(it);
      fleet.write(
        'topologies/topology.yaml',
        ONE_CLUSTER.replace('{ region: eu }', () => `{ ${label}: a, team: ${label} }`),
      );
      const { code, stderr } = await fleet.weft('report');
      expect([code, stderr.match(/is not the (?:key|value) of a label/g)?.length]).toEqual([1, 2]);
    }
  });

  it('has no violation that axe finds, light and dark, wide and narrow', async () => {
    const fleet = fleetFolder('sharing-with-every-option');
    fleet.write('before/topologies/topology.yaml', goldenSources('sharing-of-a-hub-with-its-spokes').topology.text);
    const page = await openPage(fleet, ['--base-dir', 'before']);
    const { plan } = await jsonOf(fleet, 'plan', '--base-dir', 'before', '--allow-destroy');
    // A page with a base opens there.
    expect(await page.tab.evaluate('shown.texts("main h1")')).toEqual(['Before and after']);
    await page.tab.evaluate('shown.go("changes", () => document.querySelectorAll("main table").length === 2)');
    const changes = await page.tab.evaluate<readonly (readonly string[])[]>('shown.tables()[0]');
    expect(changes).toEqual((plan.changes as readonly Change[]).map((it) => [plain(it.text), plain(it.why)]));
    await page.tab.evaluate(axe());
    for (const [i, hash] of HASHES.entries()) {
      for (const { colorScheme, width } of screensOf(i)) {
        await page.tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.tab.setViewportSize({ width, height: 800 });
        await page.tab.evaluate(`shown.go(${JSON.stringify(hash)})`);
        expect([hash, colorScheme, width, await violations(page)]).toEqual([hash, colorScheme, width, []]);
        const isTooWide = await page.tab.evaluate('document.documentElement.scrollWidth > innerWidth');
        expect([hash, width, isTooWide]).toEqual([hash, width, false]);
      }
    }
    expectQuiet(page);
  });

  it('shows the drift that weft drift found when it was made', async () => {
    const files = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });
    const dumps = dumpsOf(files, (it, cluster) =>
      it.kind === 'GatewayClient' && cluster !== 'milan'
        ? [{ ...it, spec: { ...it.spec, mtu: ATTACKS.join(' ') } }]
        : it.kind === 'FirewallConfiguration' && cluster === 'milan'
          ? []
          : [it],
    );
    const fleet = workspace({ ...files, ...dumps });
    const page = await openPage(fleet, ['--live', 'dumps/'], '#live', 2);
    const { drift } = await jsonOf(fleet, 'drift', '--live', 'dumps/');
    const problems = (drift.clusters as readonly Drifted[]).flatMap(({ cluster, problems: all }) =>
      all.map((it) => [cluster, plain(it.message)]),
    );
    expect(problems.length).toBeGreaterThan(1);
    const [, shown = []] = await page.tab.evaluate<readonly (readonly (readonly string[])[])[]>('shown.tables()');
    expect(shown.map((row) => row.slice(0, 2))).toEqual(problems);
    expect(shown.flat().join()).toContain('<img src=');
    expect(await page.tab.evaluate('shown.texts(".notice")')).toEqual([
      expect.stringContaining('The dump has no firewallconfigurations.networking.liqo.io of "milan"'),
    ]);
    await expectNothingThatLoads(page);
    await page.tab.evaluate(axe());
    expect(await violations(page)).toEqual([]);
    expectQuiet(page);
  });

  it('opens at the walk of its address, and answers one of a cluster that is not there with a sentence', async () => {
    const page = await openPage(fleetFolder('deck-two-one-pod-cidr-everywhere'), [], '#trace=hub/10.200.0.5,cluster2');
    await page.tab.waitForSelector('.verdict');
    expect((await page.tab.evaluate<readonly string[]>('shown.texts("h2")'))[0]).toMatch(
      /^hub\/10\.200\.0\.5 to cluster2\//,
    );
    await page.tab.evaluate('shown.go("trace=paris,hub", () => document.querySelector(".notice") !== null)');
    expect(await page.tab.evaluate('shown.texts(".notice")')).toEqual(['The topology has no cluster "paris".']);
    expectQuiet(page);
  });

  it('opens without the parts of --without, and answers a part that is not there with a sentence', async () => {
    const fleet = fleetFolder('deck-two-one-pod-cidr-everywhere');
    const page = await openPage(fleet, ['--without', 'hub', '--without', 'cluster2']);
    await page.tab.waitForSelector('main [role=status] p');
    expect(await page.tab.evaluate('location.hash')).toBe('#without=hub,cluster2');
    expect(await page.tab.evaluate('shown.texts("h1, .chips li")')).toEqual(['What if', 'hub ×', 'cluster2 ×']);
    for (const hash of ['without=paris', 'trace=hub,cluster2,paris']) {
      await page.tab.evaluate(`shown.go('${hash}', () => document.querySelector('.notice') !== null)`);
      expect(await page.tab.evaluate('shown.texts(".notice")')).toEqual(['No part is called "paris".']);
    }
    expectQuiet(page);
  });

  it('is used with the keyboard alone', async () => {
    const page = await openPage(fleetFolder('deck-two-one-pod-cidr-everywhere'));
    const focused = () =>
      page.tab.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    await page.tab.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the content');
    await page.tab.keyboard.press('Enter');
    expect(await focused()).toBe('Map');
    await page.tab.waitForSelector('.picture');
    await page.tab.evaluate('document.querySelector(".picture").focus()');
    const width = () => page.tab.evaluate<number>('document.querySelector(".picture").viewBox.baseVal.width');
    const whole = await width();
    await page.tab.keyboard.press('+');
    expect(await width()).toBeLessThan(whole);
    await page.tab.keyboard.press('0');
    expect(await width()).toBe(whole);
    // The next stop is a cluster in the picture, which leads to its view.
    await page.tab.keyboard.press('Tab');
    const cluster = (await focused()).split(',')[0];
    await page.tab.keyboard.press('Enter');
    await page.tab.evaluate('shown.go(location.hash.slice(1))');
    expect(await page.tab.evaluate('location.hash')).toBe(`#eyes=${cluster}`);
    expect(await focused()).toBe('Whose eyes');
    expectQuiet(page);
  });
});

/** Texts that run or load something where they are taken for markup. */
const ATTACKS = [
  '</script><script>alert(1)</script>',
  '<img src=https://evil.example/x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<!--<script>',
  ']]><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  '$& $` $1',
];

const ONE_CLUSTER = `version: 1
name: europe
clusters:
  rome: { podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto, labels: { region: eu } }
`;

const HOSTILE_FOLDER = '<img src=x onerror=alert(1)>';

async function expectNothingThatLoads({ tab }: WatchedTab): Promise<void> {
  const elements = await tab.evaluate<readonly string[]>(
    `[...new Set([...document.querySelectorAll('main *')].map((it) => it.localName))]`,
  );
  for (const name of ['script', 'img', 'iframe', 'object', 'embed', 'link', 'style', 'foreignObject'])
    expect(elements).not.toContain(name);
}

/** Every view, those of the navigation and those with a choice. */
const HASHES: readonly string[] = [...VIEWS, 'trace=rome,milan', 'without=rome', 'warnings=keys/missing'];

interface Reported {
  readonly severity: string;
  readonly line: number;
}

/** The line of the first reason in the topology below. */
const FIRST_REASON = 7;

/** A fleet with a cluster for each text, whose note is accepted for this reason. */
const withReasons = (texts: readonly string[]): string =>
  [
    'version: 1',
    'name: europe',
    'hub: c0',
    'gitops: { repository: https://example.com/network.git }',
    'defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }',
    'accept:',
    ...texts.map((it, i) => `  - { code: topology/nothing-reserved, cluster: c${i}, reason: ${JSON.stringify(it)} }`),
    'clusters:',
    ...texts.map((_, i) => `  c${i}: { podCIDR: 10.${128 + i}.0.0/16, gateway: 203.0.113.${i + 1} }`),
    '',
  ].join('\n');

interface Pair {
  readonly from: string;
  readonly to: string;
  readonly fate: string;
  readonly route: { readonly kind: string; readonly link?: string; readonly hub?: string };
}

function pairCells({ from, to, fate, route }: Pair): readonly string[] {
  const text = fate !== 'delivered' ? fate : route.kind === 'through' ? `by ${route.hub}` : (route.link ?? '');
  return [from, to, text];
}

interface Failure {
  readonly without: { readonly kind: string; readonly name: string };
  readonly cut: number;
}

const failureCells = ({ without: { kind, name }, cut }: Failure): readonly string[] => [
  `${kind} ${name}`,
  cut === 0 ? 'nothing' : `${cut} ${cut === 1 ? 'pair' : 'pairs'}`,
];

interface Drifted {
  readonly cluster: string;
  readonly problems: readonly { readonly message: string }[];
}

interface Change {
  readonly text: string;
  readonly why: string;
}

interface Listed {
  readonly cluster: string;
  readonly retired: boolean;
}

interface ShownView {
  readonly boxes: readonly string[];
  readonly tables: readonly (readonly unknown[])[][];
}

interface SeenCidr {
  readonly kind: string;
  readonly cidr: string;
  readonly seenAs: string;
}

interface View {
  readonly peers: readonly {
    readonly peer: string;
    readonly keyless: readonly unknown[];
    readonly views: readonly SeenCidr[];
    readonly seenBy: { readonly views: readonly SeenCidr[] };
  }[];
}

/** A network, followed by the peer's own one where that is another. */
const seenCells = (views: readonly SeenCidr[], kind: string) =>
  views.filter((it) => it.kind === kind).map((it) => (it.cidr === it.seenAs ? [it.cidr] : [it.seenAs, it.cidr]));
