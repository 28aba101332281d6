import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/host/cli/command-table.ts';
import { anchorsOf, blocksOf, commandsIn, PAGES, type Page, pageAt, unknownIn } from './pages.ts';

const ROOT = new URL('../../', import.meta.url);
const GUIDES: readonly Page[] = [...PAGES, pageAt('CONTRIBUTING.md'), pageAt('src/README.md')];

/** The targets of a page's links in this repository. */
const linksOf = ({ path, text }: Page) =>
  [...text.replace(/^```.*?^```$/gms, '').matchAll(/(?:\]\(|src=")([^)"\s]+)[)"]/g)]
    .map(([, to = '']) => to)
    .filter((to) => !to.startsWith('https://'))
    .map((to) => ({ from: path, to: new URL(to, new URL(path, ROOT)) }));

describe('the pages', () => {
  it('link to what is there', () => {
    const links = GUIDES.flatMap(linksOf);
    expect(links.length).toBeGreaterThan(15);
    const broken = links.filter(({ to }) => {
      const target = new URL(to.pathname, to);
      if (!existsSync(target)) return true;
      const path = target.pathname.slice(ROOT.pathname.length);
      return to.hash !== '' && !anchorsOf(pageAt(path)).includes(to.hash.slice(1));
    });
    expect(broken.map(({ from, to }) => `${from}: ${to.pathname.slice(ROOT.pathname.length)}${to.hash}`)).toEqual([]);
  });

  it('are all named by the README', () => {
    const named = linksOf(pageAt('README.md')).map(({ to }) => to.pathname.slice(ROOT.pathname.length));
    expect(PAGES.map((it) => it.path).filter((it) => it !== 'README.md' && !named.includes(it))).toEqual([]);
  });

  it('show every command', () => {
    const shown = PAGES.flatMap((page) => commandsIn(page)).join('\n');
    const prose = PAGES.map((it) => it.text).join('\n');
    expect(COMMANDS.map((it) => it.name).filter((it) => !`${shown}\n${prose}`.includes(`weft ${it}`))).toEqual([]);
  });

  it.each(PAGES.map((it) => [it.path, it] as const))('show commands that weft has: %s', (_, page) => {
    const inline = [...page.text.matchAll(/`((?:sudo )?weft [a-z][^`]*)`/g)].map(([, it = '']) =>
      it.replaceAll('\n', ' '),
    );
    const lines = [...commandsIn(page), ...inline].filter((it) => !it.includes('CODE'));
    expect(lines.flatMap((it) => unknownIn(it) ?? [])).toEqual([]);
  });

  it('and an unknown command, option or value would be found', () => {
    expect(unknownIn('weft lint')).toBe('no command: lint');
    expect(unknownIn('sudo weft lab --keeps')).toBe('no option of lab: --keeps');
    expect(unknownIn('weft plan --base HEAD -o yaml | less')).toBe('no value of -o: yaml');
    expect(PAGES.flatMap(blocksOf).length).toBeGreaterThan(30);
  });
});
