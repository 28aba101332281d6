import { countOf, moreLine, shownOf } from '../../base/core/words.ts';
import type { ListedLink } from '../../reach/view/lists.ts';
import type { Answer, Look } from './answer.ts';
import { printLines, printTable, wrapLines } from './layout.ts';
import { type LookReport, lookKeys, withLook, withLookMarkdown } from './live-look.ts';
import { markdownTable } from './markdown-text.ts';
import { keyAdvice } from './view-rows.ts';

/** The most links in a table, unless --verbose is given. */
const MOST_ROWS = 40;

interface ListedLinks {
  /** The cluster whose links are listed; `null` for those of the fleet. */
  readonly of: string | null;
  readonly links: readonly ListedLink[];
  readonly look: LookReport | null;
}

/** `weft view links [CLUSTER]`. */
export const linksAnswer: Answer<'view', ListedLinks> = {
  text: (listed, look) => withLook(printLinks(listed, look), listed.look, look.paint),
  json: ({ links, look }) => ({ links, ...lookKeys(look) }),
  markdown: (listed) => withLookMarkdown(printLinksMarkdown(listed), listed.look),
};

const TITLES = ['WHO DIALS WHOM', 'LINK', 'AT', 'MTU', 'KEYS', 'REMAPS'] as const;

/** A table of links, after their counts. Links that carry nothing come first, so that a shortened table shows them. */
function printLinks(listed: ListedLinks, { paint, verbose }: Look): string {
  const { links } = listed;
  const sorted = [...links.filter(carriesNothing), ...links.filter((it) => !carriesNothing(it))];
  const shown = sorted.slice(0, verbose ? links.length : shownOf(links.length, MOST_ROWS));
  const below = linkLegend(shown, listed.look !== null);
  return printLines([
    ...wrapLines([linkCounts(listed)], paint),
    ...(links.length === 0 ? [] : ['']),
    ...printTable(TITLES, shown.map(linkCells), paint),
    ...wrapLines(
      moreLine(links.length - shown.length, '; -v lists all, "weft view links CLUSTER" those of one'),
      paint,
    ),
    ...(below.length === 0 ? [] : ['', ...wrapLines(below, paint)]),
  ]);
}

/** All links for a pull request or a wiki. */
function printLinksMarkdown(listed: ListedLinks): string {
  const below = linkLegend(listed.links, listed.look !== null);
  return printLines([
    linkCounts(listed),
    ...markdownTable(
      TITLES.map((it) => it.toLowerCase()),
      listed.links.map(linkCells),
    ),
    ...(below.length === 0 ? [] : ['', ...below.map((it) => `- ${it}`)]),
  ]);
}

/** `2 links of rome: 1 hub link, 1 shortcut; 1 without keys`. */
function linkCounts({ of, links }: ListedLinks): string {
  if (links.length === 0) return `${of ?? 'The fleet'} has no links.`;
  const count = (kind: ListedLink['link'], noun: string): readonly string[] => {
    const found = links.filter((it) => it.link === kind).length;
    return found === 0 ? [] : [countOf(found, noun)];
  };
  const kinds = [...count('hub', 'hub link'), ...count('peering', 'peering'), ...count('shortcut', 'shortcut')];
  const keyless = links.filter(carriesNothing).length;
  const all = `${countOf(links.length, 'link')}${of === null ? '' : ` of ${of}`}: ${kinds.join(', ')}`;
  return `${all}${keyless === 0 ? '' : `; ${keyless} without keys`}`;
}

const carriesNothing = ({ keyless }: ListedLink): boolean => keyless.length > 0;

const linkCells = (it: ListedLink): readonly string[] => [
  `${it.client} -> ${it.server}`,
  it.link,
  `${it.address}:${it.port}`,
  String(it.mtu),
  keysCell(it),
  remapsCell(it),
];

function keysCell({ keyless: [first, second], keysSince }: ListedLink): string {
  if (first === undefined) return keysSince === null ? 'both' : `both since ${keysSince}`;
  return second === undefined ? `none in ${first.cluster}` : 'none';
}

/** `rome in milan, milan in rome (2)`: whose networks are remapped where, with their number if it is not one. */
function remapsCell({ remaps }: ListedLink): string {
  const counts = new Map<string, number>();
  for (const { peer, cluster } of remaps) {
    const pair = `${peer} in ${cluster}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return [...counts].map(([pair, count]) => (count === 1 ? pair : `${pair} (${count})`)).join(', ');
}

/** The meaning of cells that are not plain. */
function linkLegend(links: readonly ListedLink[], isLive: boolean): readonly string[] {
  const [remap] = links.flatMap((it) => it.remaps);
  return [
    ...(links.some(carriesNothing)
      ? [`keys: a link carries nothing without the public keys of both gateways; ${keyAdvice(isLive)}`]
      : []),
    ...(remap === undefined
      ? []
      : [
          `remaps: ${remap.peer} in ${remap.cluster}: ${remap.cluster} sees ${remap.cidr} of ${remap.peer} as ${remap.seenAs}; "weft view CLUSTER" has all`,
        ]),
  ];
}
