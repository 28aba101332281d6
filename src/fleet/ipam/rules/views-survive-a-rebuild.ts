import { firstOf } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { printPrefix } from '../../../base/net/text.ts';
import { type AddressedCluster, viewsOf } from '../addressed-model.ts';
import type { AddressRule } from './address-rule.ts';

/** How many views the warning names. */
const SHOWN = 5;

/** After a rebuild a cluster sees its peers as it does now. */
export const viewsSurviveARebuild: AddressRule = function* ({ clusters }) {
  for (const cluster of clusters.values()) yield* history(cluster);
};

function* history(cluster: AddressedCluster): Iterable<Diagnostic> {
  const kept = [...cluster.peers.values()].flatMap((peer) =>
    viewsOf(peer)
      .filter((it) => it.history)
      .map((view) => ({ peer, view })),
  );
  if (kept.length === 0) return;
  const texts = kept.map(
    ({ peer, view }) => `${printPrefix(view.cidr)} of "${peer.name}" as ${printPrefix(view.seenAs)}`,
  );
  yield diagnostic(
    'ipam/history',
    cluster.at,
    `"${cluster.name}" keeps ${kept.length === 1 ? 'a view that a rebuild' : `${kept.length} views that a rebuild`} would not assign again: ${firstOf(texts, SHOWN)}`,
    {
      about: [[cluster.name]],
      hint: `run "weft compile --relock ${cluster.name}" when you rebuild the cluster, to decide its views again; until then nothing moves`,
    },
  );
}
