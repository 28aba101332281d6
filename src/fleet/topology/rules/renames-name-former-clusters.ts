import { quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../../base/source/source.ts';
import type { TopologyRule } from './topology-rule.ts';

/** A cluster is renamed from one that is no longer in the topology, and no two clusters are renamed from the same one. */
export const renamesNameFormerClusters: TopologyRule = function* ({ clusters, names }) {
  const declared = new Map(names.map((it) => [it.value, it.at]));
  const taken = new Map<string, { readonly name: string; readonly at: Span }>();
  for (const { name, renamedFrom } of clusters) {
    if (renamedFrom === null) continue;
    const { value: from, at } = renamedFrom;
    const [still, other] = [declared.get(from), taken.get(from)];
    if (from === name) yield bad(at, `${quoted(name)} is renamed from itself`, 'remove `renamedFrom`');
    else if (still) {
      yield bad(
        at,
        `${quoted(name)} is renamed from ${quoted(from)}, which is still a cluster of this topology`,
        `remove \`renamedFrom\`, or the cluster ${quoted(from)}; clusters that swap names need another name in between`,
        { message: `${quoted(from)} is declared here`, span: still },
      );
    } else if (other) {
      yield bad(
        at,
        `${quoted(other.name)} and ${quoted(name)} are both renamed from ${quoted(from)}`,
        'keep `renamedFrom` at the cluster that was called so',
        { message: 'the other one', span: other.at },
      );
    }
    if (!other) taken.set(from, { name, at });
  }
};

const bad = (
  at: Span,
  message: string,
  hint: string,
  related?: NonNullable<Diagnostic['related']>[number],
): Diagnostic => diagnostic('topology/bad-rename', at, message, { hint, related: related && [related] });
