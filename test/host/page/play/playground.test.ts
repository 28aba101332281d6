import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { once } from '../../../../src/base/core/once.ts';
// @ts-expect-error The build is plain JavaScript.
import { buildSite, EXAMPLES } from '../../../../src/host/build/site.mjs';
import { axe, browserMissing, screensOf, startBrowser, type WatchedTab } from '../../../support/browser.ts';
import { RUNS_ALL } from '../../../support/drawn.ts';
import { HOSTILE } from '../../../support/hostile-text.ts';
import { workspace } from '../../cli/memory-host.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const IN_PAGE = readFileSync(new URL('../../../browser/in-playground.js', import.meta.url), 'utf8');

/** The words of each remark. */
type Remarks = readonly (readonly string[])[];

interface Example {
  readonly folder: string;
  readonly title: string;
}

let site: string;
let browser: Awaited<ReturnType<typeof startBrowser>> | undefined;

beforeAll(async () => {
  site = await mkdtemp(join(process.env['TMPDIR'] ?? '/tmp', 'weft-site-'));
  await buildSite(ROOT, site);
  if (!browserMissing) browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await rm(site, { recursive: true, force: true });
});

/** One tab for tests that begin with another fleet each, as a person would. */
const reused = once(async () => {
  if (browser === undefined) throw new Error('no browser');
  const page = await browser.open(`file://${join(site, 'playground.html')}`);
  await page.tab.evaluate(IN_PAGE);
  return page;
});

/** Opens a link in that tab, in which nothing is left of the fleet before. */
async function openLink(hash: string): Promise<WatchedTab> {
  const page = await reused();
  await page.tab.evaluate('sessionStorage.clear()');
  await page.openNext(`file://${join(site, 'playground.html')}${hash}`);
  await page.tab.evaluate(IN_PAGE);
  return page;
}

const call = <T>({ tab }: WatchedTab, name: string, ...values: readonly string[]): Promise<T> =>
  tab.evaluate<T>(`playing.${name}(${values.map((it) => JSON.stringify(it)).join(', ')})`);

/** Puts the cursor behind a text in the editor. */
async function putCursor(page: WatchedTab, text: string): Promise<void> {
  const { x, y } = await call<{ readonly x: number; readonly y: number }>(page, 'place', text);
  await page.tab.mouse.click(x, y);
}

/** Nothing was asked for but the page itself and what is in it; no script failed. */
function expectQuiet({ faults, requests }: WatchedTab): void {
  expect(faults).toEqual([]);
  expect(
    requests.filter((it) => !/^(file:\/\/.*playground\.html|blob:|data:,|data:image\/svg\+xml,)/.test(it)),
  ).toEqual([]);
}

/** A link that carries a topology. */
const linkTo = (topology: string): string =>
  `#drafts=${deflateRawSync(JSON.stringify({ topology, keys: '', identities: '' })).toString('base64url')}`;

const filesBelow = (folder: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
      .filter((it) => it.isFile())
      .map((it) => join(it.parentPath, it.name))
      .map((it) => [it.slice(folder.length + 1), readFileSync(it, 'utf8')]),
  );

describe.skipIf(browserMissing)('the playground', () => {
  it('saves what weft compile writes, and starts from fleets that have neither errors nor warnings', async () => {
    const page = await reused();
    for (const { folder, title } of EXAMPLES as readonly Example[]) {
      const kinds = ['', '.keys', '.identities', '.lock'].map((it) => `topology${it}.yaml`);
      const names = readdirSync(join(ROOT, folder)).filter((it) => kinds.includes(it));
      const texts = new Map(names.map((it) => [it, readFileSync(join(ROOT, folder, it), 'utf8')]));
      const fleet = workspace(Object.fromEntries([...texts].map(([name, text]) => [`topologies/${name}`, text])));
      const { code, stderr } = await fleet.weft('compile', '--quiet', '--frozen-lock');
      expect([title, code, stderr]).toEqual([title, 0, '']);

      await call(page, 'start', title, /^name: (.*)$/m.exec(texts.get('topology.yaml') ?? '')?.[1] ?? '');
      const zip = unzipSync(Buffer.from(await call<string>(page, 'save', 'Zip'), 'base64'));
      const found = Object.entries(zip).map(([path, bytes]) => [path, Buffer.from(bytes).toString('utf8')] as const);
      const out = [...filesBelow(join(fleet.folder, 'out'))].map(([path, text]) => [`out/${path}`, text] as const);
      const isDraft = (path: string): boolean => path.startsWith('topologies/') && !path.endsWith('.lock.yaml');
      expect(out.length).toBeGreaterThan(30);
      expect(new Map(found.filter(([path]) => !isDraft(path)))).toEqual(
        new Map([...out, ['topologies/topology.lock.yaml', fleet.read('topologies/topology.lock.yaml')]]),
      );
      const severities = (await call<Remarks>(page, 'remarks')).map(([it]) => it?.split(' ')[0]);
      expect(new Set(severities)).toEqual(new Set(['note']));
    }
    expectQuiet(page);
  });

  it('compiles as one types: a diagnostic at its place, the last good fleet meanwhile, then another bundle', async () => {
    const page = await reused();
    const { keyboard } = page.tab;
    await call(page, 'start', 'Three clusters', 'europe');
    expect(await call<string>(page, 'header')).toBe('europe3 clusters, 3 links');
    await putCursor(page, 'milan:  { podCIDR: 10.202.0.0/16');
    await keyboard.press('End');
    await keyboard.press('Enter');
    await keyboard.type('turin: { podCIDR: 10.203.0.0/33 }');
    await call(page, 'state', '1 error; the page shows the last fleet without errors');
    expect(await call(page, 'marks', '10.203.0.0/33')).toBe(true);
    const [[message = '', , place = ''] = []] = await call<Remarks>(page, 'remarks');
    expect(message).toMatch(/^error .*10\.203\.0\.0\/33/);
    expect(place).toMatch(/^topology\.yaml:10What topology\/bad-cidr means$/);
    expect(await call<string>(page, 'header')).toBe('europe3 clusters, 3 links');
    expect(await call(page, 'isEnabled', 'Zip')).toBe(false);
    expect(await call(page, 'explained', 'topology/bad-cidr')).toContain('four numbers');

    await putCursor(page, '10.203.0.0/33');
    await keyboard.press('Backspace');
    await keyboard.press('Backspace');
    await keyboard.type('16');
    await call(page, 'state', 'Compiled');
    expect(await call<string>(page, 'header')).toBe('europe4 clusters, 4 links');
    const changed = await call<readonly string[]>(page, 'changed');
    expect(changed).toEqual(expect.arrayContaining(['turin/kustomization.yamlnew', 'topology.lock.yamlchanged']));
    const { diff } = await call<{ readonly diff: readonly (readonly string[])[] }>(page, 'file', 'topology.lock.yaml');
    expect(
      diff
        .filter(([kind]) => kind === 'added')
        .map(([, text]) => text)
        .join(''),
    ).toContain('turin');
    const written = await call<{ readonly text: string }>(page, 'file', 'turin/kustomization.yaml');
    expect(written.text).toContain('kind: Kustomization');

    // Later changes are compared with the kept state.
    await call(page, 'press', 'Keep');
    await page.tab.evaluate(`location.hash = 'files'`);
    await call(page, 'shows', 'No file differs from the kept state.');
    await page.tab.reload();
    await page.tab.evaluate(IN_PAGE);
    await call(page, 'state', 'Compiled');
    expect(await call<string>(page, 'header')).toBe('europe4 clusters, 4 links');
    expectQuiet(page);
  });

  it('opens and saves files, carries them in a link, and starts with their lock or without', async () => {
    const text = (name: string): string =>
      readFileSync(join(ROOT, 'src/host/page/play/examples/overlap', name), 'utf8');
    const page = await reused();
    const files = Object.fromEntries(
      ['topology.yaml', 'topology.keys.yaml', 'topology.lock.yaml'].map((it) => [it, text(it)]),
    );
    await call(page, 'open', JSON.stringify({ ...files, 'topology.yaml': text('topology.yaml').trimEnd() }));
    await call(page, 'state', 'Compiled');
    await call(page, 'enabled', 'Start without the lock', 'true');
    expect(Buffer.from(await call<string>(page, 'save', 'Save'), 'base64').toString()).toBe(
      text('topology.yaml').trimEnd(),
    );
    const link = await call<string>(page, 'link');
    await call(page, 'press', 'Start without the lock');
    await call(page, 'enabled', 'Start without the lock', 'false');
    await call(page, 'state', 'Compiled');
    expectQuiet(page);

    const linked = await openLink(link.slice(link.indexOf('#')));
    await call(linked, 'state', 'Compiled');
    expect(await call<string>(linked, 'header')).toBe('twins3 clusters, 3 links');
    expect(await call(linked, 'textIs', text('topology.yaml').trimEnd())).toBe(true);
    expect(await call(linked, 'isEnabled', 'Start without the lock')).toBe(false);
    await call(linked, 'tab', 'Keys');
    expect(await call(linked, 'textIs', text('topology.keys.yaml'))).toBe(true);
    await call(linked, 'tab', 'Lock');
    expect(await call(linked, 'textIs', text('topology.lock.yaml'))).toBe(true);
    expectQuiet(linked);
  });

  it('begins anew with the fleet of somebody else, and walks through it before there are keys', async () => {
    const page = await reused();
    await call(page, 'start', 'Three clusters', 'europe');
    await putCursor(page, 'milan:  { podCIDR: 10.202.0.0/16');
    await page.tab.keyboard.press('Control+A');
    const common = 'podCIDR: 10.1.0.0/16, serviceCIDR: 10.96.0.0/12';
    const clusters = `paris: { ${common}, gateway: 198.51.100.7 }, lyon: { ${common} }`;
    await call(page, 'paste', `version: 1\nname: shop\nhub: paris\nclusters: { ${clusters} }\n`);
    await call(page, 'state', '1 warning');
    const [[message = ''] = []] = await call<Remarks>(page, 'remarks');
    expect(message).toContain('2 of 2 gateways have no public key');
    await page.tab.evaluate(`location.hash = 'changes'`);
    await call(page, 'shows', 'Nothing changes.');
    await page.tab.evaluate(`location.hash = 'trace=lyon,paris'`);
    await call(page, 'shows', 'Keys that are still to be made count as made.');
    await call(page, 'shows', 'delivered');
    await call(page, 'tab', 'Keys');
    expect(await call(page, 'textIs', '')).toBe(true);
    expectQuiet(page);
  });

  it('offers and describes keys', async () => {
    const page = await reused();
    await call(page, 'start', 'Three clusters', 'europe');
    await putCursor(page, '10.202.0.0/16 }');
    await page.tab.keyboard.press('ArrowLeft');
    await page.tab.keyboard.press('ArrowLeft');
    await page.tab.keyboard.type(', gat');
    expect(await call<readonly string[]>(page, 'offers')).toContain('gateway');
    await page.tab.keyboard.press('Enter');
    expect((await call<readonly string[]>(page, 'text')).join('\n')).toContain('10.202.0.0/16, gateway: ');
    const { x, y } = await call<{ readonly x: number; readonly y: number }>(page, 'place', 'serviceCIDR');
    await page.tab.keyboard.press('Escape');
    await page.tab.mouse.move(x - 20, y);
    expect(await call(page, 'described')).toMatch(/Service/);
    expectQuiet(page);
  });

  it('runs and loads nothing that somebody writes', async () => {
    const attacks = [
      '</script><script>alert(1)</script>',
      '<img src=https://evil.example/x onerror=alert(1)>',
      '<svg onload=alert(1)>',
    ];
    const texts = [...attacks, ...Object.values(HOSTILE)];
    const quoted = texts.map((it) => JSON.stringify(it));
    const clusters = quoted.map((it) => `  ${it}: { podCIDR: ${it}, labels: { ${it}: ${it} } }`);
    const page = await openLink(
      linkTo(
        ['version: 1', `name: ${quoted[0]}`, 'clusters:', ...clusters, ...quoted.map((it) => `${it}: 1`)].join('\n'),
      ),
    );
    await call(page, 'state', 'error');
    expect((await call<Remarks>(page, 'remarks')).length).toBeGreaterThanOrEqual(texts.length);
    const elements = await page.tab.evaluate<readonly string[]>(
      `[document.querySelector('#page'), document.querySelector('#editor').shadowRoot].flatMap((it) => [...it.querySelectorAll('*')].map((one) => one.localName))`,
    );
    for (const name of ['script', 'iframe', 'object', 'embed', 'link', 'style', 'svg', 'foreignObject'])
      expect(elements).not.toContain(name);
    expectQuiet(page);
  });

  it('has no violation that axe finds, light and dark, wide and narrow, in the playground and in the pages', async () => {
    const page = await reused();
    await call(page, 'start', 'Three clusters', 'europe');
    await page.tab.evaluate(axe());
    await page.tab.evaluate(`location.hash = 'map'`);
    await call(page, 'shows', 'Map');
    await expectNoViolation(page, 'the map', 0);
    await page.tab.evaluate(`location.hash = 'files'`);
    await call(page, 'shows', 'No file differs from the kept state.');
    await expectNoViolation(page, 'the files', 1);
    // A page of the documentation has tables and code, and axe takes long for a long one.
    const pages = ['index.html', RUNS_ALL ? 'docs/topology.html' : 'docs/library.html', 'diagnostics/index.html'];
    for (const [i, path] of pages.entries()) {
      await page.openNext(`file://${join(site, path)}`);
      await page.tab.evaluate(axe());
      await expectNoViolation(page, path, i + 2);
    }
  });
});

async function expectNoViolation({ tab, faults }: WatchedTab, shown: string, view: number): Promise<void> {
  for (const { colorScheme, width } of screensOf(view)) {
    await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await tab.setViewportSize({ width, height: 800 });
    expect([shown, colorScheme, width, await tab.evaluate(AXE_RUN)]).toEqual([shown, colorScheme, width, []]);
    const isTooWide = await tab.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect([shown, width, isTooWide]).toEqual([shown, width, false]);
  }
  expect(faults).toEqual([]);
}

const AXE_RUN = `axe.run().then((it) => it.violations.flatMap(({ id, nodes }) => nodes.map((one) => id + ' ' + one.html)))`;

describe('the site', () => {
  const pages = (): ReadonlyMap<string, string> =>
    new Map([...filesBelow(site)].filter(([path]) => path.endsWith('.html')));

  it('has no link to a page or a heading that is missing, and no script but that of the playground', () => {
    const all = pages();
    const files = new Set(filesBelow(site).keys());
    const missing: string[] = [];
    let links = 0;
    for (const [path, html] of all) {
      if (path === 'playground.html') continue;
      expect(html, path).not.toMatch(/<script/i);
      for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(?:[a-z]+:)/.test(href)) continue;
        links++;
        const [file = '', anchor] = href.replace(/&amp;/g, '&').split('#');
        const target = file === '' ? path : join(path, '..', decodeURIComponent(file));
        const text = all.get(target);
        const isThere = files.has(target) && (anchor === undefined || text?.includes(` id="${anchor}"`) === true);
        if (!isThere) missing.push(`${path}: ${href}`);
      }
    }
    expect(links).toBeGreaterThan(1000);
    expect(missing).toEqual([]);
  });
});
