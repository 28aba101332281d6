import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Entry points for Argo CD and Flux are written only when the topology names the repository that holds the bundles. */
export const gitopsNamesARepository: TopologyRule = function* ({ gitops, name }) {
  if (gitops) return;
  yield diagnostic('topology/no-gitops-repository', name.at, 'no entry points for Argo CD and Flux are written', {
    hint: 'set `gitops.repository` to the URL of the repository that holds `out/`',
  });
};
