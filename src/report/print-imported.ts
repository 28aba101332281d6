import { visibleText } from '../core/visible-text.ts';
import { countOf } from '../core/words.ts';
import type { ExplainedCluster } from '../drift/explain-cluster.ts';
import type { Paint } from './paint.ts';
import { printDrift } from './print-drift.ts';

interface ImportReport {
  readonly written: readonly string[];
  readonly changes: readonly ExplainedCluster[];
}

/** `weft import`: what was written, and what applying it would change. */
export function printImported({ written, changes }: ImportReport, paint: Paint): string {
  const lines = written.map((it) => `wrote ${visibleText(it)}`);
  const changed = changes.filter((it) => it.problems.length > 0);
  if (changed.length === 0)
    return `${[...lines, '', `nothing would change in ${countOf(changes.length, 'cluster')}`].join('\n')}\n`;
  return `${lines.join('\n')}\n\n${printDrift({ clusters: changed, others: [] }, { paint, verbose: false })}`;
}
