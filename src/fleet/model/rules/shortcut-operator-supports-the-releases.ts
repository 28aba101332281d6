import { listOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { firstLineWith, linesWith } from '../../../base/releases/traits.ts';
import { describeNewerClusters } from '../../topology/describe-newer-clusters.ts';
import type { ModelRule } from '../resolved-links.ts';

/**
 * The shortcut operator works with the releases of all clusters that are an end or a hub of a shortcut. It looks for
 * Networks by names that 1.2 no longer uses.
 * Source: liqo reference of the operator, internal/controller.
 */
export const shortcutOperatorSupportsTheReleases: ModelRule = function* ({ declaration, model, served }) {
  if (!declaration.shortcutOperator.value) return;
  const shortcuts = served.filter((it) => it.link.kind === 'shortcut');
  const involved = new Set(
    shortcuts.flatMap(({ link, server, client }) => [...link.commonHubs, server.name, client.name]),
  );
  const newer = [...model.clusters.values()].filter(
    (it) => involved.has(it.name) && !it.traits.worksWithShortcutOperator,
  );
  const [first] = newer;
  if (!first) return;
  const who = describeNewerClusters(first, newer.length - 1);
  yield diagnostic(
    'topology/shortcut-operator-release',
    declaration.shortcutOperator.at,
    `the shortcut operator works only with Liqo ${listOf(linesWith('worksWithShortcutOperator'))}, but ${who}`,
    {
      hint: `set \`liqo.shortcutOperator: false\`; Liqo ${firstLineWith('hasDirectConnections')} has direct connections of its own`,
      related: [{ message: `"${first.name}" is declared here`, span: first.at }],
    },
  );
};
