import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Assertion, LinkEntry, SharingEntry, Topology } from '../../../base/schema-types/topology.ts';
import { quotedPiece } from '../../../base/source/document-problem.ts';
import type { Reading } from '../../../base/source/reading.ts';
import type { Located } from '../../../base/source/source.ts';
import { checkAcceptedPlace } from '../acceptances.ts';
import { readApiServer } from '../read-api-server.ts';
import { isAboutService, readServiceName } from '../read-assertions.ts';
import { readOwnCidr, readPools, readReservedCidr } from '../read-cidr.ts';
import { FLEET_POOL, readPlatform } from '../read-cluster.ts';
import { readGateway } from '../read-gateway.ts';
import type { GitOpsSpec } from '../read-gitops.ts';
import { readRelease } from '../read-release.ts';
import type { Report } from '../report.ts';
import { checkFormats } from './check-formats.ts';
import { checkRenderedString } from './check-text.ts';

/** Reports texts that cannot work for their keys, alone or beside others. */
export function checkTexts(topology: Reading<Topology>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  checkFormats(topology, report);
  checkGitOps(topology, report);
  const secretName = topology.at('keys').at('secretName').scalar();
  checkRenderedString(secretName, 'a gateway', 'use a name with a letter, like gw-keys', report);
  for (const it of [...topology.at('peerings').items(), ...topology.at('shortcuts').items()]) checkNames(it, report);
  for (const it of topology.at('sharing').items()) checkUnused(it, report);
  for (const it of topology.at('assertions').items()) checkAssertionTexts(it, report);
  for (const it of topology.at('accept').items()) checkAcceptedPlace(it, report);
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

/** Names of a link's objects, from which Liqo makes others. The rest are in no text that Liqo renders, or only in labels. */
function checkNames(link: Reading<LinkEntry>, report: Report): void {
  for (const { value: names } of link.at('names').entries()) {
    for (const key of ['namespace', 'gateway', 'secret'] as const) {
      checkRenderedString(names.at(key).scalar(), 'a gateway', 'use a name with a letter', report);
    }
  }
}

/** Settings of the only slice, beside a list of slices; and a store for credentials that nothing asks for. */
function checkUnused(entry: Reading<SharingEntry>, report: Report): void {
  const slices = entry.at('slices');
  for (const key of ['name', 'resources', 'class', 'virtualNode'] as const) {
    if (!slices.isPresent || !entry.at(key).isPresent) continue;
    const message = `\`${key}\` has no effect beside \`slices\``;
    const hint = 'move it into the entries of `slices`, or remove one of the two';
    report(diagnostic('topology/unused-setting', entry.at(key).keySpan, message, { hint }));
  }
  const credentials = entry.at('credentials');
  if (!credentials.isPresent || entry.at('auth').scalar()?.value === 'credentials') return;
  report(
    diagnostic('topology/unused-setting', credentials.keySpan, '`credentials` has no effect with a handshake', {
      hint: 'add `auth: credentials`, or remove it',
    }),
  );
}

/** Texts of the entry points that only one of the tools refuses, or that name this fleet. */
function checkGitOps(topology: Reading<Topology>, report: Report): void {
  const gitops = topology.at('gitops');
  const flux = gitops.at('flux');
  const fleet = topology.at('name').orDefault('').value;
  for (const it of flux.at('dependsOn').texts() ?? []) checkDependency(it, fleet, report);
  if (flux.isPresent || !gitops.at('argo').isPresent) checkForFlux(gitops, report);
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
