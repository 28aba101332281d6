import { shellWord } from '../core/shell-word.ts';
import { visibleFields } from '../core/visible-text.ts';

/** Printed after `weft init`. */
export function printStarted(started: { readonly folder: string; readonly written: readonly string[] }): string {
  const { folder, written } = visibleFields(started);
  const inside = folder === '.' ? '' : `cd ${shellWord(folder)} && `;
  return [
    ...written.map((it) => `wrote ${it}`),
    '',
    'Put your clusters into the topology and the commit of weft into the workflow, then:',
    `  ${inside}weft compile`,
    '  weft view rome',
    '',
  ].join('\n');
}
