import { describe, expect, it } from 'vitest';
import { diagnosticsDocument, printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { printDrift } from '../../../src/answers/report/drift.ts';
import { driftDocument, printDriftMarkdown } from '../../../src/answers/report/drift-answer.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { CODES } from '../../../src/base/diagnostics/codes.ts';
import type { ExplainedCluster } from '../../../src/live/drift/explain-cluster.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { drawn } from '../../support/drawn.ts';
import { faultsOf, fileOf } from '../../support/json-documents.ts';
import { DISTURBANCES } from './disturbances.ts';
import { explained } from './explained.ts';
import { dumpOf, recordedFleet } from './recorded-fleet.ts';

const read = DISTURBANCES.filter((it) => it.code !== 2);

/** So many clusters, named by number, with the problems of one. */
const many = (count: number, clusters: readonly ExplainedCluster[]): readonly ExplainedCluster[] =>
  Array.from({ length: count }, (_, index) => clusters[index % clusters.length])
    .filter((it) => it !== undefined)
    .map((it, index) => ({ ...it, drift: { ...it.drift, cluster: `cluster-${index}` } }));

function exampleOf(name: string): readonly ExplainedCluster[] {
  const found = DISTURBANCES.find((it) => it.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return explained(found);
}

describe('drift in each form', () => {
  it('is a document of its schema, with every finding below a problem', () => {
    for (const it of drawn(read)) {
      const clusters = explained(it);
      const drift = driftDocument({ clusters, others: ['turin'] });
      const document = JSON.parse(printJson({ ...diagnosticsDocument([]), ok: false, drift }));
      expect(faultsOf(fileOf('drift'), document), it.name).toEqual([]);
      for (const { problems, findings } of drift.clusters)
        for (const one of findings) expect(problems[one.problem]).toBeDefined();
    }
  });

  it('is Markdown within a limit, that shows first how bad it is', () => {
    const clusters = exampleOf('recorded-overlap-1-2-reverse');
    for (const limit of [60_000, 3_000, 500, 80]) {
      for (const count of [7, 500]) {
        const text = printDriftMarkdown({ clusters: many(count, clusters), others: [] }, { limit });
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(text.startsWith('**Drift in ')).toBe(true);
      }
    }
    const whole = printDriftMarkdown({ clusters, others: ['turin'] }, { limit: 60_000 });
    expect(whole).toContain('| hub | **drift** | 79 of 79 | `drift/other-view` |');
    expect(whole).toContain('what dials 10.71.131.7 reaches nothing');
    expect(whole).toContain('Not compared: turin.');
    expect(printDriftMarkdown({ clusters: exampleOf('none'), others: [] }, { limit: 999 })).toBe(
      '**No drift** in 3 clusters.\n\n3 clusters as compiled.\n',
    );
  });

  it('says that all tunnels of a cluster are down, and only then', () => {
    const down = (isDown: (name: string) => boolean) =>
      explained({
        ...{ name: 'down', fleet: 'overlap/1.2', only: ['hub'] },
        edit: ({ hub = [] }) => {
          for (const it of hub)
            if (it.kind === 'Connection' && isDown(it.metadata.name)) it['status'] = { value: 'Error' };
        },
      });
    const [all, some] = [down(() => true), down((name) => name !== 'gw-a')];
    const look = { paint: plainPaint, verbose: false };
    expect(printDrift({ clusters: all, others: [] }, look)).toMatch(/^hub: .*\n {2}all 6 tunnels are down: /);
    expect(printDriftMarkdown({ clusters: all, others: [] }, { limit: 9_999 })).toContain('\nall 6 tunnels are down: ');
    expect(printDrift({ clusters: some, others: [] }, look)).not.toContain('tunnels are down');
  });

  it('is short for a large fleet, and whole with --verbose', () => {
    const drifted = exampleOf('recorded-overlap-1-2-reverse');
    const same = exampleOf('none');
    const clusters = [...many(500, same), ...many(70, drifted).map((it) => it)];
    const look = { paint: plainPaint, verbose: false };
    const text = printDrift({ clusters, others: [] }, look);
    expect(text.split('\n').length).toBeLessThan(250);
    expect(text).toContain('drift in 20 clusters; 570 clusters compared');
    expect(text).toMatch(/\nas compiled: cluster-0, cluster-1, .* and \d+ more\n/);
    const whole = printDrift({ clusters, others: [] }, { ...look, verbose: true });
    expect(whole.match(/differs {2}/g)?.length).toBeGreaterThan(200);
  });

  it('is annotations and SARIF at the places that promise otherwise', async () => {
    const { files, dumps } = recordedFleet('example/1.2');
    const disturbance = DISTURBANCES.find((it) => it.name === 'mtu-at-one-end');
    disturbance?.edit?.(dumps);
    const { weft, write } = workspace(files);
    for (const [cluster, items] of Object.entries(dumps)) write(`dumps/${cluster}.json`, dumpOf(items));
    const annotations = await weft('drift', '--live', 'dumps', '-o', 'github');
    expect(annotations.code).toBe(1);
    expect(annotations.stdout).toMatch(
      /^::error file=out\/rome\/peers\/milan\/milan.yaml,line=65,.*,title=drift\/mtu::the gateway of "rome" for "milan" has an MTU of 1400/m,
    );
    const sarif = JSON.parse((await weft('drift', '--live', 'dumps', '-o', 'sarif')).stdout);
    const [result] = sarif.runs[0].results;
    expect(result).toMatchObject({ ruleId: 'drift/mtu', level: CODES['drift/mtu'] });
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe('out/rome/peers/milan/milan.yaml');
    const markdown = await weft('drift', '--live', 'dumps', '-o', 'markdown');
    expect(markdown.stdout).toContain('**Drift in 1 cluster** of 3 compared.');
  });
});
