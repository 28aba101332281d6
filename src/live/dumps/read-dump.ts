import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { GATEWAY_RESOURCE_LABEL, NONCE_LABEL } from '../../base/releases/labels.ts';
import { plainOf } from '../../base/source/document-node.ts';
import { readYamlDocuments } from '../../base/source/read-yaml-documents.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import { type DumpValue, isJsonMap, type Json, type JsonMap, textAt, type WantedKind } from './json.ts';
import type { KubernetesObject, LiveObject } from './kubernetes-object.ts';
import { emptyDump, hiddenSpan, notAnObject, onePage, refusedByServer, unreadableDump } from './live-diagnostics.ts';
import { PUBLIC_FIELD } from './public-halves.ts';
import { readJsonDump } from './read-json-dump.ts';

/** The most mistakes that are reported for one dump. */
const MOST = 20;

/** The greatest depth of lists in lists. */
const DEEPEST_LIST = 8;

/**
 * Reads the objects of a dump, in order: the output of one or several `kubectl get -o json` or `-o yaml` in one file.
 * All lists are expanded, including typed lists, whose items have no kind. Secrets are removed from the objects.
 */
export function readDump(source: Source, isWanted: WantedKind = () => true): Outcome<readonly LiveObject[]> {
  if (source.text.trim() === '') return outcome<readonly LiveObject[]>([], [emptyDump(startOf(source))]);
  const reading = readJsonDump(source, isWanted) ?? readYamlDump(source, isWanted);
  if (!reading.ok) return reading;
  const problems: Diagnostic[] = reading.value.filter((it) => isPage(it.value)).map((it) => onePage(it.at()));
  const found: LiveObject[] = [];
  for (const it of reading.value.flatMap((top) => itemsOf(top))) {
    const { apiVersion, kind } = isJsonMap(it.value) ? it.value : {};
    if (typeof apiVersion === 'string' && typeof kind === 'string' && !isWanted(apiVersion, kind)) {
      if (kind !== 'Status' && kind !== 'Table') continue;
    }
    const read = kind === 'Status' ? undefined : kind === 'Table' ? none(TABLE) : readObject(it.value);
    if (read?.kind === 'object') found.push({ object: read.object, at: it.at });
    else if (problems.length < MOST) problems.push(problemOf(it, read?.why));
  }
  return outcome<readonly LiveObject[]>(found, problems);
}

/** A list that goes on elsewhere, so an object that is not in it may exist. Source: kubernetes, API concepts, "Retrieving large results sets in chunks". */
const isPage = (value: Json): boolean => (textAt(value, 'metadata', 'continue') ?? '') !== '';

/** The form in which an API server answers `kubectl get` without `-o json`. */
const TABLE = 'it is a table for people, without the objects';

const problemOf = ({ value, at }: DumpValue, why: string | undefined): Diagnostic =>
  why === undefined ? refusedByServer(at(), textAt(value, 'message') ?? 'no reason is given') : notAnObject(at(), why);

/** Returns the items of any kind of list, at any depth; any other value as it is. */
function itemsOf(it: DumpValue, depth = 0): readonly DumpValue[] {
  const { value, at, itemAt } = it;
  const items = listedIn(value);
  if (items === undefined || depth === DEEPEST_LIST) return [it];
  return items.flatMap((item, index) =>
    itemsOf(
      {
        value: isJsonMap(value) ? typed(item, value) : item,
        at: itemAt === undefined ? at : () => itemAt(index),
      },
      depth + 1,
    ),
  );
}

function listedIn(value: Json): readonly Json[] | undefined {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isJsonMap(value) || !String(value['kind']).endsWith('List') || !('items' in value)) return undefined;
  const items = value['items'] ?? [];
  return Array.isArray(items) ? (items as readonly Json[]) : undefined;
}

/** Adds the kind of a typed list to its item. Source: kubernetes, API conventions, "Lists and Simple kinds". */
function typed(item: Json, list: JsonMap): Json {
  const kind = String(list['kind']).replace(/List$/, '');
  if (!isJsonMap(item) || item['kind'] !== undefined || kind === '') return item;
  return { apiVersion: list['apiVersion'] ?? '', kind, ...item };
}

type ObjectReading =
  | { readonly kind: 'object'; readonly object: KubernetesObject }
  | { readonly kind: 'none'; readonly why: string };

/** The greatest nesting depth. No kind of Kubernetes nests half as deep, and recursive code needs a limit. */
const DEEPEST = 64;

/** Reads a value of a dump as an object, without its secrets. */
function readObject(value: Json): ObjectReading {
  if (!isJsonMap(value)) return none('it is not a map');
  const [apiVersion, kind, metadata] = [value['apiVersion'], value['kind'], value['metadata']];
  if (typeof apiVersion !== 'string' || apiVersion === '') return none('it has no apiVersion');
  if (typeof kind !== 'string' || kind === '') return none('items' in value ? CUT_OFF : 'it has no kind');
  const name = textAt(metadata, 'name');
  if (!isJsonMap(metadata) || name === undefined) return none('it has no metadata.name');
  for (const key of ['namespace', 'uid'] as const) {
    if (!['string', 'undefined'].includes(typeof metadata[key])) return none(`metadata.${key} is not a text`);
  }
  for (const key of ['labels', 'annotations'] as const) {
    if (!isTextMap(metadata[key])) return none(`metadata.${key} is not a map of texts`);
  }
  const parts = value['partsRead'];
  if (parts !== undefined && !(Array.isArray(parts) && parts.every((it) => typeof it === 'string')))
    return none('partsRead is not a list of texts');
  if (isDeep(value)) return none(`it is nested more than ${DEEPEST} levels deep`);
  return { kind: 'object', object: withholdSecrets(value as unknown as KubernetesObject) };
}

/** kubectl sorts the keys of YAML, so the kind of a list follows its items. */
const CUT_OFF = 'a list ends with its kind, and this one was cut off';

const none = (why: string): ObjectReading => ({ kind: 'none', why });

const isTextMap = (value: Json | undefined): boolean =>
  value === undefined || (isJsonMap(value) && Object.values(value).every((it) => typeof it === 'string'));

/** Not recursive, because it runs before the depth is known to be safe. */
function isDeep(value: Json): boolean {
  let level: readonly Json[] = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEEPEST) return true;
    level = level.flatMap((it) => Object.values(it as object).filter(isNested));
  }
  return false;
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null;

/** Replaces a secret value; its key stays. */
const WITHHELD = null;

/** An annotation that repeats the object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Source: liqotech/liqo@v1.2.0 pkg/consts/authentication.go (NonceSecretField). */
const NONCE_FIELD = 'nonce';

/**
 * Removes all secrets from an object. A Secret keeps only the names of its values, and that of a gateway its public key; the AWS credentials that a provider
 * on EKS writes into `authParams` keep only the names of their fields. A nonce is public: it proves nothing without its
 * signature. Every live object passes through this function.
 */
export function withholdSecrets(object: KubernetesObject): KubernetesObject {
  const { metadata, ...fields } = object;
  const { managedFields: _, annotations, ...kept } = metadata;
  const { [LAST_APPLIED]: __, ...otherAnnotations } = annotations ?? {};
  const cleaned: KubernetesObject = {
    ...fields,
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: { ...kept, name: metadata.name, ...(annotations === undefined ? {} : { annotations: otherAnnotations }) },
  };
  if (object.kind === 'Secret') return withoutValues(cleaned);
  return withoutAccess(withoutAccess(cleaned, 'spec'), 'status');
}

function withoutValues(secret: KubernetesObject): KubernetesObject {
  const isNonce = secret.metadata.labels?.[NONCE_LABEL] === 'true';
  const isKeyPair = secret.metadata.labels?.[GATEWAY_RESOURCE_LABEL] === 'true';
  const keep = [...(isNonce ? [NONCE_FIELD] : []), ...(isKeyPair ? [PUBLIC_FIELD] : [])];
  const fields = ['data', 'stringData'].flatMap((it) =>
    it in secret ? [[it, withheld(secret[it], keep)] as const] : [],
  );
  return { ...secret, ...Object.fromEntries(fields) };
}

/** Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/common_types.go (AuthParams, AwsConfig). */
function withoutAccess(object: KubernetesObject, field: 'spec' | 'status'): KubernetesObject {
  const part = object[field];
  const params = isJsonMap(part) ? part['authParams'] : undefined;
  if (!isJsonMap(part) || !isJsonMap(params) || params['awsConfig'] === undefined) return object;
  return { ...object, [field]: { ...part, authParams: { ...params, awsConfig: withheld(params['awsConfig'], []) } } };
}

function withheld(value: Json | undefined, keep: readonly string[]): JsonMap | null {
  if (!isJsonMap(value)) return WITHHELD;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, keep.includes(key) ? it : WITHHELD]));
}

/** A part of a dump that is parsed separately: an item of a list, or a document. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly isItem: boolean;
}

/** Replaces the parser's message, which repeats text that may be of a Secret. */
const NOT_YAML = 'it is not YAML from here on';

/**
 * Reads the values of a YAML dump. Items of a kubectl list are parsed one by one, and only if their kind is wanted:
 * parsing YAML takes fifty times as long as JSON, and may need more memory than the machine has.
 */
function readYamlDump(source: Source, isWanted: WantedKind): Outcome<readonly DumpValue[]> {
  const values: DumpValue[] = [];
  const page = PAGE.exec(source.text);
  if (page !== null) return failure([onePage(hiddenSpan(source, page.index, page.index + 1))]);
  for (const part of partsOf(source.text)) {
    const text = source.text.slice(part.start, part.end);
    if (part.isItem && !mayBeWanted(text, isWanted)) continue;
    const reading = readYamlDocuments({ path: source.path, text });
    if (!reading.ok) {
      const { kind, span } = reading.problem;
      const at = hiddenSpan(source, part.start + span.start, part.start + span.end);
      const isReference = kind === 'anchor' || kind === 'tag';
      const why = isReference ? 'it has an anchor, an alias or a tag, and kubectl writes none' : NOT_YAML;
      return failure([unreadableDump(at, why)]);
    }
    for (const root of reading.documents) {
      const [node] = part.isItem && root.kind === 'list' ? root.items : [root];
      if (node === undefined || (node.kind === 'scalar' && node.value === null)) continue;
      const start = part.start + node.span.start;
      values.push({ value: detached(plainOf(node)), at: () => hiddenSpan(source, start, start + 1) });
    }
  }
  return outcome(values);
}

/** The metadata of a list that is one page of a longer one. */
const PAGE = /^metadata:\r?\n(?: {2}.*\n)*? {2}continue: (?!""|'')\S/m;

/** Copies a value, because the parser's texts are slices that would keep the whole dump in memory. */
const detached = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Tests the kind of an item by its own keys, indented by two columns. Without one, the item is parsed and reported. */
function mayBeWanted(item: string, isWanted: WantedKind): boolean {
  const [, apiVersion] = /^(?:- | {2})apiVersion: ([\w./-]+)\r?$/m.exec(item) ?? [];
  const [, kind] = /^(?:- | {2})kind: (\w+)\r?$/m.exec(item) ?? [];
  return apiVersion === undefined || kind === undefined || isWanted(apiVersion, kind) || kind.endsWith('List');
}

function* partsOf(text: string): Iterable<Part> {
  const marks = [...text.matchAll(/^---(?=\s|$)/gm)].map((it) => it.index);
  const starts = marks[0] === 0 ? marks : [0, ...marks];
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? text.length;
    const items = itemsIn(text.slice(start, end));
    if (items === undefined) yield { start, end, isItem: false };
    else for (const it of items) yield { start: start + it.start, end: start + it.end, isItem: true };
  }
}

/**
 * Splits a list whose dashes are in the first column, where no scalar can have one. Source: YAML 1.2.2, 8.2.1 and 6.1.
 * `undefined` for any other document, which is parsed as a whole.
 */
function itemsIn(document: string): readonly Omit<Part, 'isItem'>[] | undefined {
  // Two lists that kubectl wrote into one file have no separator. Each ends with its kind, unless it was cut off.
  const lists = [...document.matchAll(/^items:[ \t]*\r?\n(?=- )/gm)];
  const kinds = [...document.matchAll(/^kind: \w*List[ \t]*\r?$/gm)];
  return lists.length === 0 || kinds.length < lists.length
    ? undefined
    : lists.flatMap((it) => listItems(document, it.index + it[0].length));
}

function listItems(document: string, first: number): readonly Omit<Part, 'isItem'>[] {
  const after = document.slice(first).search(/^(?!- |[ \t\r#]|$)/m);
  const last = after === -1 ? document.length : first + after;
  const starts = [...document.slice(first, last).matchAll(/^- /gm)].map((it) => first + it.index);
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? last }));
}
