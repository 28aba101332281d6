import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TOPOLOGY, workspace } from '../cli/memory-host.ts';

const WEFT = new URL('../../../dist/weft.cjs', import.meta.url).pathname;

/** Prints at the end how many parts of the program V8 compiled again, and for how many it took the code that was kept. */
const WATCH_CODE = `
const vm = require('node:vm');
const found = { kept: 0, refused: 0, compiled: 0 };
vm.Script = class extends vm.Script {
  constructor(source, options) {
    super(source, options);
    found[options.cachedData === undefined ? 'compiled' : this.cachedDataRejected ? 'refused' : 'kept'] += 1;
  }
};
process.on('exit', () => process.stderr.write('code ' + JSON.stringify(found) + '\\n'));
`;

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  /** Without what the watched process says. */
  readonly stderr: string;
  readonly code: { readonly kept: number; readonly refused: number; readonly compiled: number };
}

/** A fleet, a cache folder, and a weft that says what it compiled. */
function watched(topology = TOPOLOGY) {
  const { folder, write } = workspace({ 'topologies/topology.yaml': topology });
  const cache = mkdtempSync(join(tmpdir(), 'weft-code-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  write('watch.cjs', WATCH_CODE);
  const keptFiles = (): readonly string[] =>
    readdirSync(cache, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile() && it.parentPath.includes('/code/'))
      .map((it) => join(it.parentPath, it.name));
  const weft = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Ran => {
    const { status, stdout, stderr } = spawnSync('node', ['--require', './watch.cjs', WEFT, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: cache, ...env },
    });
    const [, said = '', code = '{}'] = /^([\s\S]*)code (\{.*\})\n$/.exec(stderr) ?? [];
    return { status, stdout, stderr: said, code: JSON.parse(code) };
  };
  const kept = (): string => {
    const files = keptFiles();
    expect(files).toHaveLength(1);
    return files[0] ?? '';
  };
  return { write, weft, kept, keptFiles };
}

describe('the code that V8 compiled', () => {
  it.each(['validate', 'verify', 'view europe'])(
    'is kept for the next run of weft %s, with the same words',
    (command) => {
      const { weft, kept } = watched();
      if (command === 'verify') weft(['compile'], { XDG_CACHE_HOME: '/dev/null' });
      const first = weft(command.split(' '));
      expect(first.code).toMatchObject({ kept: 0, refused: 0 });
      const written = statSync(kept()).mtimeMs;
      const second = weft(command.split(' '));
      expect(second.code).toMatchObject({ refused: 0, compiled: 0 });
      expect(second.code.kept).toBeGreaterThan(10);
      expect({ ...second, code: first.code }).toEqual(first);
      expect(statSync(kept())).toMatchObject({ mtimeMs: written, mode: 0o100600 });
    },
  );

  it('is kept for each command, and by a command whose other runs load more', () => {
    const { weft, keptFiles, kept } = watched();
    weft(['validate']);
    const first = readFileSync(kept()).length;
    expect(weft(['validate', '-o', 'sarif']).code.compiled).toBeGreaterThan(0);
    expect(readFileSync(kept()).length).toBeGreaterThan(first);
    for (const args of [['validate'], ['validate', '-o', 'sarif'], ['validate']])
      expect(weft(args).code).toMatchObject({ compiled: 0 });
    expect(weft(['view', 'rome']).code).toMatchObject({ kept: 0 });
    expect(weft([]).code).toMatchObject({ kept: 0 });
    expect(keptFiles()).toHaveLength(3);
  });

  it('is kept anew when a first run with errors is followed by one without, and after a day', () => {
    const { write, weft, kept } = watched('version: 1\n');
    expect(weft(['validate']).status).toBe(1);
    const little = readFileSync(kept()).length;
    write('topologies/topology.yaml', TOPOLOGY);
    expect(weft(['validate']).status).toBe(0);
    const more = readFileSync(kept());
    expect(more.length).toBeGreaterThan(little);
    write('topologies/topology.yaml', 'version: 1\n');
    weft(['validate']);
    expect(readFileSync(kept()).equals(more)).toBe(true);
    const tomorrow = `const now = Date.now; Date.now = () => now() + 25 * 60 * 60 * 1000;`;
    write('tomorrow.cjs', tomorrow);
    weft(['validate'], { NODE_OPTIONS: '--require ./tomorrow.cjs' });
    expect(readFileSync(kept()).equals(more)).toBe(false);
  });

  it('is kept by no run that could not do its work', () => {
    const { weft, keptFiles } = watched();
    for (const args of [['nonsense'], ['validate', '--nonsense'], ['view', 'paris']]) expect(weft(args).status).toBe(2);
    expect(keptFiles()).toEqual([]);
  });

  it('is compiled again where the file is damaged, cut off, or of other parts', () => {
    const { weft, kept } = watched();
    const first = weft(['validate']);
    const good = readFileSync(kept());
    const damaged = Buffer.from(good);
    damaged[good.length >> 1] = 255 - (damaged[good.length >> 1] ?? 0);
    const header = Buffer.from(good.toString('latin1').replace('"time":', '"emit":'), 'latin1');
    const ofOtherParts = withChecksum(good.toString('latin1', 8).replace(/"validFor":"./, '"validFor":"x'));
    const shorter = good.subarray(0, good.length - 8);
    for (const content of [damaged, header, ofOtherParts, shorter, Buffer.alloc(good.length), Buffer.alloc(0)]) {
      writeFileSync(kept(), content);
      expect(weft(['validate'])).toEqual(first);
      expect(weft(['validate']).code).toMatchObject({ refused: 0, compiled: 0 });
    }
  });

  it('is kept again where V8 refuses some of it', () => {
    const { weft, kept } = watched();
    const first = weft(['validate']);
    const text = readFileSync(kept()).toString('latin1', 8);
    const [, from = ''] = /"\.\/validate-\w+\.cjs":\[(\d+),/.exec(text) ?? [];
    const at = text.indexOf('\n') + 1 + Number(from);
    // The part begins with a number that V8 knows.
    writeFileSync(kept(), withChecksum(`${text.slice(0, at)}\0\0\0\0${text.slice(at + 4)}`));
    const second = weft(['validate']);
    expect(second).toEqual({ ...first, code: { kept: first.code.compiled - 1, refused: 1, compiled: 0 } });
    expect(weft(['validate']).code).toMatchObject({ refused: 0, compiled: 0 });
  });

  it('is kept for each set of flags, which V8 accepts with no other', () => {
    const { weft, keptFiles } = watched();
    const first = weft(['validate']);
    const env = { NODE_OPTIONS: '--max-old-space-size=900' };
    expect(weft(['validate'], env)).toEqual(first);
    expect(keptFiles()).toHaveLength(2);
    expect(weft(['validate'], env).code).toMatchObject({ refused: 0, compiled: 0 });
  });

  it('is not read through a link, and not from a file that others can change', () => {
    const { weft, kept } = watched();
    weft(['validate']);
    chmodSync(kept(), 0o620);
    expect(weft(['validate']).code).toMatchObject({ kept: 0, refused: 0 });
    const elsewhere = `${kept()}-elsewhere`;
    renameSync(kept(), elsewhere);
    symlinkSync(elsewhere, kept().replace('-elsewhere', ''));
    expect(weft(['validate']).code).toMatchObject({ kept: 0, refused: 0 });
  });

  it('is neither kept nor used where it is turned off, and where nothing can be kept', () => {
    const { weft, keptFiles } = watched();
    for (const env of [{ NODE_DISABLE_COMPILE_CACHE: '1' }, { NODE_V8_COVERAGE: './coverage' }])
      expect(weft(['validate'], env)).toMatchObject({ status: 0, code: { kept: 0 } });
    expect(keptFiles()).toEqual([]);
    for (let run = 0; run < 2; run++)
      expect(weft(['validate'], { XDG_CACHE_HOME: '/dev/null' })).toMatchObject({ status: 0, code: { kept: 0 } });
  });

  it('costs nothing but time when it cannot be written', () => {
    const { weft, write, keptFiles } = watched();
    write(
      'full.cjs',
      `const fs = require('node:fs');
      const stop = () => { throw Object.assign(new Error('no'), { code: 'EPERM' }); };
      const { renameSync } = fs;
      fs.renameSync = (from, to) => to.includes('/code/') ? stop() : renameSync(from, to);
      fs.rmSync = stop;`,
    );
    expect(weft(['validate'], { NODE_OPTIONS: '--require ./full.cjs' })).toMatchObject({
      status: 0,
      code: { kept: 0 },
    });
    expect(keptFiles().every((it) => it.endsWith('.new'))).toBe(true);
  });
});

describe('a command that never ends', () => {
  it('has not answered yes: a bug of weft ends with 3', () => {
    const { weft, write } = watched();
    write('lost.cjs', 'process.stdout.write = () => true;');
    expect(weft(['view', 'rome'], { NODE_OPTIONS: '--require ./lost.cjs' }).status).toBe(3);
  });
});

/** The content of a kept file with the right checksum. */
function withChecksum(rest: string): Buffer {
  const bytes = Buffer.from(rest, 'latin1');
  return Buffer.concat([Buffer.from(crc32(bytes).toString(16).padStart(8, '0')), bytes]);
}
