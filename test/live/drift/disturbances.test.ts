import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printDrift } from '../../../src/answers/report/drift.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { DISTURBANCES, type Disturbance } from './disturbances.ts';
import { explained } from './explained.ts';
import { clustersRecorded, dumpOf, recordedFleet } from './recorded-fleet.ts';

const FOLDER = new URL('./cases/', import.meta.url).pathname;

/** `UPDATE_GOLDEN=1` writes what is produced over what is recorded; CI never does. */
const updating = process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'];

/**
 * The output of `weft drift` about a disturbed fleet, and its exit code; through the command where the dump is broken.
 */
async function driftOf(disturbance: Disturbance): Promise<{ readonly code: number; readonly text: string }> {
  if (disturbance.code === 2) return refusedBy(disturbance);
  const clusters = explained(disturbance);
  const seen = new Set(clusters.map((it) => it.drift.cluster));
  const others = clustersRecorded(disturbance.fleet).filter((it) => !seen.has(it));
  const code = clusters.every((it) => it.rollout.state === 'same') ? 0 : 1;
  return { code, text: printDrift({ clusters, others }, { paint: plainPaint, verbose: false }) };
}

async function refusedBy({ fleet, after, edit, only, dump }: Disturbance) {
  const { files, dumps } = recordedFleet(fleet, after);
  edit?.(dumps);
  const { weft, write } = workspace(files);
  for (const [cluster, items] of Object.entries(dumps))
    if (only === undefined || only.includes(cluster))
      write(`dumps/${cluster}.json`, dump?.(cluster, dumpOf(items)) ?? dumpOf(items));
  const { code, stdout, stderr } = await weft('drift', '--live', 'dumps');
  return { code, text: `${stderr}${stdout}` };
}

const recordOf = ({ name }: Disturbance): string => {
  const path = join(FOLDER, `${name}.txt`);
  return existsSync(path) ? readFileSync(path, 'utf8') : '(not recorded)';
};

/** The codes in the record of a disturbance, with the code of the exit. */
const saidOf = (it: Disturbance): string =>
  [...new Set(recordOf(it).match(/(?<=^ *)[a-z]+\/[a-z-]+|^exit \d$/gm))].sort().join();

/** On a push, one disturbance of those about which drift says the same. */
const tried = updating ? DISTURBANCES : drawn(DISTURBANCES, firstOfEach(saidOf));

describe('weft drift after', () => {
  it.each(tried.map((it) => [it.name, it] as const))('%s', async (name, disturbance) => {
    const { code, text: printed } = await driftOf(disturbance);
    const text = `${printed}exit ${code}\n`;
    if (updating) writeFileSync(join(FOLDER, `${name}.txt`), text);
    else expect(text, name).toBe(recordOf(disturbance));
    if (disturbance.after === undefined) expect(code).toBe(disturbance.code ?? 1);
  });

  it('is recorded for these and for no others', () => {
    const names = DISTURBANCES.map((it) => `${it.name}.txt`).sort();
    const recorded = readdirSync(FOLDER).sort();
    if (updating) for (const it of recorded) if (!names.includes(it)) rmSync(join(FOLDER, it));
    if (!updating) expect(recorded).toEqual(names);
  });
});
