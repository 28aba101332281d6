import { utf8Length } from '../../../base/core/encodings.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type FormatName, type FormattedPart, TEXT_FORMATS } from '../../../base/generated/text-formats.js';
import type { Topology } from '../../../base/schema-types/topology.ts';
import type { Reading, Untyped } from '../../../base/source/reading.ts';
import type { Located, Span } from '../../../base/source/source.ts';
import { ACCEPTABLE_CODE, REASON } from '../acceptances.ts';
import {
  ARGO_CLUSTER_NAME,
  CONFIGURATION_NAME,
  DNS_LABEL,
  DNS_SUBDOMAIN,
  GATEWAY_NAME,
  SECRET_NAME_PATTERN,
  SLICE_NAME,
} from '../formats/dns-names.ts';
import { GO_DURATION, PROMETHEUS_DURATION } from '../formats/durations.ts';
import {
  ANNOTATION_KEY,
  LABEL_KEY,
  LABEL_VALUE,
  LOAD_BALANCER_CLASS,
  QUANTITY,
  RESOURCE_NAME,
  STORE_KEY,
} from '../formats/labels-and-resources.ts';
import {
  FLUX_RELEASE,
  GIT_REVISION,
  IMAGE_REGISTRY,
  IMAGE_TAG,
  REPOSITORY_PATH,
  REPOSITORY_URL,
} from '../formats/repositories-and-images.ts';
import { SERVER_URL } from '../formats/servers.ts';
import type { TextFormat } from '../formats/text-format.ts';
import { INCLUDED_PATH } from '../includes-of.ts';
import type { Report } from '../report.ts';
import { checkText } from './check-text.ts';

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
  'configuration-name': CONFIGURATION_NAME,
  'dns-label': DNS_LABEL,
  'dns-subdomain': DNS_SUBDOMAIN,
  'flux-release': FLUX_RELEASE,
  'gateway-name': GATEWAY_NAME,
  'git-revision': GIT_REVISION,
  'go-duration': GO_DURATION,
  'image-registry': IMAGE_REGISTRY,
  'image-tag': IMAGE_TAG,
  'included-path': INCLUDED_PATH,
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
  reason: REASON,
  annotations: checkAnnotations,
  labels: checkLabels,
  resources: checkResources,
  tolerations: checkTolerations,
};

/** Reports every text without the format that the schema names for it. `defaults` are read as they are written. */
export const checkFormats = (topology: Reading<Topology>, report: Report): void =>
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

/**
 * Most bytes of all annotations of an object.
 * Source: kubernetes/kubernetes@v1.32.0 staging/src/k8s.io/apimachinery/pkg/api/validation/objectmeta.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

function checkAnnotations(annotations: Reading<Untyped>, { name: key, owner }: Words, report: Report): void {
  let bytes = 0;
  for (const { name, value } of annotations.scalars()) {
    checkText(name, ANNOTATION_KEY, `a key of ${key}${owner}`, report);
    bytes += utf8Length(name.value) + utf8Length(textOf(value).value);
  }
  if (bytes <= MOST_ANNOTATION_BYTES) return;
  const message = `${key}${owner} have ${bytes} bytes, and Kubernetes accepts at most ${MOST_ANNOTATION_BYTES}`;
  report(diagnostic('topology/wrong-value', annotations.keySpan, message, { hint: 'shorten or remove some of them' }));
}

function checkResources(resources: Reading<Untyped>, { name: key, owner }: Words, report: Report): void {
  for (const { name, value } of resources.scalars()) {
    checkText(name, RESOURCE_NAME, `a name in ${key}${owner}`, report);
    checkText(textOf(value), QUANTITY, `${name.value} in ${key}${owner}`, report);
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
