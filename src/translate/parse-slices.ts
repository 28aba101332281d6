import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { documentDiagnostics } from '../diagnostics/document-diagnostics.ts';
import { failure, type Outcome, outcome } from '../diagnostics/outcome.ts';
import { type DocumentMap, type DocumentNode, nodeAt, spanAt } from '../source/document-node.ts';
import type { Located } from '../source/located.ts';
import { scalarAt, stringMapAt } from '../source/located.ts';
import { readYamlStream } from '../source/read-yaml-stream.ts';
import { type Source, startOf } from '../source/source.ts';
import { jsonOf } from './json.ts';
import { readAddressAt } from './read-address.ts';
import { isHostname, isIPv6, notASlice, nothingToTranslate } from './translate-diagnostics.ts';
import type { InputEndpoint, InputSlice, TranslateInput } from './translate-input.ts';

/** The kinds that hold others below `items`. Source: kubernetes/api@v0.31.0 core/v1/types.go, discovery/v1/types.go. */
const LISTS = ['List', 'EndpointSliceList'];

/** EndpointSlices from a stream of documents and lists. One run tells all mistakes. */
export function parseSlices(source: Source): Outcome<TranslateInput> {
  const { roots, problems } = readYamlStream(source);
  if (problems.length > 0) return failure(documentDiagnostics(problems));
  const mistakes: Diagnostic[] = [];
  const slices = roots.flatMap((it) => slicesIn(it, mistakes));
  if (slices.length === 0 && mistakes.length === 0) {
    const what = roots.length === 0 ? undefined : 'the list on stdin has no EndpointSlices';
    mistakes.push(nothingToTranslate(roots[0]?.span ?? startOf(source), what));
  }
  return outcome({ kind: 'slices', slices }, mistakes);
}

function slicesIn(node: DocumentNode, mistakes: Diagnostic[]): readonly InputSlice[] {
  const kind = scalarAt<string>(node, ['kind']);
  if (kind !== undefined && LISTS.includes(String(kind.value))) {
    const items = nodeAt(node, ['items']);
    if (items === undefined || (items.kind === 'scalar' && items.value === null)) return [];
    if (items.kind === 'list') return items.items.flatMap((it) => slicesIn(it, mistakes));
    mistakes.push(notASlice(items.span, '"items" must be a list'));
    return [];
  }
  if (node.kind !== 'map' || kind === undefined) {
    mistakes.push(notASlice(node.kind === 'map' ? firstKey(node) : node.span, 'this is no object with a "kind"'));
    return [];
  }
  if (kind.value !== 'EndpointSlice') {
    mistakes.push(notASlice(kind.at, `"${kind.value}" is not a kind that weft translates`));
    return [];
  }
  return sliceOf(node, mistakes);
}

const firstKey = (node: DocumentMap) => [...node.entries.values()][0]?.key ?? node.span;

function sliceOf(node: DocumentMap, mistakes: Diagnostic[]): readonly InputSlice[] {
  const before = mistakes.length;
  const name = scalarAt<string>(node, ['metadata', 'name']);
  if (name === undefined) mistakes.push(notASlice(spanAt(node, ['kind']), 'this EndpointSlice has no "metadata.name"'));
  const type = scalarAt<string>(node, ['addressType']);
  if (type?.value === 'FQDN') mistakes.push(isHostname(type.at));
  else if (type?.value === 'IPv6') mistakes.push(isIPv6(type.at, 'IPv6'));
  else if (type !== undefined && type.value !== 'IPv4') {
    mistakes.push(notASlice(type.at, `"${type.value}" is no addressType of an EndpointSlice`));
  }
  // Addresses of another type would each be told again.
  const endpoints = mistakes.length > before ? [] : endpointsOf(node, mistakes);
  if (name === undefined || mistakes.length > before) return [];
  const namespace = scalarAt<string>(node, ['metadata', 'namespace']);
  const ports = nodeAt(node, ['ports']);
  return [
    {
      name: String(name.value),
      namespace: namespace === undefined ? null : String(namespace.value),
      labels: stringMapAt(node, ['metadata', 'labels']),
      annotations: stringMapAt(node, ['metadata', 'annotations']),
      endpoints,
      ports: ports === undefined ? undefined : jsonOf(ports),
    },
  ];
}

function endpointsOf(node: DocumentMap, mistakes: Diagnostic[]): readonly InputEndpoint[] {
  const endpoints = nodeAt(node, ['endpoints']);
  // A Service whose pods are not there yet has `endpoints: null`.
  if (endpoints === undefined || (endpoints.kind === 'scalar' && endpoints.value === null)) return [];
  if (endpoints.kind !== 'list') {
    mistakes.push(notASlice(endpoints.span, '"endpoints" must be a list'));
    return [];
  }
  return endpoints.items.flatMap((it) => {
    const plain = jsonOf(it);
    const addresses = nodeAt(it, ['addresses']);
    if (it.kind !== 'map' || addresses?.kind !== 'list' || typeof plain !== 'object' || plain === null) {
      mistakes.push(notASlice(it.span, 'this endpoint has no list of addresses'));
      return [];
    }
    return [
      { addresses: addresses.items.flatMap((one) => addressOf(one, mistakes)), plain: plain as InputEndpoint['plain'] },
    ];
  });
}

function addressOf(node: DocumentNode, mistakes: Diagnostic[]): readonly Located<number>[] {
  const { source, start, end } = node.span;
  const text = node.kind === 'scalar' ? String(node.value) : source.text.slice(start, end);
  return readAddressAt(text, node.span, mistakes);
}
