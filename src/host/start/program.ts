import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { readPrivate, removeOldest, replacePrivate } from '../disk/cache-file.ts';

interface Program {
  /** Runs a part of the program, given as `./name`, and returns its exports; loads a module of Node by any other name. */
  readonly load: (name: string) => unknown;
  /**
   * Keeps what V8 has compiled, together with what it got from earlier runs: where this run loaded a part that none before did, where
   * it is the first in which all went well, and once a day, since runs take different ways. A failure costs only time.
   */
  readonly keep: (isWell: boolean) => void;
}

/** The file with the code that V8 compiled in earlier runs. V8 runs what is in it. */
interface CodeFile {
  /** Only the user can change this folder. */
  readonly path: string;
  /** Identifies the parts of the program. The version of Node and the flags of V8 are in the name of the file. */
  readonly validFor: string;
}

/** The code that V8 compiled in earlier runs. */
interface KeptCode {
  readonly validFor: string;
  /** True if all went well in one of these runs. */
  readonly isWell: boolean;
  /** The time of the last one, in milliseconds since 1970. */
  readonly time: number;
  /** Name of a part -> its place in `code`. */
  readonly parts: Readonly<Record<string, readonly [from: number, to: number]>>;
  readonly code: Buffer;
}

/**
 * Opens a program in parts of CommonJS. Node would compile their functions again in each run, which is half of the time of a
 * command; here V8 gets what it compiled in an earlier run, also the functions that were called after loading.
 *
 * @param folder of the parts
 * @param kept `undefined`: nothing is kept
 */
export function openProgram(folder: string, kept: CodeFile | undefined): Program {
  const before = kept && readCode(kept);
  const partOf = (name: string): Buffer | undefined => {
    const place = before?.parts[name];
    return place && before?.code.subarray(...place);
  };
  const loaded = new Map<string, { readonly script: Script; readonly exports: object }>();
  const load = (name: string): unknown => {
    if (!name.startsWith('./')) return require(name);
    const known = loaded.get(name);
    if (known) return known.exports;
    const filename = join(folder, name);
    const cachedData = partOf(name);
    const script = new Script(readPart(filename), { filename, ...(cachedData && { cachedData }) });
    const exports = {};
    script.runInThisContext()(exports, load);
    loaded.set(name, { script, exports });
    return exports;
  };
  return {
    load,
    keep(isWell) {
      const now = Date.now();
      const hasAll = [...loaded].every(([name, { script }]) => partOf(name) && script.cachedDataRejected === false);
      const isGood = hasAll && before !== undefined && before.isWell >= isWell && Math.abs(now - before.time) < DAY;
      if (kept === undefined || isGood) return;
      try {
        const codes = new Map<string, Buffer>(
          Object.keys(before?.parts ?? {}).map((it) => [it, partOf(it) ?? NOTHING]),
        );
        for (const [name, { script }] of loaded) codes.set(name, script.createCachedData());
        const { validFor } = kept;
        writeCode(kept.path, { validFor, isWell: isWell || before?.isWell === true, time: now }, codes);
      } catch {
        // The next run compiles again.
      }
    },
  };
}

const NOTHING = Buffer.alloc(0);

const DAY = 24 * 60 * 60 * 1000;

/** The build writes ASCII, which is read fastest as Latin-1. */
function readPart(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // The error of `require`, for an installation that is not complete.
    throw isMissing ? Object.assign(new Error(`Cannot find ${path}`), { code: 'MODULE_NOT_FOUND' }) : error;
  }
}

function readCode({ path, validFor }: CodeFile): KeptCode | undefined {
  try {
    const all = readPrivate(path);
    // V8 ends the process where the code is damaged.
    if (all?.toString('latin1', 0, CRC_DIGITS) !== crcOf(all?.subarray(CRC_DIGITS) ?? NOTHING)) return undefined;
    const end = all.indexOf('\n');
    const kept = JSON.parse(all.toString('latin1', CRC_DIGITS, end));
    return kept.validFor === validFor ? { ...kept, code: all.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a checksum of the rest, a line about the runs and the parts, and the code of each part. */
function writeCode(path: string, runs: Omit<KeptCode, 'parts' | 'code'>, codes: ReadonlyMap<string, Buffer>): void {
  const parts: Record<string, readonly [number, number]> = {};
  const padded: Buffer[] = [];
  let length = 0;
  for (const [name, code] of codes) {
    parts[name] = [length, length + code.length];
    const padding = Buffer.alloc(paddingOf(code.length));
    padded.push(code, padding);
    length += code.length + padding.length;
  }
  const header = JSON.stringify({ ...runs, parts });
  const begin = CRC_DIGITS + Buffer.byteLength(header) + 1;
  const rest = Buffer.concat([Buffer.from(`${header}${' '.repeat(paddingOf(begin))}\n`), ...padded]);
  replacePrivate(path, [Buffer.from(crcOf(rest)), rest]);
  removeOldest(dirname(path));
}

const CRC_DIGITS = 8;

const crcOf = (bytes: Buffer): string => crc32(bytes).toString(16).padStart(CRC_DIGITS, '0');

/** V8 copies code that does not begin at a multiple of eight. */
const paddingOf = (length: number): number => -length & 7;
