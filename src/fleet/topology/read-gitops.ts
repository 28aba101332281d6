import type { Topology } from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { ArgoSettings, FluxSettings, GitOps } from './declaration.ts';

export type GitOpsSpec = NonNullable<Topology['gitops']>;

/** The settings of entry points; `null` without a repository, since none are written then. */
export function readGitOps(gitops: Reading<GitOpsSpec>, fleet: string): GitOps | null {
  const repository = gitops.at('repository').scalar()?.value;
  if (repository === undefined) return null;
  const [argo, flux] = [gitops.at('argo'), gitops.at('flux')];
  // With one tool named, only its entry points are written; with none named, those of both.
  const neither = !argo.isPresent && !flux.isPresent;
  return {
    repository,
    revision: gitops.at('revision').orDefault('main').value,
    path: canonicalPath(gitops.at('path').orDefault('out').value),
    argo: argo.isPresent || neither ? readArgo(argo, fleet) : null,
    flux: flux.isPresent || neither ? readFlux(flux, fleet) : null,
  };
}

/** Without what means nothing in a path: `./out/` is `out`, and the root of the repository is empty. */
const canonicalPath = (path: string): string =>
  path
    .split('/')
    .filter((it) => it !== '' && it !== '.')
    .join('/');

/** Two fleets in one Argo CD or Flux have objects of their own unless the topologies give them one name. */
const defaultName = (fleet: string): string => `weft-${fleet}`;

const readArgo = (argo: Reading<NonNullable<GitOpsSpec['argo']>>, fleet: string): ArgoSettings => ({
  namespace: argo.at('namespace').orDefault('argocd').value,
  project: argo.at('project').orDefault(defaultName(fleet)).value,
});

const readFlux = (flux: Reading<NonNullable<GitOpsSpec['flux']>>, fleet: string): FluxSettings => ({
  namespace: flux.at('namespace').orDefault('flux-system').value,
  evaluatesReadyExpr: minorOf(flux.at('version').orDefault('2.7').value) >= 7,
  source: flux.at('source').orDefault(defaultName(fleet)).value,
  dependsOn: (flux.at('dependsOn').texts() ?? []).map((it) => it.value),
});

/** The schema accepts releases of Flux 2 only. */
const minorOf = (version: string): number => Number(version.split('.')[1]);
