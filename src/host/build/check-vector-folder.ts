import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { byCodeUnit } from '../../base/core/order.ts';
import { checkVectors, type Difference, type Verdict } from './check-vectors.ts';
import { NotVectors, readVectors, type VectorCase } from './read-vectors.ts';

/** Where lines go: results are printed, misuse is reported as an error. */
interface Printer {
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

interface Judgement {
  readonly passed: boolean;
  readonly lines: readonly string[];
}

const USAGE = 'usage: npm run vectors -- DIR [--quirks]';

/**
 * Checks every vector file below a folder and prints each difference, then the totals. Returns the exit code: 1 if there is
 * a difference, 2 if nothing could be checked.
 */
export async function checkVectorFolder(words: readonly string[], printer: Printer): Promise<0 | 1 | 2> {
  const [folder, ...more] = words.filter((it) => it !== '--quirks');
  const misuse = (message: string): 2 => {
    printer.complain(message);
    return 2;
  };
  if (folder === undefined || folder.startsWith('-') || more.length > 0) return misuse(USAGE);
  try {
    const judged = await judgeFolder(folder, words.includes('--quirks'));
    return judged.length === 0 ? misuse(`no vector to check below ${folder}`) : sayTotals(judged, printer);
  } catch (error) {
    if (error instanceof NotVectors || isFromDisk(error)) return misuse(error.message);
    throw error;
  }
}

function sayTotals(judged: readonly Judgement[], printer: Printer): 0 | 1 {
  for (const line of judged.flatMap((it) => it.lines)) printer.print(line);
  const failed = judged.filter((it) => !it.passed).length;
  printer.print(`${judged.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function judgeFolder(folder: string, withQuirks: boolean): Promise<readonly Judgement[]> {
  const known = await filesBelow(folder);
  const files = known.filter((it) => withQuirks || !(isQuirks(it) || /(^|[\\/])seed-tables\.json$/.test(it)));
  const judged: Judgement[] = [];
  for (const file of files) {
    for (const it of await readCases(file)) {
      judged.push(judge(`${relative(folder, file)}: "${it.name}"`, checkVectors(it), isQuirks(file)));
    }
  }
  return judged;
}

const isQuirks = (file: string): boolean => file.endsWith('.quirks.json');

/** A refused input is accepted only in quirks files; elsewhere it is a difference. */
function judge(at: string, verdict: Verdict, isQuirk: boolean): Judgement {
  switch (verdict.kind) {
    case 'equal':
      return { passed: true, lines: [] };
    case 'refused': {
      const line = `${at}: operation ${verdict.operation}: weft refuses the input: ${verdict.reason}`;
      return { passed: isQuirk, lines: [line] };
    }
    case 'different':
      return { passed: false, lines: verdict.differences.map((it) => `${at}: ${printDifference(it)}`) };
  }
}

function printDifference({ operation, repetition, request, expected, got }: Difference): string {
  const time = repetition === 0 ? '' : `, time ${repetition}`;
  return `operation ${operation}${time} (${request}): expected ${expected}, got ${got}`;
}

async function readCases(file: string): Promise<readonly VectorCase[]> {
  const text = await readFile(file, 'utf8');
  try {
    return readVectors(text);
  } catch (error) {
    throw error instanceof NotVectors ? new NotVectors(`${file} is not a vector file: ${error.message}`) : error;
  }
}

/** All `*.json` below a folder, in code unit order. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((it) => (it.isFile() || it.isSymbolicLink()) && it.name.endsWith('.json'))
    .map((it) => join(it.parentPath ?? it.path, it.name))
    .sort(byCodeUnit);
}

const isFromDisk = (error: unknown): error is Error => error instanceof Error && 'code' in error && 'syscall' in error;
