import { countOf, listOf, moreLine, shownOf } from '../../base/core/words.ts';
import {
  type Forecast,
  type Limit,
  MOST_COUNTED,
  type NextCluster,
  type NextClusters,
} from '../../reach/view/forecast.ts';
import type { Answer, Look } from './answer.ts';
import { printLines, printTable, wrapLines } from './layout.ts';
import { type LookReport, lookKeys, withLook, withLookMarkdown } from './live-look.ts';
import { markdownTable } from './markdown-text.ts';

/** The most clusters in a table, unless --verbose is given. */
const MOST_ROWS = 20;

interface Forecasted {
  /** The cluster whose kind is tried alone; `null` for all kinds. */
  readonly of: string | null;
  readonly forecast: Forecast;
  readonly look: LookReport | null;
}

/** `weft view forecast [CLUSTER]`. */
export const forecastAnswer: Answer<'view', Forecasted> = {
  text: (forecasted, look) => withLook(printForecast(forecasted, look), forecasted.look, look.paint),
  json: ({ forecast, look }) => ({ forecast, ...lookKeys(look) }),
  markdown: (forecasted) => withLookMarkdown(printForecastMarkdown(forecasted), forecasted.look),
};

/** The tables of a forecast, for other pages than a terminal. */
export const forecastWords = (of: string | null, forecast: Forecast) => ({
  room: { titles: ROOM_TITLES, rows: forecast.joined.map(roomCells) },
  next: { titles: NEXT_TITLES, rows: forecast.next.map(nextCells) },
  remarks: forecastRemarks(of, forecast),
});

const ROOM_TITLES = ['JOINED', 'PORTS LEFT', 'PEERS LEFT IN ITS BLOCKS', 'NETWORKS LEFT IN ITS POOLS'] as const;
const NEXT_TITLES = ['NEXT LIKE', 'JOINS', 'FIT', 'THEN USED UP', 'SAME PODS AGAIN', 'OTHER PODS'] as const;

function printForecast({ of, forecast }: Forecasted, { paint, verbose }: Look): string {
  const { room, next, remarks } = forecastWords(of, forecast);
  const shown = room.rows.slice(0, verbose ? room.rows.length : shownOf(room.rows.length, MOST_ROWS));
  const more = moreLine(room.rows.length - shown.length, ' with as much room or more; -v lists all');
  return printLines([
    ...printTable(room.titles, shown, paint),
    ...wrapLines(more, paint),
    ...(shown.length === 0 ? [] : ['']),
    ...printTable(next.titles, next.rows, paint),
    ...(next.rows.length === 0 ? [] : ['']),
    ...wrapLines(remarks, paint),
  ]);
}

function printForecastMarkdown({ of, forecast }: Forecasted): string {
  const { room, next, remarks } = forecastWords(of, forecast);
  return printLines([
    ...[room, next].flatMap(({ titles, rows }) => markdownTable(titles.map(lower), rows)),
    ...remarks.map((it) => `- ${it}`),
  ]);
}

const lower = (title: string): string => title.toLowerCase();

const roomCells = ({ cluster, ports, peers, networks }: Forecast['joined'][number]): readonly string[] => [
  cluster,
  ports === null ? '' : `${ports.left} of ${ports.first}-${ports.last}`,
  String(peers),
  `${networks.left} of /${networks.length}`,
];

const nextCells = ({ like, alike, joins, fits, limit, again, distinct }: NextClusters): readonly string[] => [
  alike === 1 ? like : `${like} (${alike} alike)`,
  joins.join(', '),
  limit === null ? `${MOST_COUNTED} or more` : String(fits),
  limitText(limit),
  costText(again),
  distinct === null ? 'none left' : `${distinct.podCIDRs.join(', ')}: ${costText(distinct)}`,
];

function limitText(limit: Limit | null): string {
  switch (limit?.kind) {
    case undefined:
      return '';
    case 'ports':
      return `ports of ${limit.cluster}`;
    case 'addresses':
      return `addresses in blocks of ${limit.cluster}`;
    case 'networks':
      return `networks of /${limit.length} in pools of ${limit.cluster}`;
    case 'blocks':
      return `blocks of /${limit.length} for auto`;
  }
}

function costText(cost: NextCluster['again']): string {
  if (cost === null) return 'does not fit';
  const parts = [
    ...(cost.remaps.length === 0 ? [] : [countOf(cost.remaps.length, 'remap')]),
    ...(cost.ordered.length === 0 ? [] : [countOf(cost.ordered.length, 'ordered link')]),
  ];
  return parts.length === 0 ? 'no remap' : parts.join(', ');
}

/** The meaning of the tables, and for one kind of cluster every consequence. */
function forecastRemarks(of: string | null, { blocks, joined, next, leftOut }: Forecast): readonly string[] {
  const costs = next.flatMap((it) => [it.again, it.distinct].flatMap((cost) => cost ?? []));
  return [
    ...(next.length > 0
      ? []
      : [
          of === null
            ? NO_JOINS
            : `${of} has joined no cluster: it is no spoke, and has no peering. A forecast is about clusters that join.`,
        ]),
    ...(of === null ? [] : costs.flatMap(consequences)),
    ...(next.length === 0
      ? []
      : ['fit: clusters that join one after another, each with the pod CIDR of the one that it is like']),
    ...(costs.some((it) => it.ordered.length > 0)
      ? [
          'ordered link: its views depend on the order in which Configurations are applied: weft explain ipam/order-dependent',
        ]
      : []),
    ...(leftOut === 0 ? [] : [`${countOf(leftOut, 'further kind')} of clusters: weft view forecast CLUSTER`]),
    ...(of === null && next.length > 0 ? ['each remap and ordered link: weft view forecast CLUSTER'] : []),
    ...(joined.length === 0
      ? []
      : ['blocks of a cluster: its external and internal CIDR, with an address for each peer']),
    `blocks for \`auto\`: ${blocks.left} of /${blocks.length} are left in ${listOf(blocks.from)}`,
  ];
}

const NO_JOINS = 'No cluster has joined another one: there are no hub links and no peerings.';

const consequences = ({ podCIDRs, remaps, ordered }: NonNullable<NextCluster['again']>): readonly string[] => {
  const withPods = `with pods ${podCIDRs.join(', ')}`;
  const each = [
    ...remaps.map((it) => `${it.cluster} sees ${it.kind} CIDR ${it.cidr} of ${it.peer} as ${it.seenAs}`),
    ...ordered.map((it) => `the view of ${it.peer} in ${it.cluster} depends on the order`),
  ];
  return each.length === 0 ? [`${withPods}: no remap`] : each.map((it) => `${withPods}: ${it}`);
};
