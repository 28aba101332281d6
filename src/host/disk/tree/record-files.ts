import { printRecords } from './bundle-record.ts';
import { sha256 } from './tree-path.ts';

/** The records that a compile of exactly these files leaves below `out/`, by path. */
export const recordFiles = (files: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  printRecords(new Map([...files].map(([path, text]) => [path, [sha256(text)]])));
