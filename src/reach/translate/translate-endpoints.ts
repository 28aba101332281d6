import { sortedEntries } from '../../base/core/collections.ts';
import { utf8Bytes } from '../../base/core/encodings.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { printAddress } from '../../base/net/text.ts';
import { DIRECT_CONNECTIONS_ANNOTATION, SHORTCUT_ADDRESSES_LABEL } from '../../base/releases/labels.ts';
import type { Located } from '../../base/source/source.ts';
import { carriesPackets, type Link } from '../../fleet/model/network-model.ts';
import { addressOfNoPod, NOTHING_LEFT, nothingToTranslate } from './parse-input.ts';
import {
  type EndpointOwner,
  type ExplainedArrival,
  type InputEndpoint,
  type InputSlice,
  isAttributed,
  type SliceResult,
  type TranslatedAddress,
  type TranslatedSlice,
  type TranslateInput,
  type Translation,
  type Way,
  type WayState,
} from './translation.ts';
import {
  directConnectionsAbsent,
  findOwner,
  passByShortcut,
  passDirectly,
  passThroughHub,
  passUnattributed,
  type Reflection,
  shortcutsAbsent,
} from './ways.ts';

/**
 * Translates the hub's endpoints to those that the receiver gets, for every kind of path between the two. Addresses
 * that belong to no pod are left out.
 */
export function translateEndpoints(reflection: Reflection, input: TranslateInput): Outcome<Translation> {
  const ways: readonly WayState[] = [
    { way: 'hub', absent: null },
    { way: 'direct', absent: directConnectionsAbsent(reflection) },
    { way: 'shortcut', absent: shortcutsAbsent(reflection) },
  ];
  const unmatched: Diagnostic[] = [];
  const translate = (addresses: readonly Located<number>[], pass: Pass): readonly TranslatedAddress[] =>
    addresses.flatMap((it) => translateAddress({ reflection, ways, pass }, it, unmatched));
  const translated =
    input.kind === 'addresses'
      ? ({ kind: 'addresses', addresses: translate(input.addresses, PASS) } as const)
      : ({
          kind: 'slices',
          slices: input.slices.map((slice) => {
            const translatedEndpoints = slice.endpoints.map((it) => [it, translate(it.addresses, passOf(it))] as const);
            // The API server refuses an endpoint without addresses.
            const left = translatedEndpoints.filter(([, addresses]) => addresses.length > 0);
            const endpoints = left.map(([it]) => it);
            return translateSlice(
              reflection,
              { ...slice, endpoints },
              left.map(([, addresses]) => addresses),
            );
          }),
        } as const);
  const all =
    translated.kind === 'addresses' ? translated.addresses : translated.slices.flatMap((it) => it.endpoints.flat());
  const translation: Translation = {
    hub: reflection.hub.name,
    receiver: reflection.receiver.name,
    isLinkUp: carriesPackets(reflection.hubSeen.link),
    keyless: keylessLinks(reflection, all),
    ways,
    translated,
  };
  const [first] = unmatched;
  return outcome(
    translation,
    first && all.length === 0 ? [...unmatched, nothingToTranslate(first.span, NOTHING_LEFT)] : unmatched,
  );
}

type Pass = Readonly<Record<Way, (reflection: Reflection, owner: EndpointOwner, address: number) => ExplainedArrival>>;

/** Functions for a bare address, which is treated as that of a pod with a targetRef. */
const PASS: Pass = { hub: passThroughHub, direct: passDirectly, shortcut: passByShortcut };

const passOf = ({ plain }: InputEndpoint): Pass => (isAttributed(plain) ? PASS : { ...PASS, direct: passUnattributed });

interface Translating {
  readonly reflection: Reflection;
  readonly ways: readonly WayState[];
  readonly pass: Pass;
}

function translateAddress(
  { reflection, ways, pass }: Translating,
  { value: address, at }: Located<number>,
  unmatched: Diagnostic[],
): readonly TranslatedAddress[] {
  const reading = findOwner(reflection.hub, address);
  if (!reading.ok) {
    unmatched.push(addressOfNoPod(at, printAddress(address), reflection.hub.name, reading.why));
    return [];
  }
  const { owner } = reading;
  const arrivals = ways.flatMap(({ way, absent }) =>
    absent === null ? [[way, pass[way](reflection, owner, address)] as const] : [],
  );
  return [{ address, owner, arrivals: Object.fromEntries(arrivals) }];
}

/**
 * Exclusive limit for the annotations of a slice, keys included. Source: liqotech/liqo@v1.2.0
 * pkg/consts/replication.go.
 */
const MOST_ANNOTATION_BYTES = 256 * 1024;

/**
 * The results for a slice as a whole: the labels and annotations that the hub adds, and the reason if the receiver does
 * not get it.
 */
function translateSlice(
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
  const sorted = sortedEntries(byCluster);
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

/** Size of annotations in UTF-8. Addresses and cluster IDs are ASCII, but other annotations need not be. */
const annotationBytes = (annotations: Readonly<Record<string, string>>): number =>
  Object.entries(annotations).reduce((sum, [key, value]) => sum + utf8Bytes(key).length + utf8Bytes(value).length, 0);

/** The links without keys on the paths to the received addresses, in the order of the addresses. */
function keylessLinks(reflection: Reflection, addresses: readonly TranslatedAddress[]): readonly Link[] {
  const links = addresses.flatMap((it) =>
    (Object.keys(it.arrivals) as Way[]).flatMap((way) => linksTo(reflection, it, way)),
  );
  return [...new Set(links)].filter((it) => !carriesPackets(it));
}

/** The links from the receiver to the pod behind an address that it received. */
function linksTo(
  { hub, receiver, hubSeen }: Reflection,
  { owner, arrivals }: TranslatedAddress,
  way: Way,
): readonly Link[] {
  const arrival = arrivals[way]?.arrival;
  if (arrival?.kind !== 'known' && arrival?.kind !== 'run-time') return [];
  if (owner.kind === 'own') return [hubSeen.link];
  const onward = (arrival.kind === 'known' ? receiver : hub).peers.get(owner.peer)?.link;
  return [...(arrival.kind === 'known' ? [] : [hubSeen.link]), ...(onward ? [onward] : [])];
}
