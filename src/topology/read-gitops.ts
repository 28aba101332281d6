import type { Topology } from '../schema-types/topology.ts';
import type { Reading } from '../source/reading.ts';
import type { ArgoSettings, FluxSettings, GitOps } from './declaration.ts';

type GitOpsSpec = NonNullable<Topology['gitops']>;

/** The settings of entry points; `null` without a repository, since none are written then. */
export function readGitOps(gitops: Reading<GitOpsSpec>): GitOps | null {
  const repository = gitops.at('repository').scalar()?.value;
  if (repository === undefined) return null;
  const [argo, flux] = [gitops.at('argo'), gitops.at('flux')];
  // With one tool named, only its entry points are written; with none named, those of both.
  const neither = !argo.isPresent && !flux.isPresent;
  return {
    repository,
    revision: gitops.at('revision').orDefault('main').value,
    path: gitops
      .at('path')
      .orDefault('out')
      .value.replace(/^(\.?\/)+|\/+$/g, ''),
    argo: argo.isPresent || neither ? readArgo(argo) : null,
    flux: flux.isPresent || neither ? readFlux(flux) : null,
  };
}

const readArgo = (argo: Reading<NonNullable<GitOpsSpec['argo']>>): ArgoSettings => ({
  namespace: argo.at('namespace').orDefault('argocd').value,
  project: argo.at('project').orDefault('weft').value,
});

const readFlux = (flux: Reading<NonNullable<GitOpsSpec['flux']>>): FluxSettings => ({
  namespace: flux.at('namespace').orDefault('flux-system').value,
  source: flux.at('source').orDefault('weft').value,
  dependsOn: (flux.at('dependsOn').texts() ?? []).map((it) => it.value),
});
