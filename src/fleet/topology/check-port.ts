import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../base/source/located.ts';
import type { Report } from './report.ts';

/** Reports a port outside 1 to 65535. */
export function checkPort(port: Located<number>, what: string, report: Report): void {
  if (port.value >= 1 && port.value <= 65535) return;
  report(diagnostic('topology/bad-range', port.at, `${what} is ${port.value}, which is outside 1 to 65535`));
}
