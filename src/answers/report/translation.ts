import { visibleText } from '../../base/core/visible-text.ts';
import { printAddress, printPrefix, symbolicAddress } from '../../base/net/text.ts';
import { USE_DIRECT_CONNECTIONS_ANNOTATION } from '../../base/releases/labels.ts';
import { keylessGateways } from '../../fleet/model/network-model.ts';
import { idleSentence } from '../../reach/trace/fates.ts';
import {
  type Arrival,
  type EndpointOwner,
  type JsonMap,
  receivedSlice,
  type TranslatedAddress,
  type TranslatedSlice,
  type Translation,
  type Way,
  type WayState,
} from '../../reach/translate/translation.ts';
import type { Answer } from './answer.ts';
import { printTable } from './layout.ts';
import type { Paint } from './paint.ts';

interface TranslationLook {
  readonly paint: Paint;
  /** Prints the reasons for each address. */
  readonly explain: boolean;
  /** The ways to print. */
  readonly ways: readonly Way[];
}

interface Translated extends ReceivedSlicesLook {
  readonly translation: Translation;
}

/** `weft translate`: by default slices as YAML, and addresses as a table. */
export const translateAnswer: Answer<'translate', Translated> = {
  text: ({ translation, ...how }, { paint }) => printTranslation(translation, { ...how, paint }),
  yaml: ({ translation, ...how }) =>
    translation.translated.kind === 'slices'
      ? printReceivedSlices(translation, translation.translated.slices, how)
      : how.printYaml(translationDocument(translation, how.ways)),
  json: ({ translation, ways }) => ({ translation: translationDocument(translation, ways) }),
};

/** A table of addresses: one row per slice, one column per way, then the meaning of symbols and absent ways. */
function printTranslation(translation: Translation, look: TranslationLook): string {
  const { hub, receiver, translated, ways } = translation;
  const head = `endpoints of ${look.paint.strong(hub)} as ${look.paint.strong(receiver)} gets them`;
  const blocks =
    translated.kind === 'addresses'
      ? [
          addressLines(translation, translated.addresses, look),
          ...reasonBlocks(translation, translated.addresses, look),
        ]
      : translated.slices.flatMap((it) => [
          sliceLines(translation, it, look),
          ...reasonBlocks(translation, it.endpoints.flat(), look),
        ]);
  const notes = [...wayNotes(ways.filter((it) => look.ways.includes(it.way))), ...keyNotes(translation)];
  const all = [[head], ...blocks, [...symbolLines(translation, look), ...notes]].filter((it) => it.length > 0);
  return `${all.map((it) => it.join('\n')).join('\n\n')}\n`;
}

function sliceLines(translation: Translation, it: TranslatedSlice, look: TranslationLook): readonly string[] {
  const { namespace, name } = it.slice;
  const title = visibleText(namespace === null ? name : `${namespace}/${name}`);
  const addresses = it.endpoints.flat();
  const table = addresses.length === 0 ? ['  it has no endpoints'] : addressLines(translation, addresses, look);
  return [
    look.paint.strong(title),
    ...table,
    ...presentWays(translation, look).flatMap((way) => resultLines(it, way, look)),
  ];
}

function resultLines({ results }: TranslatedSlice, way: Way, { paint }: TranslationLook): readonly string[] {
  const result = results[way];
  if (result === undefined) return [];
  const words = [
    ...Object.entries(result.labels).map(([key, value]) => `label ${key}: ${value}`),
    ...Object.entries(result.annotations).map(([key, value]) => `annotation ${key}: ${value}`),
  ];
  const refused =
    result.refused === null ? [] : [`  ${paint.error('refused')} ${WAY_NAMES[way]}: ${visibleText(result.refused)}`];
  return [...words.map((it) => `  ${WAY_NAMES[way]}, ${visibleText(it)}`), ...refused];
}

const presentWays = ({ ways }: Translation, look: TranslationLook): readonly Way[] =>
  ways.filter((it) => it.absent === null && look.ways.includes(it.way)).map((it) => it.way);

function addressLines(
  translation: Translation,
  addresses: readonly TranslatedAddress[],
  look: TranslationLook,
): readonly string[] {
  const ways = presentWays(translation, look);
  const titles = ['ADDRESS', 'POD OF', ...ways.map((it) => WAY_NAMES[it].toUpperCase())];
  const rows = addresses.map(({ address, owner, arrivals }) => [
    printAddress(address),
    printOwner(translation.hub, owner),
    ...ways.map((it) => {
      const explained = arrivals[it];
      return explained === undefined ? '' : printArrival(explained.arrival);
    }),
  ]);
  return printTable(titles, rows, look.paint);
}

const reasonBlocks = (
  translation: Translation,
  addresses: readonly TranslatedAddress[],
  look: TranslationLook,
): readonly (readonly string[])[] =>
  look.explain ? addresses.map((it) => explainAddress(it, presentWays(translation, look))) : [];

function explainAddress({ address, arrivals }: TranslatedAddress, ways: readonly Way[]): readonly string[] {
  return ways.flatMap((way) => {
    const explained = arrivals[way];
    if (explained === undefined) return [];
    const head = `${printAddress(address)} ${WAY_NAMES[way]}: ${printArrival(explained.arrival)}`;
    return [head, ...explained.why.map((it) => `  - ${visibleText(it)}`)];
  });
}

/** The meaning of a question mark, if one is printed. */
function symbolLines(translation: Translation, { ways }: Pick<TranslationLook, 'ways'>): readonly string[] {
  const { translated } = translation;
  const addresses =
    translated.kind === 'addresses' ? translated.addresses : translated.slices.flatMap((it) => it.endpoints.flat());
  const symbol = addresses
    .flatMap((it) => ways.map((way) => it.arrivals[way]?.arrival))
    .find((it) => it?.kind === 'run-time');
  return symbol?.kind === 'run-time' ? [explainSymbol(translation, symbol)] : [];
}

interface ReceivedSlicesLook {
  readonly explain: boolean;
  readonly ways: readonly Way[];
  /** Prints one document, with a final line break. */
  readonly printYaml: (document: JsonMap) => string;
}

/**
 * The EndpointSlices that the receiver creates: one document per slice and way, each with a comment that names it. A
 * refused slice has only its comment.
 */
function printReceivedSlices(
  translation: Translation,
  slices: readonly TranslatedSlice[],
  look: ReceivedSlicesLook,
): string {
  const { hub, receiver, ways } = translation;
  const shown = ways.filter((it) => look.ways.includes(it.way));
  const present = shown.filter((it) => it.absent === null).map((it) => it.way);
  const head = [
    `endpoints of ${hub} as ${receiver} gets them`,
    ...symbolLines(translation, look),
    ...wayNotes(shown),
    ...keyNotes(translation),
  ];
  const documents = slices.flatMap((it) => present.map((way) => printOne(translation, it, way, look)));
  return [comments(head), ...documents].join('');
}

function printOne(translation: Translation, it: TranslatedSlice, way: Way, look: ReceivedSlicesLook): string {
  const { name, namespace } = it.slice;
  const result = it.results[way];
  const title = `${namespace === null ? '' : `${namespace}/`}${name} ${WAY_NAMES[way]}`;
  const added = [...Object.entries(result?.labels ?? {}), ...Object.entries(result?.annotations ?? {})];
  const reasons = look.explain ? it.endpoints.flat().flatMap((one) => explainAddress(one, [way])) : [];
  if (result === undefined) return '';
  if (result.refused !== null) {
    const written = added.map(([key, value]) => `${key}: ${value}`);
    return comments([`${title}: refused`, result.refused, ...written, ...reasons]);
  }
  return `---\n${comments([title, ...reasons])}${look.printYaml(receivedSlice(translation, it, way))}`;
}

const comments = (lines: readonly string[]): string => lines.map((it) => `# ${visibleText(it)}\n`).join('');

const WAY_NAMES: Readonly<Record<Way, string>> = {
  hub: 'without a shortcut',
  direct: 'with direct connections',
  shortcut: "with the fork's shortcut",
};

/** Absent ways with their reasons, and the Services that use the direct way. */
const wayNotes = (ways: readonly WayState[]): readonly string[] =>
  ways.flatMap(({ way, absent }) => {
    if (absent !== null) return [`${WAY_NAMES[way]}: not available, since ${absent}`];
    return way === 'direct' ? [`${WAY_NAMES[way]}: for a Service with the annotation ${DIRECT_ANNOTATION}`] : [];
  });

/** Links without keys on the way to the received addresses, and the effect on the receiver. */
const keyNotes = ({ hub, receiver, isLinkUp, keyless }: Translation): readonly string[] => [
  ...keyless.map((it) => `${idleSentence(it)}, so packets over the link of the two are lost.`),
  ...(isLinkUp ? [] : [`"${receiver}" takes the endpoints of "${hub}" as not ready: their link is down.`]),
];

/** Source: liqotech/liqo@v1.2.0 pkg/consts. */
const DIRECT_ANNOTATION = `${USE_DIRECT_CONNECTIONS_ANNOTATION}: "true"`;

/** A table cell with the address that the receiver gets. */
function printArrival(arrival: Arrival): string {
  switch (arrival.kind) {
    case 'known':
      return printAddress(arrival.received);
    case 'run-time':
      return symbolicAddress(arrival.receivedIn);
    case 'skipped':
      return 'runs there';
    case 'dropped':
      return 'left out';
    case 'refused':
      return 'refused';
  }
}

/** `cluster3, 10.200.0.151 there`: the pod behind an address. */
const printOwner = (hub: string, owner: EndpointOwner): string =>
  owner.kind === 'own' ? hub : `${owner.peer}, ${printAddress(owner.real)} there`;

/** Explains the question mark of a symbolic address. A translation has only one such network. */
const explainSymbol = ({ hub }: Translation, { sentIn, receivedIn }: Extract<Arrival, { kind: 'run-time' }>): string =>
  `${symbolicAddress(receivedIn)} lies in ${printPrefix(receivedIn)} (an address of ${hub}'s external CIDR ${printPrefix(sentIn)}, given at run time)`;

/** A translation for programs: every address as text, an address that is known only at run time as its networks. */
export function translationDocument(translation: Translation, ways: readonly Way[]): JsonMap {
  const { hub, receiver, translated } = translation;
  const shown = translation.ways.filter((it) => ways.includes(it.way));
  const present = shown.filter((it) => it.absent === null).map((it) => it.way);
  return {
    in: hub,
    for: receiver,
    linkIsUp: translation.isLinkUp,
    keyless: translation.keyless.flatMap(keylessGateways).map(({ cluster, peer }) => ({ cluster, peer })),
    ways: shown.map(({ way, absent }) => ({ way, present: absent === null, why: absent })),
    ...(translated.kind === 'addresses'
      ? { addresses: translated.addresses.map((it) => translatedRow(translation, it, present)) }
      : { slices: translated.slices.map((it) => sliceRow(translation, it, present)) }),
  };
}

function translatedRow({ hub }: Translation, it: TranslatedAddress, ways: readonly Way[]): JsonMap {
  const { address, owner, arrivals } = it;
  const pod =
    owner.kind === 'own'
      ? { cluster: hub, address: printAddress(address) }
      : { cluster: owner.peer, address: printAddress(owner.real) };
  const rows = ways.flatMap((way) => {
    const explained = arrivals[way];
    return explained === undefined ? [] : [[way, { ...arrivalRow(explained.arrival), why: explained.why }] as const];
  });
  return { address: printAddress(address), pod, ...Object.fromEntries(rows) };
}

function arrivalRow(arrival: Arrival): JsonMap {
  switch (arrival.kind) {
    case 'known':
      return { kind: 'known', sent: printAddress(arrival.sent), received: printAddress(arrival.received) };
    case 'run-time':
      return {
        kind: 'run-time',
        sent: symbolicAddress(arrival.sentIn),
        sentNetwork: printPrefix(arrival.sentIn),
        received: symbolicAddress(arrival.receivedIn),
        receivedNetwork: printPrefix(arrival.receivedIn),
      };
    default:
      return { kind: arrival.kind };
  }
}

function sliceRow(translation: Translation, it: TranslatedSlice, ways: readonly Way[]): JsonMap {
  const results = ways.flatMap((way) => {
    const result = it.results[way];
    if (result === undefined) return [];
    const { labels, annotations, refused } = result;
    const endpointSlice = refused === null ? receivedSlice(translation, it, way) : null;
    return [[way, { refused, labels, annotations, endpointSlice }] as const];
  });
  return {
    name: it.slice.name,
    namespace: it.slice.namespace,
    endpoints: it.endpoints.map((endpoint) => endpoint.map((one) => translatedRow(translation, one, ways))),
    results: Object.fromEntries(results),
  };
}
