import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { type LiveCluster as Recorded, type Recording, recordings } from '../dumps/recordings.ts';
import { lineOf } from './line-of.ts';
import { liveOf } from './live-of.ts';
import { importLive, whatWouldChange } from './what-would-change.ts';

interface Row {
  readonly fleet: string;
  readonly cluster: string;
  readonly compared: number;
  readonly differences: readonly string[];
}

const all = recordings();
const table: Row[] = [];

/** The changes by compiling the import, cluster by cluster. */
function rowsOf(fleet: string, clusters: readonly Recorded[]): readonly Row[] {
  const live = clusters.map(({ name, objects }) => liveOf(name, objects.values()));
  const { compiled, imported, sources } = importLive(live);
  expect(parse(sources.topology.text)).toEqual(imported.topology);
  return whatWouldChange(compiled, live).map(({ cluster, compared, findings }): Row => {
    // No tunnel was up where these were recorded.
    const differences = findings
      .filter((one) => one.kind !== 'different' || one.live !== 'Connecting')
      // Manually edited rules, which no topology contains.
      .filter((one) => one.object.kind !== 'FirewallConfiguration' || !/edited|swapped/.test(fleet))
      .map(lineOf);
    return { fleet, cluster, compared, differences };
  });
}

/**
 * The place of a Configuration in the order of joins, which is searched for and may be another one with the same views; and
 * annotations that recordings have as they were compiled: views, whatever runs, and none for objects that are extraneous.
 */
const isOrder = (line: string): boolean =>
  /argocd\.argoproj\.io\/(sync-wave|compare-options)|liqo-weft\/\w+-views/.test(line);

/** The fleet with one cluster after a later change, or with all of them if their sharing was edited. */
const laterFleets = ({ name, clusters, after }: Recording): readonly (readonly [string, readonly Recorded[]])[] =>
  after.map((later) => {
    const same = later.what.endsWith('-edited') ? after.filter((it) => it.what === later.what) : [later];
    return [
      `${name}, ${later.name} after ${later.what}`,
      clusters.map((it) => same.find((one) => one.name === it.name) ?? it),
    ];
  });

/** On a push, every fleet at rest, and the first after each later change. */
const fleets = [
  ...all.map((it) => [it.name, it.clusters] as const),
  ...drawn(
    all.flatMap(laterFleets),
    firstOfEach(([name]) => name.replace(/^.* after |-\d+$/g, '')),
  ),
];

describe('an imported recording', () => {
  it.each(fleets)('compiles to what runs: %s', (name, clusters) => {
    const rows = rowsOf(name, clusters);
    table.push(...rows);
    for (const { differences, cluster } of rows) {
      expect([cluster, differences.filter((it) => !isOrder(it))]).toEqual([cluster, []]);
    }
  });

  it('compares every cluster of every fleet', () => {
    expect(table.length).toBe(fleets.reduce((sum, [, clusters]) => sum + clusters.length, 0));
    for (const it of table) expect([it.fleet, it.compared > 4]).toEqual([it.fleet, true]);
  });
});

afterAll(() => {
  if (process.env['IMPORT_TABLE'] === undefined) return;
  const order = (it: Row): number => it.differences.filter(isOrder).length;
  const lines = table.map((it) =>
    [it.fleet, it.cluster, it.compared, it.differences.length - order(it), order(it)].join(' | '),
  );
  console.log(['fleet | cluster | compared | differences | other sync wave', ...lines].join('\n'));
});
