import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The topology names the repository that contains the bundles: without it no entry points for GitOps tools are written. */
export const gitopsNamesARepository: TopologyRule = function* ({ gitops, name }) {
  if (gitops) return;
  yield diagnostic('topology/no-gitops-repository', name.at, 'no entry points for Argo CD and Flux are written', {
    hint: 'set `gitops.repository` to the URL of the repository that contains `out/`',
  });
};
