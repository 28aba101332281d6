import { type CompiledFleet, compileReport } from './compile-report.ts';
import type { Paint } from './paint.ts';
import { printSummary } from './print-summary.ts';

/** Bundles that were just written. */
export interface WrittenFleet extends CompiledFleet {
  /** Whether there were bundles and no lock: then all addresses were decided again. */
  readonly lockWasLost: boolean;
  /** Files that are no longer generated and were edited by hand, so they are kept. */
  readonly keptFiles: readonly string[];
}

/** Printed after `weft compile`. */
export function printWritten(fleet: WrittenFleet, paint: Paint): string {
  const { out, topology, keptFiles } = fleet;
  const remarks = [
    ...(fleet.lockWasLost ? [lockLost(topology.files.lock, out)] : []),
    ...keptFiles.map(
      (path) => `${path} is no longer generated but was edited by hand, so it is kept; weft no longer manages it.`,
    ),
  ];
  return `${printSummary(compileReport(fleet), paint)}${remarks.map((it) => `${it}\n`).join('')}`;
}

/** A fleet that lost its lock is not a new one: without the lock every address is decided again. */
const lockLost = (lock: string, out: string): string =>
  `There was no ${lock}, although ${out}/ has bundles: everything was decided again, and addresses may have changed. If the lock was lost, restore it (\`git checkout\`) and compile again.`;
