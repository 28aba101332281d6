import { compileReport } from '../../answers/report/compile-report.ts';
import type { Paint } from '../../answers/report/paint.ts';
import { printSummary } from '../../answers/report/print-summary.ts';
import { visibleText } from '../../base/core/visible-text.ts';
import type { WrittenFleet } from '../app/compile-fleet.ts';

/** Printed after `weft compile`. */
export function printWritten(fleet: WrittenFleet, paint: Paint): string {
  const { out, topology, keptFiles } = fleet;
  const remarks = [
    ...(fleet.lockWasLost ? [lockLost(topology.files.lock, out)] : []),
    ...keptFiles.map(
      (path) => `${path} is no longer generated but was edited by hand, so it is kept; weft no longer manages it.`,
    ),
  ];
  return `${printSummary(compileReport(fleet), paint)}${remarks.map((it) => `${visibleText(it)}\n`).join('')}`;
}

/** A fleet that lost its lock is not a new one: without the lock every address is decided again. */
const lockLost = (lock: string, out: string): string =>
  `There was no ${lock}, although ${out}/ has bundles: everything was decided again, and addresses may have changed. If the lock was lost, restore it (\`git checkout\`) and compile again.`;
