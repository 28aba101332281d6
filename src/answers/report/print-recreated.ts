import type { RecreatedView } from '../../reach/view/recreated-view.ts';
import { alignRows } from './align-rows.ts';
import { markdownTable } from './markdown-table.ts';
import type { Paint } from './paint.ts';

/** How a cluster sees a peer once the Configuration of that peer is deleted and created again. */
export function printRecreated(view: RecreatedView, paint: Paint): string {
  const rows = rowsOf(view).map(([kind = '', ...cells]) => [`  ${kind}`, ...cells]);
  return `${[paint.strong(`${title(view)}:`), ...alignRows(rows)].join('\n')}\n`;
}

/** The same as a table. */
export function printRecreatedMarkdown(view: RecreatedView): string {
  return `${[`${title(view)}:`, ...markdownTable(['', 'CIDR', 'seen at', ''], rowsOf(view))].join('\n')}\n`;
}

const title = ({ cluster, peer }: RecreatedView): string =>
  `${cluster} sees ${peer} at these addresses once its Configuration is deleted and created again`;

const rowsOf = ({ views }: RecreatedView): readonly (readonly string[])[] =>
  views.map(({ kind, cidr, seenAs, recreatedAs }) => [
    kind === 'pod' ? 'pods' : 'external',
    cidr,
    recreatedAs,
    recreatedAs === seenAs ? 'as now' : `instead of ${seenAs}`,
  ]);
