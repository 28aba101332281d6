import { by } from '../../base/core/order.ts';
import { utf8Bytes } from '../../base/core/utf8.ts';
import { printAddress } from '../../base/net/text.ts';
import { DIRECT_CONNECTIONS_ANNOTATION, SHORTCUT_ADDRESSES_LABEL } from '../../base/releases/labels.ts';
import type { Reflection } from './reflection.ts';
import { type InputSlice, isAttributed } from './translate-input.ts';
import type { ExplainedArrival, SliceResult, TranslatedAddress, TranslatedSlice, Way } from './translation.ts';

/**
 * Annotations of a slice must have fewer bytes than this, keys included.
 * Source: liqotech/liqo@v1.2.0 pkg/consts/replication.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

/**
 * The results for a slice as a whole: the labels and annotations that the hub adds, and whether the receiver gets it.
 */
export function translateSlice(
  reflection: Reflection,
  slice: InputSlice,
  addresses: readonly (readonly TranslatedAddress[])[],
): TranslatedSlice {
  const endpoints = addresses.map(keepShortcutOnly);
  const has = (way: Way): boolean => endpoints.flat().some((it) => it.arrivals[way] !== undefined);
  const results = {
    hub: { labels: {}, annotations: {}, refused: null },
    ...(has('direct') ? { direct: directResult(reflection, slice, endpoints) } : {}),
    ...(has('shortcut') ? { shortcut: shortcutResult(endpoints) } : {}),
  };
  return { slice, endpoints, results };
}

/** The fork keeps the one address of an endpoint that uses the shortcut, and drops its other addresses. */
function keepShortcutOnly(endpoint: readonly TranslatedAddress[]): readonly TranslatedAddress[] {
  const kept = endpoint.find(isShortcut);
  if (kept === undefined) return endpoint;
  const dropped: ExplainedArrival = {
    arrival: { kind: 'dropped' },
    why: [`the fork drops it, since ${printAddress(kept.address)} of the same endpoint uses the shortcut`],
  };
  return endpoint.map((it) => (it === kept ? it : { ...it, arrivals: { ...it.arrivals, shortcut: dropped } }));
}

const isShortcut = ({ arrivals }: TranslatedAddress): boolean =>
  arrivals.shortcut?.arrival.kind === 'known' && arrivals.shortcut.arrival.by === 'label';

function shortcutResult(endpoints: readonly (readonly TranslatedAddress[])[]): SliceResult {
  const received = endpoints.flat().flatMap(({ arrivals }) => {
    const arrival = arrivals.shortcut?.arrival;
    return arrival?.kind === 'known' && arrival.by === 'label' ? [printAddress(arrival.received)] : [];
  });
  if (received.length === 0) return { labels: {}, annotations: {}, refused: null };
  const refused =
    received.length === 1
      ? null
      : `${received.length} addresses use a shortcut, joined by commas in the label ${SHORTCUT_ADDRESSES_LABEL}; a label must not contain a comma, so the API server refuses the slice: the limit is one address per slice`;
  return { labels: { [SHORTCUT_ADDRESSES_LABEL]: received.join(',') }, annotations: {}, refused };
}

function directResult(
  { hub, receiver }: Reflection,
  slice: InputSlice,
  endpoints: readonly (readonly TranslatedAddress[])[],
): SliceResult {
  const byCluster = new Map<string, string[]>();
  const attributed = endpoints.filter((_, index) => isAttributed(slice.endpoints[index]?.plain ?? {}));
  for (const { address, owner } of attributed.flat()) {
    if (owner.kind === 'own' || owner.peer === receiver.name) continue;
    const listed = byCluster.get(owner.peer) ?? [];
    listed.push(printAddress(address));
    byCluster.set(owner.peer, listed);
  }
  const sorted = [...byCluster].sort(by(([name]) => name));
  if (sorted.length === 0) return { labels: {}, annotations: {}, refused: null };
  const data = JSON.stringify({ clusterAddresses: Object.fromEntries(sorted) });
  const annotations = { [DIRECT_CONNECTIONS_ANNOTATION]: data };
  const bytes = annotationBytes({ ...slice.annotations, ...annotations });
  const tooLarge =
    bytes < MOST_ANNOTATION_BYTES
      ? null
      : `its annotations have ${bytes} bytes with ${DIRECT_CONNECTIONS_ANNOTATION}, and must have fewer than ${MOST_ANNOTATION_BYTES}: "${hub.name}" does not reflect it`;
  const lost = endpoints.flat().find(({ arrivals }) => arrivals.direct?.arrival.kind === 'refused');
  const notMapped =
    lost === undefined
      ? null
      : `"${receiver.name}" cannot map ${printAddress(lost.address)}, so it creates no slice: ${lost.arrivals.direct?.why.at(-1) ?? ''}`;
  return { labels: {}, annotations, refused: tooLarge ?? notMapped };
}

/** Addresses and cluster IDs are ASCII, but other annotations need not be. */
const annotationBytes = (annotations: Readonly<Record<string, string>>): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + utf8Bytes(key).length + utf8Bytes(value).length, 0);
