import type { ListedCluster } from '../../reach/view/list-clusters.ts';
import { markdownTable } from './markdown-table.ts';
import type { Paint } from './paint.ts';
import { printTable } from './print-table.ts';
import { wrapLines } from './wrap-text.ts';

const TITLES = ['CLUSTER', 'PODS', 'GATEWAY', 'HUB', 'LINKS', ''] as const;

const NEXT = 'run "weft view CLUSTER" for how one of them sees its peers';

/** `weft view`: the clusters of the fleet, one a row. */
export const printClusters = (clusters: readonly ListedCluster[], paint: Paint): string =>
  lines([
    ...(clusters.length === 0 ? ['The fleet has no clusters.'] : printTable(TITLES, clusters.map(rowOf), paint)),
    ...(clusters.length === 0 ? [] : ['', ...wrapLines([NEXT], paint)]),
  ]);

/** The same table for a pull request or a wiki. */
export const printClustersMarkdown = (clusters: readonly ListedCluster[]): string =>
  lines(
    markdownTable(
      TITLES.map((it) => it.toLowerCase()),
      clusters.map(rowOf),
    ).slice(1),
  );

const rowOf = (it: ListedCluster): readonly string[] => [
  it.cluster,
  it.podCIDRs.join(', '),
  it.gateway ?? '-',
  it.isHub ? 'is one' : it.hubs.join(', ') || '-',
  String(it.links),
  it.retired ? 'retired' : '',
];

const lines = (it: readonly string[]): string => it.map((line) => `${line}\n`).join('');
