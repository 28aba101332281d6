import { utf8Length } from '../../base/core/encodings.ts';
import { parseQuantity } from '../../base/core/quantity.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type FormatName, type FormattedPart, TEXT_FORMATS } from '../../base/generated/text-formats.js';
import { isReservedKey } from '../../base/releases/labels.ts';
import type {
  Assertion,
  BoundaryEntry,
  ClusterSpec,
  LinkEntry,
  SharingEntry,
  Topology,
} from '../../base/schema-types/topology.ts';
import { quotedPiece } from '../../base/source/document-problem.ts';
import type { Reading, Untyped } from '../../base/source/reading.ts';
import type { Located, Span } from '../../base/source/source.ts';
import { ACCEPTABLE_CODE, checkAcceptedPlace, REASON } from './acceptances.ts';
import {
  ARGO_CLUSTER_NAME,
  CONFIGURATION_NAME,
  DNS_LABEL,
  DNS_SUBDOMAIN,
  FAILED_PART,
  GATEWAY_NAME,
  SECRET_NAME_PATTERN,
  SLICE_NAME,
} from './formats/dns-names.ts';
import { GO_DURATION, PROMETHEUS_DURATION } from './formats/durations.ts';
import {
  ANNOTATION_KEY,
  KEY_PAIR_KEY,
  KUBELET_ARGUMENT,
  LABEL_KEY,
  LABEL_VALUE,
  LOAD_BALANCER_CLASS,
  QUANTITY,
  RESOURCE_NAME,
  STORE_KEY,
} from './formats/labels-and-resources.ts';
import {
  FLUX_RELEASE,
  GIT_REVISION,
  IMAGE_REGISTRY,
  IMAGE_TAG,
  REPOSITORY_PATH,
  REPOSITORY_URL,
  SERVER_URL,
} from './formats/repositories-and-servers.ts';
import type { TextFormat } from './formats/text-format.ts';
import { INCLUDED_PATH } from './includes-of.ts';
import { readApiServer } from './read-api-server.ts';
import { readOwnCidr, readPools, readReservedCidr } from './read-cidr.ts';
import { FLEET_POOL, readPlatform, readRelease } from './read-cluster.ts';
import {
  FLOW_KEYS,
  type GitOpsSpec,
  isAboutService,
  isByWithoutEffect,
  isFlowWithoutEffect,
  isWithoutEffect,
  readServiceName,
} from './read-declaration.ts';
import { readGateway } from './read-gateway.ts';
import { checkRenderedString, checkText, type Report } from './report.ts';

/** Reports texts that cannot work for their keys, alone or beside others. */
export function checkTexts(topology: Reading<Topology>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  checkFormats(topology, report);
  checkGitOps(topology, report);
  for (const { name, value } of topology.at('clusters').entries())
    checkUnread(topology, { name: name.value, cluster: value }, report);
  const links = [...topology.at('peerings').items(), ...topology.at('shortcuts').items()];
  const secretName = topology.at('keys').at('secretName');
  checkRenderedString(secretName.scalar(), 'a gateway', 'use a name with a letter, like gw-keys', report);
  for (const it of links) checkNames(it, report);
  checkKeyStore(topology.at('keys'), report);
  if (topology.at('keys').at('secrets').scalar()?.value === 'liqo') {
    const ofEnds = links.flatMap((link) =>
      link
        .at('names')
        .entries()
        .map(({ value }) => value.at('secret')),
    );
    for (const it of [secretName, ...ofEnds]) if (it.isPresent) report(nameOfLiqosSecret(it));
  }
  for (const it of topology.at('sharing').items()) checkUnused(it, report);
  for (const it of topology.at('boundaries').items()) checkPods(it, report);
  for (const it of topology.at('assertions').items()) checkAssertionTexts(it, report);
  for (const it of topology.at('accept').items()) checkAcceptedPlace(it, report);
  return found;
}

/** Labels are those of pods in one namespace. */
function checkPods(entry: Reading<BoundaryEntry>, report: Report): void {
  if (!entry.at('toPods').isPresent || entry.at('toNamespace').isPresent) return;
  const message = '`toPods` has no effect without `toNamespace`: a gateway knows no labels';
  const hint = 'name the namespace of the pods with `toNamespace`, or remove it';
  report(diagnostic('topology/unused-setting', entry.at('toPods').keySpan, message, { hint }));
}

/** A part without effect; the name of a Service in an assertion, and that nothing else is beside it. */
function checkAssertionTexts(written: Reading<Assertion>, report: Report): void {
  if (isWithoutEffect(written)) {
    const message = '`without` has no effect on `unreachable`: a failure opens no path';
    const hint = 'remove it, or name the part that every path must pass';
    report(diagnostic('topology/unused-setting', written.at('without').keySpan, message, { hint }));
  }
  if (isByWithoutEffect(written)) {
    const message = '`by` has an effect on `unreachable` between clusters only';
    const hint = 'remove it, or write `expect: unreachable` and name clusters';
    report(diagnostic('topology/unused-setting', written.at('by').keySpan, message, { hint }));
  }
  if (isFlowWithoutEffect(written)) {
    const key = FLOW_KEYS.find((it) => written.at(it).isPresent) ?? 'port';
    const message = `\`${key}\` has no effect on ${isAboutService(written) ? 'a Service' : 'what must hold `without` a part'}`;
    const hint = `remove it, or write an assertion about clusters${isAboutService(written) ? '' : ' and all parts'} with it`;
    report(diagnostic('topology/unused-setting', written.at(key).keySpan, message, { hint }));
  }
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

/** A store is named with `secrets: external`, and only then. */
function checkKeyStore(keys: Reading<NonNullable<Topology['keys']>>, report: Report): void {
  const secrets = keys.at('secrets');
  const isExternal = secrets.scalar()?.value === 'external';
  if (isExternal && !keys.at('store').isPresent) {
    const message = '`secrets: external` has no `store` to read the keys from';
    const hint = 'add `store`, the name of a ClusterSecretStore';
    report(diagnostic('topology/missing-key', secrets.span, message, { hint }));
  }
  for (const key of ['store', 'storeKind', 'key'] as const) {
    if (isExternal || !keys.at(key).isPresent) continue;
    const message = `\`${key}\` has no effect without \`secrets: external\``;
    report(diagnostic('topology/wrong-value', keys.at(key).keySpan, message, { hint: 'add it, or remove the key' }));
  }
}

const nameOfLiqosSecret = (name: Reading<string>): Diagnostic =>
  diagnostic('topology/wrong-value', name.keySpan, 'with `secrets: liqo` Liqo names the Secret of each gateway', {
    hint: 'remove the name, or write `secrets: provided`',
  });

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
  const revision = gitops.at('revision').scalar();
  const why = revision && unusualRevision(revision.value);
  if (!revision || !why) return;
  const message = `\`gitops.revision\` is ${quotedPiece(revision.value)}, which the tools would read as the name of a branch`;
  report(diagnostic('topology/unusual-value', revision.at, message, { hint: why }));
}

/** Advice for a text that git understands in a clone, and no server as a branch. */
function unusualRevision(text: string): string | undefined {
  const [, branch] = /^(?:origin|upstream)\/(.+)$/.exec(text) ?? [];
  if (branch !== undefined) return `write the name of the branch, like ${branch}`;
  return /^(?=.*\d)[0-9a-f]{7,39}$/.test(text) ? 'write all 40 characters of the commit' : undefined;
}

interface NamedCluster {
  readonly name: string;
  readonly cluster: Reading<ClusterSpec>;
}

/** Settings of a cluster for a tool that no entry points are written for, and of alerts that are not written. */
function checkUnread(topology: Reading<Topology>, { name, cluster }: NamedCluster, report: Report): void {
  const [gitops, own] = [topology.at('gitops'), cluster.at('gitops')];
  const [argo, flux] = (['argo', 'flux'] as const).map((it) => gitops.at(it).isPresent);
  const isFluxOnly = gitops.isPresent && flux && !argo;
  const isArgoOnly = gitops.isPresent && argo && !flux;
  const unread = (
    setting: Pick<Reading<Untyped>, 'isPresent' | 'keySpan'>,
    key: string,
    why: string,
    hint: string,
  ): void => {
    if (!setting.isPresent) return;
    const message = `\`${key}\` of "${name}" has no effect ${why}`;
    report(diagnostic('topology/unused-setting', setting.keySpan, message, { about: [[name]], hint }));
  };
  const remove = (tool: string): string => `remove it, or add \`${tool}: {}\` to \`gitops\``;
  if (isFluxOnly) {
    for (const key of ['name', 'server'] as const)
      unread(own.at(key), `gitops.${key}`, 'without Argo CD', remove('argo'));
  } else if (own.at('server').isPresent) {
    unread(own.at('name'), 'gitops.name', 'beside `gitops.server`', 'remove one of the two');
  }
  if (isArgoOnly) unread(own.at('kubeConfigSecret'), 'gitops.kubeConfigSecret', 'without Flux', remove('flux'));
  if (!gitops.isPresent)
    unread(own, 'gitops', 'without `gitops` of the fleet', 'add `gitops` with the repository of `out/`');
  const isDecided = [cluster, topology.at('defaults')].some(
    (it) => it.at('monitoring').at('prometheusRules').isPresent,
  );
  const alerts = 'set `prometheusRules: true` in it, or remove it';
  if (!isDecided) unread(cluster.at('monitoring'), 'monitoring', 'without `prometheusRules`', alerts);
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

/** The name of a part in messages, and its owner: `` `ping.interval` `` and `` of "rome"``. */
interface Words {
  readonly name: string;
  readonly owner: string;
}

/** Checks a map or a list as a whole. */
type Check = (part: Reading<Untyped>, words: Words, report: Report) => void;

/** By its name in the schema (`x-weft-format`), the format of a text, or how a map or a list is checked as a whole. */
export const FORMATS: Readonly<Record<FormatName, TextFormat | Check>> = {
  'acceptable-code': ACCEPTABLE_CODE,
  'annotation-key': ANNOTATION_KEY,
  'argo-cluster-name': ARGO_CLUSTER_NAME,
  'cluster-labels': checkLabels,
  'configuration-name': CONFIGURATION_NAME,
  'dns-label': DNS_LABEL,
  'dns-subdomain': DNS_SUBDOMAIN,
  'failed-part': FAILED_PART,
  'flux-release': FLUX_RELEASE,
  'gateway-name': GATEWAY_NAME,
  'git-revision': GIT_REVISION,
  'go-duration': GO_DURATION,
  'image-registry': IMAGE_REGISTRY,
  'image-tag': IMAGE_TAG,
  'included-path': INCLUDED_PATH,
  'kubelet-argument': KUBELET_ARGUMENT,
  'label-key': LABEL_KEY,
  'label-value': LABEL_VALUE,
  'load-balancer-class': LOAD_BALANCER_CLASS,
  'prometheus-duration': PROMETHEUS_DURATION,
  'repository-path': REPOSITORY_PATH,
  'repository-url': REPOSITORY_URL,
  'secret-name-pattern': SECRET_NAME_PATTERN,
  'server-url': SERVER_URL,
  'slice-name': SLICE_NAME,
  'store-key': STORE_KEY,
  'key-pair-key': KEY_PAIR_KEY,
  'no-secret': checkNoSecret,
  reason: REASON,
  annotations: checkAnnotations,
  labels: checkOwnLabels,
  'node-selector': checkNodeSelector,
  resources: checkResources,
  tolerations: checkTolerations,
};

/** Reports every text without the format that the schema names for it. `defaults` are read as they are written. */
const checkFormats = (topology: Reading<Topology>, report: Report): void =>
  visit(topology.untyped(), TEXT_FORMATS, { name: '', path: '', owner: '' }, report);

/** `path` is that of the keys below, as messages repeat it. */
function visit(at: Reading<Untyped>, part: FormattedPart, words: Words & { path: string }, report: Report): void {
  const owner = part.owner ? ` ${part.owner}${words.owner}` : words.owner;
  if (part.format) check(at, FORMATS[part.format], { name: words.name, owner }, report);
  const path = part.owner === undefined ? words.path : '';
  if (part.keys || part.values) {
    for (const { name, value } of at.entries()) {
      const known = part.keys?.[name.value];
      const here = path === '' ? name.value : `${path}.${name.value}`;
      if (known) visit(value, known, { name: `\`${here}\``, path: here, owner }, report);
      if (part.values) visit(value, part.values, { name: '', path, owner: ` of "${name.value}"${owner}` }, report);
    }
  }
  if (!part.items) return;
  for (const it of at.items()) visit(it, part.items, { name: `an entry of \`${path}\``, path: '', owner }, report);
}

function check(at: Reading<Untyped>, format: TextFormat | Check, words: Words, report: Report): void {
  if (typeof format === 'function') format(at, words, report);
  else for (const it of at.texts() ?? []) checkText(it, format, `${words.name}${words.owner}`, report);
}

const textOf = ({ value, at }: Located<string | number | boolean>): Located<string> => ({ value: String(value), at });

function checkLabels(labels: Reading<Untyped>, { name: key, owner }: Words, report: Report): void {
  for (const { name, value } of labels.scalars()) {
    checkText(name, LABEL_KEY, `a key of ${key}${owner}`, report);
    checkText(textOf(value), LABEL_VALUE, `a value of ${key}${owner}`, report);
  }
}

function checkOwnLabels(labels: Reading<Untyped>, words: Words, report: Report): void {
  checkLabels(labels, words, report);
  for (const { name } of labels.scalars()) {
    checkNotReserved(name, words, report);
    if (!OF_KUBERNETES.test(name.value)) continue;
    const message = `${quotedPiece(name.value)} in ${words.name}${words.owner} is a label that only Kubernetes writes`;
    const hint = 'remove it, or use a name with a domain of yours';
    report(diagnostic('topology/wrong-value', name.at, message, { hint }));
  }
}

/** Labels of Kubernetes itself, such as `kubernetes.io/hostname`. */
const OF_KUBERNETES = /^(kubernetes|k8s)\.io\//;

/** No label or annotation replaces one that Liqo or a tool writes to the same object. */
function checkNotReserved({ value, at }: Located<string>, { name, owner }: Words, report: Report): void {
  if (!isReservedKey(value)) return;
  const message = `${quotedPiece(value)} in ${name}${owner} would replace what Liqo or a GitOps tool writes there itself`;
  report(diagnostic('topology/wrong-value', at, message, { hint: 'remove it, or use a name with a domain of yours' }));
}

/** Nodes that no gateway can run on: virtual ones, and those of Windows. */
const NO_GATEWAY: ReadonlyMap<string, readonly [value: string, why: string]> = new Map([
  ['liqo.io/type', ['virtual-node', 'virtual nodes, whose pods run in another cluster']],
  ['kubernetes.io/os', ['windows', 'nodes with Windows, and gateways are Linux containers']],
  ['beta.kubernetes.io/os', ['windows', 'nodes with Windows, and gateways are Linux containers']],
]);

function checkNodeSelector(selector: Reading<Untyped>, words: Words, report: Report): void {
  checkLabels(selector, words, report);
  for (const { name, value } of selector.scalars()) {
    const [unfit, why] = NO_GATEWAY.get(name.value) ?? [];
    if (unfit === undefined || unfit !== String(value.value)) continue;
    const message = `${words.name}${words.owner} selects ${why}`;
    report(diagnostic('topology/wrong-value', value.at, message, { hint: 'select nodes of this cluster with Linux' }));
  }
}

/**
 * Most bytes of all annotations of an object.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

function checkAnnotations(annotations: Reading<Untyped>, { name: key, owner }: Words, report: Report): void {
  let bytes = 0;
  for (const { name, value } of annotations.scalars()) {
    checkText(name, ANNOTATION_KEY, `a key of ${key}${owner}`, report);
    checkNotReserved(name, { name: key, owner }, report);
    bytes += utf8Length(name.value) + utf8Length(textOf(value).value);
  }
  if (bytes <= MOST_ANNOTATION_BYTES) return;
  const message = `${key}${owner} have ${bytes} bytes, and Kubernetes accepts at most ${MOST_ANNOTATION_BYTES}`;
  report(diagnostic('topology/wrong-value', annotations.keySpan, message, { hint: 'shorten or remove some of them' }));
}

/** A text here would be a credential, which git keeps for everybody who reads the repository. */
function checkNoSecret(at: Reading<Untyped>, { name, owner }: Words, report: Report): void {
  const text = at.scalar();
  if (!text || text.value === '') return;
  const hint =
    'remove it and revoke it, since the history of git keeps it; set `useExistingSecret` and a `secretKeyRef`';
  report(diagnostic('topology/secret', text.at, `${name}${owner} is a credential`, { hint }));
}

const NANOS = 1_000_000_000n;

/**
 * True for pods and for resources of devices, such as nvidia.com/gpu.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/v1/helper/helpers.go (IsExtendedResourceName, IsIntegerResourceName).
 */
const isCounted = (resource: string): boolean =>
  resource === 'pods' || (resource.includes('/') && !/(^|\.)kubernetes\.io\//.test(resource));

function checkResources(resources: Reading<Untyped>, { name: key, owner }: Words, report: Report): void {
  for (const { name, value } of resources.scalars()) {
    checkText(name, RESOURCE_NAME, `a name in ${key}${owner}`, report);
    checkText(textOf(value), QUANTITY, `${name.value} in ${key}${owner}`, report);
    const nanos = isCounted(name.value) ? parseQuantity(textOf(value).value)?.nanos : undefined;
    if (nanos === undefined || nanos % NANOS === 0n) continue;
    const message = `${name.value} in ${key}${owner} is ${quotedPiece(textOf(value).value)}, but Kubernetes counts it in whole numbers`;
    report(diagnostic('topology/wrong-value', value.at, message, { hint: 'write a whole number, like 1' }));
  }
}

/**
 * Reports a toleration that an API server refuses, with the whole Deployment of the gateway.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (ValidateTolerations).
 */
function checkTolerations(tolerations: Reading<Untyped>, { owner }: Words, report: Report): void {
  const wrong = (at: Span, message: string, hint: string): void =>
    report(diagnostic('topology/wrong-value', at, message, { hint }));
  for (const toleration of tolerations.items()) {
    const [key] = toleration.at('key').texts() ?? [];
    const [value] = toleration.at('value').texts() ?? [];
    const exists = toleration.at('operator').scalar()?.value === 'Exists';
    const what = `of a toleration${owner}`;
    if (key && key.value !== '') checkText(key, LABEL_KEY, `\`key\` ${what}`, report);
    if (value && !exists) checkText(value, LABEL_VALUE, `\`value\` ${what}`, report);
    if ((!key || key.value === '') && !exists) {
      const message = `a toleration${owner} has no \`key\`, which Kubernetes accepts only with \`operator: Exists\``;
      wrong(toleration.span, message, 'add the `key` of the taint, or `operator: Exists` for every taint');
    }
    if (exists && value && value.value !== '') {
      const message = `a toleration${owner} has a \`value\`, which Kubernetes does not accept with \`operator: Exists\``;
      wrong(value.at, message, 'remove the `value`, or write `operator: Equal`');
    }
    const seconds = toleration.at('tolerationSeconds');
    if (seconds.isPresent && toleration.at('effect').scalar()?.value !== 'NoExecute') {
      const message = `\`tolerationSeconds\` ${what} needs \`effect: NoExecute\``;
      wrong(seconds.keySpan, message, 'set `effect: NoExecute`, or remove `tolerationSeconds`');
    }
  }
}
