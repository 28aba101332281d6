import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { drawn } from '../support/drawn.ts';
import { benchFolder, compileUnmeasured } from './bench-folder.ts';
import { COMMANDS } from './commands.ts';
import { benchFleet } from './fleet.ts';
import { floorsOf } from './floors.ts';
import { median } from './median.ts';
import { printResults } from './print-results.ts';
import { runBench } from './run-bench.ts';

const work = mkdtempSync(join(tmpdir(), 'weft-bench-test-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));
const weft = resolve('dist/weft.cjs');

describe('the benchmark', () => {
  it('has numbers for every command', async () => {
    const commands = drawn(COMMANDS, ({ name }) => name === COMMANDS[0]?.name || name === 'validate');
    const only = new RegExp(`^(${commands.map((it) => it.name.replace(/\W/g, '\\$&')).join('|')})$`);
    const result = await runBench({
      sizes: [20],
      spokes: 30,
      memorySizes: [],
      profileSize: 0,
      watch: { links: 20, rebuilds: 2 },
      runs: 1,
      seconds: 60,
      limitSeconds: 60,
      only,
      otherTools: false,
      weft,
      before: null,
      work,
      log: () => undefined,
    });
    const [fleet, wide] = result.sizes;
    const numbers = { runs: 1, wallMs: expect.any(Number), cpuMs: expect.any(Number), peakMB: expect.any(Number) };
    const row = { now: expect.objectContaining(numbers), ratio: expect.any(Number) };
    expect(fleet?.rows).toEqual(commands.map(() => expect.objectContaining(row)));
    expect(wide?.rows).toEqual([expect.objectContaining(row)]);
    expect(fleet?.files).toBeGreaterThan(100);
    expect(result.watch).toMatchObject({ rebuilds: 2, medianMilliseconds: expect.any(Number) });
    const page = printResults(result, { lines: ['today'] });
    for (const { name } of commands) expect(page).toContain(`\n| ${name} | `);
  }, 600_000);

  it('compares with a program that writes exactly the files of out/', () => {
    const folder = benchFolder(join(work, 'floors'), benchFleet(20), weft);
    compileUnmeasured(folder);
    const floors = floorsOf(folder);
    floors.write();
    const hashOf = (path: string) => floorsOf({ ...folder, path }).read().stdout;
    expect(hashOf(folder.scratch)).toBe(hashOf(folder.path));
    expect(hashOf(folder.path)).toMatch(/^\d+ files, [0-9a-f]{64}\n$/);
    expect(readFileSync(join(folder.scratch, 'out/addresses.json'), 'utf8')).toBe(
      readFileSync(join(folder.path, 'out/addresses.json'), 'utf8'),
    );
  });
});

it.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});
