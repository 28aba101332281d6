import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Topology } from '../../../base/schema-types/topology.ts';
import type { Located } from '../../../base/source/located.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { DNS_LABEL } from '../formats/dns-label.ts';
import { DNS_SUBDOMAIN } from '../formats/dns-subdomain.ts';
import { FLUX_RELEASE } from '../formats/flux-release.ts';
import { GIT_REVISION } from '../formats/git-revision.ts';
import { REPOSITORY_PATH } from '../formats/repository-path.ts';
import { REPOSITORY_URL } from '../formats/repository-url.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

type GitOpsSpec = NonNullable<Topology['gitops']>;

/** Texts of the entry points that git, Argo CD or Flux would refuse, or read as something else. */
export function checkGitOpsTexts(topology: Reading<Topology>, report: Report): void {
  const gitops = topology.at('gitops');
  const [argo, flux] = [gitops.at('argo'), gitops.at('flux')];
  checkText(gitops.at('repository').scalar(), REPOSITORY_URL, '`gitops.repository`', report);
  checkText(gitops.at('revision').scalar(), GIT_REVISION, '`gitops.revision`', report);
  checkText(gitops.at('path').scalar(), REPOSITORY_PATH, '`gitops.path`', report);
  checkText(argo.at('namespace').scalar(), DNS_LABEL, '`gitops.argo.namespace`', report);
  checkText(argo.at('project').scalar(), DNS_SUBDOMAIN, '`gitops.argo.project`', report);
  checkText(flux.at('namespace').scalar(), DNS_LABEL, '`gitops.flux.namespace`', report);
  checkText(flux.at('source').scalar(), DNS_SUBDOMAIN, '`gitops.flux.source`', report);
  checkText(flux.at('version').scalar(), FLUX_RELEASE, '`gitops.flux.version`', report);
  for (const it of flux.at('dependsOn').texts() ?? []) {
    checkText(it, DNS_SUBDOMAIN, 'an entry of `gitops.flux.dependsOn`', report);
    checkDependency(it, topology.at('name').orDefault('').value, report);
  }
  if (flux.isPresent || !argo.isPresent) checkForFlux(gitops, report);
}

/** Source: fluxcd/source-controller@v1.6.0 api/v1/gitrepository_types.go (the pattern of the URL, and the kinds of references). */
function checkForFlux(gitops: Reading<GitOpsSpec>, report: Report): void {
  const [repository, revision] = [gitops.at('repository').scalar(), gitops.at('revision').scalar()];
  if (repository?.value.startsWith('git://')) {
    const message = '`gitops.repository` begins with git://, which Flux does not accept';
    report(
      diagnostic('topology/wrong-value', repository.at, message, {
        hint: 'use the https:// or ssh:// address of the repository, or remove `gitops.flux` and keep `gitops.argo`',
      }),
    );
  }
  if (revision?.value === 'HEAD') {
    const message = '`gitops.revision` is HEAD, which Flux would read as the name of a branch';
    report(
      diagnostic('topology/wrong-value', revision.at, message, { hint: 'write the name of the branch, like main' }),
    );
  }
}

/** The Kustomization of each cluster depends on these. Its own name is `weft-FLEET.CLUSTER`. */
function checkDependency({ value, at }: Located<string>, fleet: string, report: Report): void {
  if (!value.startsWith(`weft-${fleet}.`)) return;
  const message = `\`gitops.flux.dependsOn\` names "${value}", a Kustomization of this fleet, which would wait for itself`;
  const hint = 'name only Kustomizations that Flux applies before, for instance the one that installs Liqo';
  report(diagnostic('topology/wrong-value', at, message, { hint }));
}
