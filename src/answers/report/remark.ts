import { visibleText } from '../../base/core/visible-text.ts';
import type { Severity } from '../../base/diagnostics/severity.ts';
import type { Paint } from './paint.ts';

/** A result of a whole run, which is about no place in a file. */
export interface Remark {
  readonly severity: Severity;
  /** May have several lines. */
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A remark as people read it in a log. */
export function printRemark({ severity, message, hint }: Remark, paint: Paint): string {
  const text = message.split('\n').map(visibleText).join('\n');
  const advice = hint === undefined ? '' : `  ${paint.good('hint')}: ${visibleText(hint)}\n`;
  return `${paint[severity](severity)}: ${text}\n${advice}`;
}
