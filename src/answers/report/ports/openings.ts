import { groupBy } from '../../../base/core/collections.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { someOf } from '../../../base/core/words.ts';
import { bug } from '../../../base/diagnostics/outcome.ts';
import {
  type Destination,
  destinationsOf,
  type Opening,
  type Place,
  printPortRanges,
  targetInside,
} from '../../../reach/ports/openings.ts';
import type { Answer } from '../answer.ts';
import { printCsv, printTable, wrapText } from '../layout.ts';
import { markdownTable, markdownText } from '../markdown-text.ts';
import type { Paint } from '../paint.ts';
import { printIptables, printNftables } from './firewall-rules.ts';
import { openingRemarks, PURPOSES, targetText, UNKNOWN } from './opening-remarks.ts';

/** The greatest width of wrapped sentences in terminal cells. */
const WIDTH = 80;

/** Openings for the firewalls of some clusters; without clusters, of the fleet. */
interface OpeningList {
  readonly openings: readonly Opening[];
  readonly clusters: readonly string[];
}

interface FleetOpenings extends OpeningList {
  /** Name of the fleet. */
  readonly fleet: string;
}

/** `weft ports`. */
export const portsAnswer: Answer<'ports', FleetOpenings> = {
  text: (list, { paint }) => printOpenings(list, paint),
  json: ({ openings }) => openingsDocument(openings),
  csv: ({ openings }) => printOpeningsCsv(openings),
  markdown: printOpeningsMarkdown,
  nftables: (list) => printNftables(firewallOf(list)),
  iptables: (list) => printIptables(firewallOf(list)),
};

/** The first cluster's firewall, for the second cluster or all. */
function firewallOf({ fleet, openings, clusters: [cluster, peer] }: FleetOpenings) {
  return { fleet, cluster: cluster ?? bug('rules for the firewall of no cluster'), peer: peer ?? null, openings };
}

/** Prints the openings, then the path behind the addresses, then remarks. */
export function printOpenings(list: OpeningList, paint: Paint): string {
  const table = ({ titles, rows }: OpeningTable) => printTable(titles, rows, paint);
  const width = Math.min(WIDTH, paint.columns ?? WIDTH);
  const wrapped = (sentences: readonly string[]) => sentences.flatMap((it) => wrapText(visibleText(it), width));
  return joinedParts([
    ...sectionsOf(list).map(({ title, ...it }) =>
      it.rows.length === 0 ? [`${title}: nothing`] : [paint.strong(title), ...table(it)],
    ),
    table(destinationTable(destinationsOf(list.openings))),
    wrapped(behindLines(list.openings)),
    wrapped(openingRemarks(list.openings)),
  ]);
}

/** Prints the openings for a ticket or a wiki. */
export function printOpeningsMarkdown(list: OpeningList): string {
  const table = ({ titles, rows }: OpeningTable): readonly string[] =>
    markdownTable(
      titles.map((it) => it.toLowerCase()),
      rows.map((row) => row.map(markdownText)),
    ).slice(1);
  const remarks = [...behindLines(list.openings), ...openingRemarks(list.openings)];
  return joinedParts([
    ...sectionsOf(list).flatMap(({ title, ...it }) => [
      [`### ${title}`],
      it.rows.length === 0 ? ['Nothing.'] : table(it),
    ]),
    table(destinationTable(destinationsOf(list.openings))),
    remarks.map((it) => `- ${markdownText(it)}`),
  ]);
}

/** One table for the fleet, or one per direction of a cluster. Outgoing packets do not have their outer source yet. */
function sectionsOf({ openings, clusters }: OpeningList): readonly (OpeningTable & { readonly title: string })[] {
  if (clusters.length === 0) {
    return [{ title: 'Between the clusters', ...openingTable(openings, ['from', 'source', 'to']) }];
  }
  return clusters.flatMap((cluster) => [
    {
      title: `Out of ${cluster}`,
      ...openingTable(
        openings.filter((it) => it.from === cluster),
        ['to'],
      ),
    },
    {
      title: `Into ${cluster}`,
      ...openingTable(
        openings.filter((it) => it.to === cluster),
        ['from', 'source'],
      ),
    },
  ]);
}

/** The openings of a fleet for a page that lays them out itself. */
export const openingsWords = (openings: readonly Opening[]) => ({
  openings: openingTable(openings, ['from', 'to']),
  destinations: destinationTable(destinationsOf(openings)),
  remarks: [...behindLines(openings), ...openingRemarks(openings)],
});

/** Separates parts with empty lines; empty parts are left out. */
const joinedParts = (parts: readonly (readonly string[])[]): string =>
  `${parts
    .filter((it) => it.length > 0)
    .map((it) => it.join('\n'))
    .join('\n\n')}\n`;

/** The most runs of ports that are printed per address; a hub has one port for each of its spokes. */
const NAMED_PORTS = 3;

interface OpeningTable {
  readonly titles: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

type Column = readonly [title: string, cell: (opening: Opening) => string];

const ENDS = {
  from: ['FROM', (it) => it.from],
  source: ['SOURCE', ({ sources }) => sources[0] ?? UNKNOWN],
  to: ['TO', (it) => it.to],
} as const satisfies Readonly<Record<string, Column>>;

/**
 * One row for each opening, starting with these columns, and one more for each further source. Addresses are last,
 * because DNS names can be long.
 */
function openingTable(openings: readonly Opening[], ends: readonly (keyof typeof ENDS)[]): OpeningTable {
  const columns: readonly Column[] = [
    ...ends.map((it) => ENDS[it]),
    ['WHAT', (it) => PURPOSES[it.purpose]],
    ['PORT', ({ protocol, dialled }) => `${protocol.toUpperCase()} ${dialled.port ?? UNKNOWN}`],
    ['ADDRESS', ({ dialled }) => dialled.address ?? UNKNOWN],
  ];
  return {
    titles: columns.map(([title]) => title),
    rows: openings.flatMap((it) => [
      columns.map(([, cell]) => cell(it)),
      ...(ends.includes('source') ? it.sources.slice(1) : []).map((source) =>
        columns.map(([title]) => (title === 'SOURCE' ? source : '')),
      ),
    ]),
  };
}

/** The ports at each address that several openings share. */
function destinationTable(destinations: readonly Destination[]): OpeningTable {
  const shared = destinations.filter((it) => it.count > 1 && it.address !== null);
  return {
    titles: ['AT ADDRESS', 'OF', 'PORTS', 'CHOSEN FROM'],
    rows: shared.map(({ address, to, protocol, ports, range }) => [
      address ?? UNKNOWN,
      to,
      `${protocol.toUpperCase()} ${someOf(printPortRanges(ports), NAMED_PORTS)}`,
      range === null ? '' : `${range.first}-${range.last}`,
    ]),
  };
}

const TITLES = [
  'purpose',
  'protocol',
  'from',
  'source',
  'to',
  'address',
  'port',
  'inside_address',
  'inside_port',
  'behind',
  'remark',
] as const;

/** One row for each opening, even if only the clusters differ. Unknown values are empty cells. */
export const printOpeningsCsv = (openings: readonly Opening[]): string => printCsv([TITLES, ...openings.map(csvRow)]);

function csvRow(opening: Opening): readonly string[] {
  const { purpose, protocol, from, to, sources, dialled, recorded } = opening;
  const inside = targetInside(opening);
  return [
    purpose,
    protocol,
    from,
    sources.join(' '),
    to,
    dialled.address ?? '',
    textOf(dialled.port),
    inside.address ?? '',
    textOf(inside.port),
    behindText(opening),
    recorded ? '' : 'the lock does not have this port yet',
  ];
}

const textOf = (port: number | null): string => (port === null ? '' : String(port));

/** The most addresses in one line; each link behind NAT may have its own. */
const NAMED = 3;

/** Describes the path of packets behind the dialled addresses, with one line per path. */
function behindLines(openings: readonly Opening[]): readonly string[] {
  const known = openings.filter((it) => it.places.length > 0);
  return [...groupBy(known, (it) => [behindText(it)])].map(([path, all]) => {
    const addresses = new Set(all.map((it) => (it.nat ? targetText(it.dialled) : (it.dialled.address ?? UNKNOWN))));
    return `Behind ${someOf([...addresses], NAMED)}: ${path}.`;
  });
}

/** `NAT, nodes (192.168.7.4, port 30742), Service (port 51840), gateway pod (same port)`: the port that is dialled. */
function behindText({ places, nat, dialled }: Opening): string {
  const texts = places.map((it, index) => {
    const address = index === 0 && nat ? `${it.address ?? 'unknown address'}, ` : '';
    const port = it.port === dialled.port ? 'same port' : `port ${it.port ?? 'chosen by Kubernetes'}`;
    return `${KINDS[it.kind]} (${address}${port})`;
  });
  return [...(nat ? ['NAT'] : []), ...texts].join(', ');
}

const KINDS: Readonly<Record<Place['kind'], string>> = {
  'load-balancer': 'load balancer',
  node: 'nodes',
  service: 'Service',
  pod: 'gateway pod',
};

/** The openings as data. Programs rely on it: keys are added, never removed or changed in meaning. */
interface OpeningsDocument {
  readonly openings: readonly OpeningRow[];
  readonly destinations: readonly DestinationRow[];
}

interface OpeningRow {
  readonly purpose: Opening['purpose'];
  readonly protocol: Opening['protocol'];
  readonly from: string;
  readonly to: string;
  readonly sources: readonly string[];
  readonly address: string | null;
  readonly port: number | null;
  readonly insideAddress: string | null;
  readonly insidePort: number | null;
  readonly nat: boolean;
  readonly behind: readonly Place[];
  readonly decidedBy: Opening['decidedBy'];
  readonly recorded: boolean;
}

interface DestinationRow {
  readonly to: string;
  readonly protocol: Opening['protocol'];
  readonly address: string | null;
  readonly ports: readonly string[];
  readonly chosenFrom: string | null;
}

export const openingsDocument = (openings: readonly Opening[]): OpeningsDocument => ({
  openings: openings.map(openingRow),
  destinations: destinationsOf(openings).map(({ to, protocol, address, ports, range }) => ({
    to,
    protocol,
    address,
    ports: printPortRanges(ports),
    chosenFrom: range === null ? null : `${range.first}-${range.last}`,
  })),
});

function openingRow(opening: Opening): OpeningRow {
  const { purpose, protocol, from, to, sources, dialled, nat, places, decidedBy, recorded } = opening;
  const inside = targetInside(opening);
  return {
    purpose,
    protocol,
    from,
    to,
    sources,
    address: dialled.address,
    port: dialled.port,
    insideAddress: inside.address,
    insidePort: inside.port,
    nat,
    behind: places.map(({ kind, address, port }) => ({ kind, address, port })),
    decidedBy,
    recorded,
  };
}
