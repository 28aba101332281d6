import { groupBy } from '../../../base/core/group-by.ts';
import { countOf } from '../../../base/core/words.ts';
import type { Finding } from '../finding.ts';
import type { FindingRule } from './finding-rule.ts';
import { objectText, shown } from './words.ts';

/** Objects that another tool applies would be changed by two. */
export const othersKeepNoObject: FindingRule = function* ({ clusters }) {
  for (const { cluster, kept } of clusters.values()) {
    for (const objects of groupBy(kept, (it) => [`${it.tool} ${it.group ?? ''}`]).values()) {
      const [first] = objects;
      if (first === undefined) continue;
      const group = first.group === null ? '' : ` "${shown(first.group)}"`;
      const which = `${countOf(objects.length, 'object')} of "${cluster}", for instance ${objectText(first.kind, first)}`;
      yield {
        cluster,
        ...(isGitOps(first.tool) ? ofGitOps(first.tool, group, which) : ofOther(first.tool, group, which)),
      };
    }
  }
};

const isGitOps = (tool: string): boolean => tool === 'Argo CD' || tool === 'Flux';

type Texts = Omit<Finding, 'cluster'>;

const ofGitOps = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-gitops',
  message: `${tool}${group} applies ${which}`,
  hint: `turn pruning of ${tool}${group} off before these objects leave it, so that they are not deleted when the bundle takes them over`,
});

const ofOther = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-another-tool',
  message: `${shown(tool)}${group} keeps ${which}`,
  hint: 'take these objects out of it before the bundle is applied: two tools would change them in turn',
});
