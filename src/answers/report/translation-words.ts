import { symbolicAddress } from '../../base/net/symbolic-address.ts';
import { printAddress, printPrefix } from '../../base/net/text.ts';
import { USE_DIRECT_CONNECTIONS_ANNOTATION } from '../../base/releases/labels.ts';
import { keylessSentence } from '../../reach/trace/fates.ts';
import type { Arrival, Owner, Translation, Way, WayState } from '../../reach/translate/translation.ts';

export const WAY_NAMES: Readonly<Record<Way, string>> = {
  hub: 'without a shortcut',
  direct: 'with direct connections',
  shortcut: "with the fork's shortcut",
};

/** Which ways are absent and why, and which Services use the direct way. */
export const wayNotes = (ways: readonly WayState[]): readonly string[] =>
  ways.flatMap(({ way, absent }) => {
    if (absent !== null) return [`${WAY_NAMES[way]}: not available, since ${absent}`];
    return way === 'direct' ? [`${WAY_NAMES[way]}: for a Service with the annotation ${DIRECT_ANNOTATION}`] : [];
  });

/** Which links on the way to the received addresses carry nothing, and what that means for the receiver. */
export const keyNotes = ({ hub, receiver, isLinkUp, keyless }: Translation): readonly string[] => [
  ...keyless.map((it) => `${keylessSentence(it)}, so packets over the link of the two are lost.`),
  ...(isLinkUp ? [] : [`"${receiver}" takes the endpoints of "${hub}" as not ready: their link is down.`]),
];

/** Source: liqotech/liqo@v1.2.0 pkg/consts. */
const DIRECT_ANNOTATION = `${USE_DIRECT_CONNECTIONS_ANNOTATION}: "true"`;

/** What the receiver gets, in a cell of a table. */
export function printArrival(arrival: Arrival): string {
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
export const printOwner = (hub: string, owner: Owner): string =>
  owner.kind === 'own' ? hub : `${owner.peer}, ${printAddress(owner.real)} there`;

/** What the question mark of a symbolic address means. One sentence is enough: a translation has one such network. */
export const explainSymbol = (
  { hub }: Translation,
  { sentIn, receivedIn }: Extract<Arrival, { kind: 'run-time' }>,
): string =>
  `${symbolicAddress(receivedIn)} lies in ${printPrefix(receivedIn)} (an address of ${hub}'s external CIDR ${printPrefix(sentIn)}, given at run time)`;
