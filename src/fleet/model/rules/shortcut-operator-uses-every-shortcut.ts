import { groupBy } from '../../../base/core/group-by.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { nameShortcuts } from '../name-shortcuts.ts';
import type { ModelRule } from '../resolved-links.ts';
import { unreadEnds } from '../unread-ends.ts';

/** The fork uses every shortcut. For each cluster it reads only some of the connections, see `unreadEnds`. */
export const shortcutOperatorUsesEveryShortcut: ModelRule = function* ({ declaration, model }) {
  if (!declaration.shortcutOperator.value) return;
  const byHub = groupBy(model.links, (it) => (it.kind === 'shortcut' ? it.commonHubs : []));
  for (const [hub, shortcuts] of byHub) {
    for (const { link, end } of unreadEnds(nameShortcuts(shortcuts))) {
      const other = end === link.server ? link.client : link.server;
      yield diagnostic(
        'link/shortcut-operator-unused',
        link.at,
        `the fork in "${hub}" does not use this shortcut for services that "${end.cluster.name}" reaches in "${other.cluster.name}"`,
        {
          about: [[end.cluster.name, other.cluster.name]],
          hint: 'choose the ends with `server`, or remove a shortcut: a cluster can be client of one shortcut only, and shortcuts must not form a ring',
        },
      );
    }
  }
};
