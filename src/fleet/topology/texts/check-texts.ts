import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Assertion, LinkEntry, ObjectNames, Topology } from '../../../base/schema-types/topology.ts';
import { quotedPiece } from '../../../base/source/document-problem.ts';
import type { Reading } from '../../../base/source/reading.ts';
import type { Located } from '../../../base/source/source.ts';
import { checkAcceptanceTexts } from '../acceptances.ts';
import {
  CONFIGURATION_NAME,
  DNS_LABEL,
  DNS_SUBDOMAIN,
  GATEWAY_NAME,
  SECRET_NAME_PATTERN,
} from '../formats/dns-names.ts';
import { FLUX_RELEASE, GIT_REVISION, REPOSITORY_PATH, REPOSITORY_URL } from '../formats/repositories-and-images.ts';
import { INCLUDED_PATH } from '../includes-of.ts';
import { readApiServer } from '../read-api-server.ts';
import { isAboutService, readServiceName } from '../read-assertions.ts';
import { readOwnCidr, readPools, readReservedCidr } from '../read-cidr.ts';
import { FLEET_POOL, readPlatform } from '../read-cluster.ts';
import { readGateway } from '../read-gateway.ts';
import { readRelease } from '../read-release.ts';
import type { Report } from '../report.ts';
import { checkClusterTexts, checkLiqoTexts } from './check-cluster-texts.ts';
import { checkOffloadingTexts, checkSharingTexts } from './check-sharing-texts.ts';
import { checkAnnotations, checkRenderedString, checkText } from './check-text.ts';

/** Reports texts that cannot work for their keys. `defaults` are read as they are written, so each text is reported once. */
export function checkTexts(topology: Reading<Topology>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  checkText(topology.at('renamedFrom').scalar(), DNS_LABEL, '`renamedFrom`', report);
  for (const it of topology.at('include').texts() ?? []) checkText(it, INCLUDED_PATH, 'an entry of `include`', report);
  checkLiqoTexts(topology.at('liqo'), '', report);
  checkGitOpsTexts(topology, report);
  const secretName = topology.at('keys').at('secretName').scalar();
  checkText(secretName, SECRET_NAME_PATTERN, '`keys.secretName`', report);
  checkRenderedString(secretName, 'a gateway', 'use a name with a letter, like gw-keys', report);
  for (const it of topology.at('peerings').items()) checkLinkTexts(it, report);
  for (const it of topology.at('shortcuts').items()) checkLinkTexts(it, report);
  for (const it of topology.at('sharing').items()) checkSharingTexts(it, report);
  for (const it of topology.at('offloading').items()) checkOffloadingTexts(it, report);
  for (const it of topology.at('assertions').items()) checkAssertionTexts(it, report);
  for (const it of topology.at('accept').items()) checkAcceptanceTexts(it, report);
  checkClusterTexts(topology.at('defaults'), ' in `defaults`', report);
  for (const { name, value } of topology.at('clusters').entries()) {
    checkClusterTexts(value, ` of "${name.value}"`, report);
  }
  return found;
}

/** The name of a Service in an assertion, and that nothing else is beside it. */
function checkAssertionTexts(written: Reading<Assertion>, report: Report): void {
  if (!isAboutService(written)) return;
  for (const { name, value } of written.at('to').scalars()) {
    if (name.value === 'of') continue;
    if (name.value !== 'service') {
      const message = `${quotedPiece(name.value)} does not belong to a Service`;
      report(diagnostic('topology/unknown-key', name.at, message, { hint: 'write `service` and `of` only' }));
    } else if (readServiceName(value.value) === undefined) {
      const message = `${quotedPiece(value.value)} is not the namespace and the name of a Service`;
      report(diagnostic('topology/bad-name', value.at, message, { hint: 'write it like demo/web' }));
    }
  }
}

/** Annotations of a link's Service, and names and namespaces of its gateway templates and other objects. */
function checkLinkTexts(link: Reading<LinkEntry>, report: Report): void {
  checkAnnotations(link.at('serviceAnnotations'), '`serviceAnnotations`', report);
  for (const { name, value } of link.at('names').entries()) checkNames(value, ` of "${name.value}"`, report);
  const template = link.at('template');
  checkText(template.scalar(), DNS_SUBDOMAIN, '`template`', report);
  for (const end of ['server', 'client'] as const) {
    const one = template.at(end);
    checkText(one.scalar(), DNS_SUBDOMAIN, `\`template.${end}\``, report);
    checkText(one.at('name').scalar(), DNS_SUBDOMAIN, `\`template.${end}.name\``, report);
    checkText(one.at('namespace').scalar(), DNS_LABEL, `\`template.${end}.namespace\``, report);
  }
}

const OBJECT_NAMES = [
  ['namespace', DNS_LABEL],
  ['configuration', CONFIGURATION_NAME],
  ['gateway', GATEWAY_NAME],
  ['publicKey', DNS_SUBDOMAIN],
  ['secret', DNS_SUBDOMAIN],
] as const;

/** Names that objects have, and that Liqo makes others of. */
function checkNames(names: Reading<ObjectNames>, owner: string, report: Report): void {
  for (const [key, format] of OBJECT_NAMES) {
    checkText(names.at(key).scalar(), format, `\`names.${key}\`${owner}`, report);
  }
  // The others are in no text that Liqo renders, or only in labels.
  for (const key of ['namespace', 'gateway', 'secret'] as const) {
    checkRenderedString(names.at(key).scalar(), 'a gateway', 'use a name with a letter', report);
  }
}

type GitOpsSpec = NonNullable<Topology['gitops']>;

/** Texts of the entry points that git, Argo CD or Flux would refuse, or read as something else. */
function checkGitOpsTexts(topology: Reading<Topology>, report: Report): void {
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

/**
 * Errors in settings of the fleet and in `defaults`, also where every cluster replaces them: the next cluster may not.
 * Most of them are also found while the clusters are read.
 */
export function checkReplacedTexts(topology: Reading<Topology>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  const defaults = topology.at('defaults');
  for (const key of ['podCIDR', 'serviceCIDR', 'reserved', 'externalCIDR', 'internalCIDR'] as const) {
    const read = key === 'reserved' ? readReservedCidr : readOwnCidr;
    for (const it of defaults.at(key).texts() ?? []) {
      if (it.value !== 'auto') read(it, `${key} in \`defaults\``, report);
    }
  }
  const poolsAt = (pools: Reading<string[]>, what: string): void => {
    if (pools.isPresent) readPools({ pools, otherwiseAt: pools.span, what }, report);
  };
  poolsAt(topology.at('ipam').at('pools'), FLEET_POOL);
  poolsAt(defaults.at('ipam').at('pools'), 'a pool in `defaults`');
  readRelease(topology.at('liqo').at('version').scalar(), report);
  readRelease(defaults.at('liqo').at('version').scalar(), report);
  readPlatform(defaults.at('platform').scalar(), 'platform in `defaults`', report);
  readApiServer(defaults.at('apiServer'), 'in `defaults`', report);
  readGateway(defaults.at('gateway'), 'defaults', report);
  return found.filter((it) => it.severity === 'error');
}
