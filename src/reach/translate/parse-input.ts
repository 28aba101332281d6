import { quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../../base/diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { isIPv6, readAddress } from '../../base/net/text.ts';
import { readYamlStream } from '../../base/source/read-yaml-documents.ts';
import { Reading, type Unchecked } from '../../base/source/reading.ts';
import { type Located, type Source, type Span, startOf } from '../../base/source/source.ts';
import type { InputEndpoint, InputSlice, TranslateInput } from './translation.ts';

/** Matches a line that only an object can contain: a bracket, a list, a document mark, or a key with its colon. */
const OBJECT_LINE = /^\s*(?:[{[]|---|- |["']?[\w./-]+["']?:(?:\s|$))/m;

/** Reads EndpointSlices in YAML or JSON, or bare addresses separated by spaces, line breaks or commas. */
export function parseInput(source: Source): Outcome<TranslateInput> {
  return OBJECT_LINE.test(source.text.replace(/^\ufeff/, '')) ? parseSlices(source) : parseAddresses(source);
}

/** Words and comments, which begin with `#` and end with their line. */
const WORD = /#.*|[^\s,\ufeff]+/g;

function parseAddresses(source: Source): Outcome<TranslateInput> {
  const problems: Diagnostic[] = [];
  const words = [...source.text.matchAll(WORD)].filter((it) => !it[0].startsWith('#'));
  const addresses = words.flatMap(({ 0: text, index }) =>
    readAddressAt(text, { source, start: index, end: index + text.length }, problems),
  );
  if (words.length === 0) problems.push(nothingToTranslate(startOf(source)));
  else if (addresses.length === 0 && problems.every((it) => it.severity !== 'error'))
    problems.push(nothingToTranslate(startOf(source), NOTHING_LEFT));
  return outcome({ kind: 'addresses', addresses }, problems);
}

/** The kinds that contain others in `items`. Source: kubernetes/api@v0.31.0 core/v1/types.go, discovery/v1/types.go. */
const LISTS = ['List', 'EndpointSliceList'];

/**
 * Reads EndpointSlices from a stream of documents and lists. All mistakes are reported together; slices of names and of
 * IPv6 addresses, and single IPv6 addresses, are left out.
 */
function parseSlices(source: Source): Outcome<TranslateInput> {
  const { roots, problems } = readYamlStream(source);
  if (problems.length > 0) return failure(documentDiagnostics(problems));
  const mistakes: Diagnostic[] = [];
  const slices = roots.flatMap((it) => slicesIn(Reading.of<Unchecked>(it), mistakes));
  if (slices.length === 0 && mistakes.length === 0) {
    const what = roots.length === 0 ? undefined : 'the list on stdin has no EndpointSlices';
    mistakes.push(nothingToTranslate(roots[0]?.span ?? startOf(source), what));
  }
  if (slices.length === 0 && mistakes.length > 0 && !mistakes.some(isError)) {
    mistakes.push(nothingToTranslate(roots[0]?.span ?? startOf(source), NOTHING_LEFT));
  }
  return outcome({ kind: 'slices', slices }, mistakes);
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

function slicesIn(object: Reading<Unchecked>, mistakes: Diagnostic[]): readonly InputSlice[] {
  const kind = object.at('kind').scalar();
  if (kind !== undefined && LISTS.includes(String(kind.value))) {
    const items = object.at('items');
    if (items.isList) return items.items().flatMap((it) => slicesIn(it, mistakes));
    if (!items.isEmpty) mistakes.push(notASlice(items.span, '`items` must be a list'));
    return [];
  }
  if (kind === undefined) {
    const [first] = object.entries();
    mistakes.push(notASlice(first?.name.at ?? object.span, 'this is not an object with a `kind`'));
    return [];
  }
  if (kind.value !== 'EndpointSlice') {
    mistakes.push(notASlice(kind.at, `"${kind.value}" is not a kind that weft translates`));
    return [];
  }
  return sliceOf(object, mistakes);
}

function sliceOf(slice: Reading<Unchecked>, mistakes: Diagnostic[]): readonly InputSlice[] {
  const before = mistakes.length;
  const metadata = slice.at('metadata');
  const name = metadata.at('name').scalar();
  if (name === undefined) mistakes.push(notASlice(slice.at('kind').span, 'this EndpointSlice has no `metadata.name`'));
  const type = slice.at('addressType').scalar();
  if (type?.value === 'FQDN') mistakes.push(isHostname(type.at));
  else if (type?.value === 'IPv6') mistakes.push(ipv6Address(type.at, 'IPv6'));
  else if (type !== undefined && type.value !== 'IPv4') {
    mistakes.push(notASlice(type.at, `"${type.value}" is not an addressType of an EndpointSlice`));
  }
  // With a wrong type, every address would be reported as well.
  if (mistakes.length > before) return [];
  const endpoints = endpointsOf(slice, mistakes);
  if (name === undefined || mistakes.slice(before).some(isError)) return [];
  const namespace = metadata.at('namespace').scalar();
  return [
    {
      name: String(name.value),
      namespace: namespace === undefined ? null : String(namespace.value),
      labels: metadata.at('labels').textMap(),
      annotations: metadata.at('annotations').textMap(),
      endpoints,
      ports: slice.at('ports').plain(),
    },
  ];
}

function endpointsOf(slice: Reading<Unchecked>, mistakes: Diagnostic[]): readonly InputEndpoint[] {
  const endpoints = slice.at('endpoints');
  // A Service without pods has `endpoints: null`.
  if (endpoints.isEmpty) return [];
  if (!endpoints.isList) {
    mistakes.push(notASlice(endpoints.span, '`endpoints` must be a list'));
    return [];
  }
  return endpoints.items().flatMap((it) => {
    const plain = it.plain();
    const addresses = it.at('addresses');
    if (!addresses.isList || typeof plain !== 'object' || plain === null) {
      mistakes.push(notASlice(it.span, 'this endpoint has no list of addresses'));
      return [];
    }
    return [
      {
        addresses: addresses.items().flatMap((one) => addressOf(one, mistakes)),
        plain: plain as InputEndpoint['plain'],
      },
    ];
  });
}

function addressOf(address: Reading<Unchecked>, mistakes: Diagnostic[]): readonly Located<number>[] {
  const { source, start, end } = address.span;
  const value = address.plain();
  const text = typeof value === 'object' && value !== null ? source.text.slice(start, end) : String(value);
  return readAddressAt(text, address.span, mistakes);
}

/** One IPv4 address; for anything else it adds a diagnostic to `problems`. */
function readAddressAt(text: string, at: Span, problems: Diagnostic[]): readonly Located<number>[] {
  const value = readAddress(text);
  if (value !== undefined) return [{ value, at }];
  problems.push(isIPv6(text) ? ipv6Address(at, text) : notAnAddress(at, text));
  return [];
}

const SLICES = 'pipe the output of "kubectl get endpointslices -o yaml" to weft, or bare addresses';

/** Message for an input whose addresses were all left out; each of them has its own reason. */
export const NOTHING_LEFT = 'nothing is left to translate';

export const nothingToTranslate = (at: Span, what = 'stdin contains no addresses'): Diagnostic =>
  diagnostic('translate/empty', at, what, { hint: SLICES });

const notASlice = (at: Span, message: string): Diagnostic =>
  diagnostic('translate/not-a-slice', at, message, { hint: SLICES });

const notAnAddress = (at: Span, text: string): Diagnostic =>
  diagnostic('translate/not-an-address', at, `${quoted(shortened(text, SHOWN_LENGTH))} is not an IPv4 address`, {
    hint: /\/\d+$/.test(text) ? 'remove the prefix length: an endpoint is a single address' : undefined,
  });

const ipv6Address = (at: Span, text: string): Diagnostic =>
  diagnostic('translate/ipv6', at, `${quoted(shortened(text, SHOWN_LENGTH))} is IPv6, which Liqo does not carry`, {
    hint: 'it is left out; the IPv4 addresses of the same Service are translated',
  });

const isHostname = (at: Span): Diagnostic =>
  diagnostic('translate/hostname', at, 'endpoints of addressType "FQDN" are names, and only addresses are translated', {
    hint: 'this slice is left out: a name needs no translation',
  });

export const addressOfNoPod = (at: Span, address: string, cluster: string, why: string): Diagnostic =>
  diagnostic('translate/address-of-nobody', at, `no pod has the address ${address} in "${cluster}": ${why}`, {
    hint: `it is left out; where it should be a pod, set --in to the cluster that uses it, or run "weft view ${cluster}" to list its addresses`,
  });

/** Longest part of the input that is quoted in a message, in UTF-16 code units. */
const SHOWN_LENGTH = 60;
