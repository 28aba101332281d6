import { describe, expect, it } from 'vitest';
import { printDrift } from '../../../src/answers/report/drift.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import { isDrift, type Problem } from '../../../src/live/drift/drift.ts';
import { type ExplainedCluster, explainFleet } from '../../../src/live/drift/explain-cluster.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { expectRecorded } from '../../support/recorded.ts';
import { compiledOf, liveCluster } from './explained.ts';
import { CAUSES, type OneCause } from './one-cause.ts';
import { dumpOf, type Item, type RecordedFleet } from './recorded-fleet.ts';
import { FLEETS, type FleetName, fleetAtRest } from './six-fleets.ts';

/** Every kind was listed, as with the script of `weft import --print-commands`. */
const LISTED = new Set(COMPARED_KINDS.map((it) => it.key));

const ASKED = COMPARED_KINDS.map(
  ({ resource }): Item => ({ apiVersion: 'weft/v1', kind: 'AskedFor', metadata: { name: resource } }),
);

/** The most lines of the answer, together with what is printed beside it. */
const MOST_LINES = 25;

function driftOf(fleet: FleetName, recorded: RecordedFleet): readonly ExplainedCluster[] {
  const compiled = compiledOf(FLEETS[fleet], recorded);
  const clusters = Object.entries(recorded.dumps).filter(([it]) => compiled.model.clusters.has(it));
  const live = clusters.map(([name, items]) => ({ ...liveCluster(name, items), listed: LISTED }));
  return explainFleet(live.map((it) => explainLive(compiled, 'out', it)));
}

/** `rome drift/key PublicKey milan`. */
function problemText(cluster: string, { diagnostic, findings }: Problem): string {
  const [first] = findings;
  return [cluster, diagnostic.code, ...(first === undefined ? [] : [first.object.kind, first.object.name])].join(' ');
}

const found = (clusters: readonly ExplainedCluster[]): readonly string[] =>
  clusters.flatMap(({ drift, problems }) => problems.filter(isDrift).map((it) => problemText(drift.cluster, it)));

async function askedAt({ files, dumps }: RecordedFleet, [from, to]: OneCause['pair']) {
  const { weft, write } = workspace(files);
  for (const [cluster, items] of Object.entries(dumps)) write(`dumps/${cluster}.json`, dumpOf([...items, ...ASKED]));
  const traced = await weft('trace', from, to, '--live', 'dumps');
  return { traced, planned: await weft('plan', '--live', 'dumps', '--detailed-exitcode') };
}

/** The answers that a person reads, by fleet. */
const answers = new Map<FleetName, string[]>();

it.each(Object.keys(FLEETS) as FleetName[])('nothing is found in %s at rest', (fleet) => {
  expect(found(driftOf(fleet, fleetAtRest(fleet)))).toEqual([]);
});

describe.each([...CAUSES])('%s', (fleet, causes) => {
  it.each(causes.map((it) => [it.what, it] as const))('%s', async (what, { edit, finds, pair, arrives }) => {
    const recorded = fleetAtRest(fleet);
    edit(recorded.dumps);
    const clusters = driftOf(fleet, recorded);
    const others = Object.keys(recorded.dumps).filter((it) => !clusters.some((one) => one.drift.cluster === it));
    const drift = printDrift({ clusters, others }, { paint: plainPaint, verbose: false });
    const { traced, planned } = await askedAt(recorded, pair);
    const { code, stdout, stderr } = traced;
    const shown = [
      `# ${what}\n\n$ weft drift --live dumps\n${drift}`,
      `$ weft trace ${pair.join(' ')} --live dumps\n${stdout}${stderr}exit ${code}\n\n`,
    ];
    answers.set(fleet, [...(answers.get(fleet) ?? []), shown.join('\n')]);
    expect([...found(clusters)].sort()).toEqual([...finds].sort());
    const [, firstCode] = finds[0]?.split(' ') ?? [];
    expect(/^(drift|live)\/[\w-]+/m.exec(stdout === '' ? stderr : stdout)?.[0]).toBe(firstCode);
    expect(`${stdout}${stderr}`.trimEnd().split('\n').length).toBeLessThan(MOST_LINES);
    expect(code === 0).toBe(arrives);
    expect(/: delivered/.test(stdout)).toBe(arrives);
    expect(planned.code, planned.stdout).not.toBe(0);
    expect(planned.stdout).not.toContain('Nothing to do');
  });
});

it('is recorded for a person to read', () => {
  const files = [...answers].map(([fleet, texts]): readonly [string, string] => [`${fleet}.txt`, texts.join('\n')]);
  expectRecorded(new URL('./nights/', import.meta.url), new Map(files));
});

it('sixty disturbances of six fleets, three of which share', () => {
  expect([...CAUSES.values()].flat().length).toBeGreaterThanOrEqual(60);
  expect(CAUSES.size).toBe(6);
});
