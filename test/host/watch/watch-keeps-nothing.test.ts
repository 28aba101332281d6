import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TOPOLOGY } from '../cli/memory-host.ts';

const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-watch-'));
  mkdirSync(join(folder, 'topologies'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A module with which a process writes what is live in it on a signal, and says so. */
const WRITES_SNAPSHOTS = `data:text/javascript,${encodeURIComponent(`
import { writeHeapSnapshot } from 'node:v8';
let count = 0;
process.on('SIGUSR2', () => {
  writeHeapSnapshot('heap-' + count++ + '.json');
  process.stderr.write('written\\n');
});`)}`;

interface Snapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[]; readonly node_types: [string[]] } };
  readonly nodes: readonly number[];
}

/** The number of live values without compiled code, whose amount depends on the engine. */
function liveValues(path: string): number {
  const { snapshot, nodes } = JSON.parse(readFileSync(path, 'utf8')) as Snapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const type = fields.indexOf('type');
  let live = 0;
  for (let at = type; at < nodes.length; at += fields.length) if (VALUES.has(types[0][nodes[at] ?? 0] ?? '')) live += 1;
  return live;
}

const VALUES: ReadonlySet<string> = new Set([
  ...['object', 'closure', 'array', 'native'],
  ...['string', 'concatenated string', 'sliced string'],
]);

/** A text that no save before it had: an address, every fifth time a cluster, every tenth time a mistake. */
function edition(save: number): string {
  const moved = TOPOLOGY.replace('203.0.113.10', `198.51.100.${save}`);
  const joined = save % 5 === 0 ? moved.replace(/^clusters:\n/m, `clusters:\n  guest-${save}: {}\n`) : moved;
  return save % 10 === 0 ? `${joined}mistake-${save}: true\n` : joined;
}

describe('weft compile --watch', () => {
  it('keeps nothing of the saves before the last one', async () => {
    const topology = join(folder, 'topologies/topology.yaml');
    writeFileSync(topology, TOPOLOGY);
    const weft = spawn(process.execPath, ['--import', WRITES_SNAPSHOTS, WEFT, 'compile', '--watch'], { cwd: folder });
    weft.stdout.resume();
    const lines = createInterface({ input: weft.stderr })[Symbol.asyncIterator]();
    const until = async (start: string) => {
      for (let line = await lines.next(); !line.value?.startsWith(start); line = await lines.next())
        if (line.done) throw new Error(`weft ended before it said "${start}"`);
    };
    const saveAndWrite = async (from: number, to: number) => {
      for (let save = from; save < to; save += 1) {
        writeFileSync(topology, edition(save));
        await until('Watching for changes');
      }
      weft.kill('SIGUSR2');
      await until('written');
    };
    try {
      await until('Watching for changes');
      // Every kind of edit happens before the first look, since its first time makes what is kept once.
      await saveAndWrite(1, 42);
      await saveAndWrite(42, 142);
    } finally {
      weft.kill('SIGKILL');
      await once(weft, 'close');
    }
    const [before, after] = [0, 1].map((it) => liveValues(join(folder, `heap-${it}.json`)));
    // Less than one value for each save.
    expect((after ?? 0) - (before ?? 0)).toBeLessThan(100);
    expect(before).toBeGreaterThan(10_000);
  });
});
