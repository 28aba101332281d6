import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

interface Program {
  /** Runs a file of the program, given as `./name`, and returns its exports; loads a module of Node by any other name. */
  readonly load: (name: string) => unknown;
  /**
   * Keeps what V8 has compiled, together with what it got from earlier runs: where this run loaded a file that none before did, where
   * it is the first in which all went well, and once a day, since runs take different ways. A failure costs only time.
   */
  readonly keep: (isWell: boolean) => void;
}

/** The code that V8 compiled in an earlier run. */
interface KeptCode {
  /** True if all went well in one of these runs. */
  readonly isWell: boolean;
  /** The time of the last one, in milliseconds since 1970. */
  readonly time: number;
  /** File -> its part of `code`. */
  readonly parts: Readonly<Record<string, readonly [from: number, to: number]>>;
  readonly code: Buffer;
}

const NOTHING: KeptCode = { isWell: false, time: 0, parts: {}, code: Buffer.alloc(0) };

/**
 * Opens a program of CommonJS files. Node would compile their functions again in each run, which is half of the time of a
 * command; here V8 gets what it compiled in an earlier run, also the functions that were called after loading.
 *
 * @param kept the file with that code, which only the user can change: V8 runs what is in it. Its name
 *   depends on the version of V8 and its flags, and the name of each file of the program on the content
 */
export function openProgram(folder: string, kept: string | undefined): Program {
  const before = kept === undefined ? NOTHING : readCode(kept);
  const scripts = new Map<string, Script>();
  const loaded = new Map<string, object>();
  const load = (name: string): unknown => {
    if (!name.startsWith('./')) return require(name);
    const known = loaded.get(name);
    if (known) return known;
    const exports = {};
    loaded.set(name, exports);
    const filename = join(folder, name);
    const part = before.parts[name];
    // The build writes ASCII, which is read fastest so.
    const script = new Script(readFileSync(filename, 'latin1'), {
      filename,
      ...(part && { cachedData: before.code.subarray(...part) }),
    });
    scripts.set(name, script);
    script.runInThisContext()(exports, load);
    return exports;
  };
  return {
    load,
    keep(isWell) {
      const now = Date.now();
      const hasAll = [...scripts.keys()].every((it) => it in before.parts);
      const isGood = hasAll && before.isWell >= isWell && Math.abs(now - before.time) < DAY;
      if (kept === undefined || isGood) return;
      const codes = new Map<string, Buffer>([...scripts].map(([name, it]) => [name, it.createCachedData()]));
      // Another build may have left parts of files that are gone.
      for (const [name, part] of Object.entries(before.parts))
        if (!codes.has(name) && existsSync(join(folder, name))) codes.set(name, before.code.subarray(...part));
      writeCode(kept, { isWell: isWell || before.isWell, time: now }, codes);
    },
  };
}

const DAY = 24 * 60 * 60 * 1000;

const LINE_END = 10;

function readCode(file: string): KeptCode {
  try {
    const all = readFileSync(file);
    // V8 ends the process where the code is damaged.
    if (all.toString('latin1', 0, CRC_DIGITS) !== crcOf(all.subarray(CRC_DIGITS))) return NOTHING;
    const end = all.indexOf(LINE_END);
    return { ...JSON.parse(all.toString('latin1', CRC_DIGITS, end)), code: all.subarray(end + 1) };
  } catch {
    return NOTHING;
  }
}

/** Writes a checksum of the rest, a line about the run and the parts, and the code of each file. */
function writeCode(file: string, run: Pick<KeptCode, 'isWell' | 'time'>, codes: ReadonlyMap<string, Buffer>): void {
  const parts: Record<string, readonly [number, number]> = {};
  const padded: Buffer[] = [];
  let length = 0;
  for (const [name, code] of codes) {
    parts[name] = [length, length + code.length];
    const padding = Buffer.alloc(paddingOf(code.length));
    padded.push(code, padding);
    length += code.length + padding.length;
  }
  const header = JSON.stringify({ ...run, parts });
  const begin = CRC_DIGITS + header.length + 1;
  const rest = Buffer.concat([Buffer.from(`${header.padEnd(header.length + paddingOf(begin))}\n`), ...padded]);
  replaceFile(file, Buffer.concat([Buffer.from(crcOf(rest)), rest]));
}

const CRC_DIGITS = 8;

const crcOf = (bytes: Buffer): string => crc32(bytes).toString(16).padStart(CRC_DIGITS, '0');

/** V8 copies code that does not begin at a multiple of eight. */
const paddingOf = (length: number): number => -length & 7;

/** Replaces a file as a whole, also where other runs do so at once. */
function replaceFile(file: string, content: Buffer): void {
  const written = `${file}-${process.pid}`;
  try {
    const opened = openSync(written, 'wx', 0o600);
    try {
      writeFileSync(opened, content);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(written, file);
  } catch {
    rmSync(written, { force: true });
  }
}
