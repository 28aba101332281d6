import { type CompiledFleet, compileReport } from './compile-report.ts';
import type { Paint } from './paint.ts';
import { printSummary } from './print-summary.ts';

/** Bundles that were just written. */
export interface WrittenFleet extends CompiledFleet {
  /** Whether there were bundles and no lock: then all addresses were decided anew. */
  readonly lockWasLost: boolean;
  /** Files that stay although they are no longer compiled: somebody edited them. */
  readonly keptFiles: readonly string[];
}

/** What to say after `weft compile`. */
export function printWritten(fleet: WrittenFleet, paint: Paint): string {
  const { out, topology, keptFiles } = fleet;
  const remarks = [
    ...(fleet.lockWasLost ? [lockLost(topology.files.lock, out)] : []),
    ...keptFiles.map((path) => `${path} is no longer compiled, but somebody edited it: it stays, and is yours now.`),
  ];
  return `${printSummary(compileReport(fleet), paint)}${remarks.map((it) => `${it}\n`).join('')}`;
}

/** A lock that got lost is not a new fleet: without it every address is decided again. */
const lockLost = (lock: string, out: string): string =>
  `There was no ${lock} beside a full ${out}/, so everything was decided anew. If it got lost, bring it back (\`git checkout\`) and compile again: addresses may have moved.`;
