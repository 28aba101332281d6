import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { printDrift } from '../../../src/answers/report/drift.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import { isDrift, type Problem } from '../../../src/live/drift/drift.ts';
import { type ExplainedCluster, explainFleet } from '../../../src/live/drift/explain-cluster.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { drawn, firstOfEach, RUNS_ALL } from '../../support/drawn.ts';
import { expectRecorded, isUpdating } from '../../support/recorded.ts';
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

const NIGHTS = new URL('./nights/', import.meta.url);

/** Also when the answers are recorded again. */
const ASKS_ALL = RUNS_ALL || isUpdating();

const ALL = [...CAUSES.values()].flat();

/** On a push, `drift` is asked about every cause, and `trace` and `plan` about the first with the same codes and the same fate. */
const isAsked = new Set<OneCause>(
  ASKS_ALL
    ? ALL
    : drawn(
        ALL,
        firstOfEach(({ finds, arrives }) => `${finds[0]?.split(' ')[1]} ${arrives}`),
      ),
);

/** The answers that a person reads, by fleet. */
const answers = new Map<FleetName, string[]>();

it.each(Object.keys(FLEETS) as FleetName[])('nothing is found in %s at rest', (fleet) => {
  expect(found(driftOf(fleet, fleetAtRest(fleet)))).toEqual([]);
});

describe.each([...CAUSES])('%s', (fleet, causes) => {
  it.each(causes.map((it) => [it.what, it] as const))('%s', async (what, cause) => {
    const recorded = fleetAtRest(fleet);
    cause.edit(recorded.dumps);
    const clusters = driftOf(fleet, recorded);
    const others = Object.keys(recorded.dumps).filter((it) => !clusters.some((one) => one.drift.cluster === it));
    const drift = printDrift({ clusters, others }, { paint: plainPaint, verbose: false });
    const shown = [`# ${what}\n\n$ weft drift --live dumps\n${drift}`];
    expect([...found(clusters)].sort()).toEqual([...cause.finds].sort());
    if (isAsked.has(cause)) shown.push(await tracedAndPlanned(recorded, cause));
    answers.set(fleet, [...(answers.get(fleet) ?? []), shown.join('\n')]);
  });
});

/** The answer of `trace`, which has the cause in a few lines; a plan has something to do. */
async function tracedAndPlanned(recorded: RecordedFleet, { finds, pair, arrives }: OneCause): Promise<string> {
  const { traced, planned } = await askedAt(recorded, pair);
  const { code, stdout, stderr } = traced;
  const [, firstCode] = finds[0]?.split(' ') ?? [];
  expect(/^(drift|live)\/[\w-]+/m.exec(stdout === '' ? stderr : stdout)?.[0]).toBe(firstCode);
  expect(`${stdout}${stderr}`.trimEnd().split('\n').length).toBeLessThan(MOST_LINES);
  expect(code === 0).toBe(arrives);
  expect(/: delivered/.test(stdout)).toBe(arrives);
  expect(planned.code, planned.stdout).not.toBe(0);
  expect(planned.stdout).not.toContain('Nothing to do');
  return `$ weft trace ${pair.join(' ')} --live dumps\n${stdout}${stderr}exit ${code}\n\n`;
}

const partsOf = (text: string): readonly string[] => text.split(/^(?=# )/m).map((it) => it.trimEnd());

/** The parts of a recorded text, without the answers that were not asked for. */
function askedParts(fleet: FleetName, text: string): readonly string[] {
  const unasked = (CAUSES.get(fleet) ?? []).filter((it) => !isAsked.has(it)).map((it) => it.what);
  return partsOf(text).map((it) =>
    unasked.includes(it.slice(2, it.indexOf('\n'))) ? it.slice(0, it.indexOf('\n$ weft trace ')).trimEnd() : it,
  );
}

it('is recorded for a person to read', () => {
  const files = [...answers].map(([fleet, texts]): readonly [string, string] => [`${fleet}.txt`, texts.join('\n')]);
  if (ASKS_ALL) {
    expectRecorded(NIGHTS, new Map(files));
    return;
  }
  expect(readdirSync(NIGHTS).sort()).toEqual(files.map(([name]) => name).sort());
  for (const [fleet, shown] of answers) {
    const recorded = readFileSync(new URL(`${fleet}.txt`, NIGHTS), 'utf8');
    expect(partsOf(shown.join('\n')), fleet).toEqual(askedParts(fleet, recorded));
  }
});

it('sixty disturbances of six fleets, three of which share', () => {
  expect([...CAUSES.values()].flat().length).toBeGreaterThanOrEqual(60);
  expect(CAUSES.size).toBe(6);
});
