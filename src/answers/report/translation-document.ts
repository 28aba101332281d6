import { printAddress, printPrefix, symbolicAddress } from '../../base/net/text.ts';
import { keylessGateways } from '../../fleet/model/network-model.ts';
import { receivedSlice } from '../../reach/translate/received-slice.ts';
import type {
  Arrival,
  JsonMap,
  TranslatedAddress,
  TranslatedSlice,
  Translation,
  Way,
} from '../../reach/translate/translation.ts';

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
