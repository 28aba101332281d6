import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { printAddress } from '../../base/net/text.ts';
import type { Located } from '../../base/source/located.ts';
import { carriesPackets } from '../../fleet/model/keyless-ends.ts';
import { findOwner } from './find-owner.ts';
import { keylessLinks } from './keyless-links.ts';
import { passByShortcut, shortcutsAbsent } from './pass-by-shortcut.ts';
import { directConnectionsAbsent, passDirectly, passUnattributed } from './pass-directly.ts';
import { passThroughHub } from './pass-through-hub.ts';
import type { Reflection } from './reflection.ts';
import { addressOfNoPod, NOTHING_LEFT, nothingToTranslate } from './translate-diagnostics.ts';
import { type InputEndpoint, isAttributed, type TranslateInput } from './translate-input.ts';
import { translateSlice } from './translate-slice.ts';
import type { ExplainedArrival, Owner, TranslatedAddress, Translation, Way, WayState } from './translation.ts';

/** The hub's endpoints as the receiver gets them, on every way between the two. What is no pod's address is left out. */
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

type Pass = Readonly<Record<Way, (reflection: Reflection, owner: Owner, address: number) => ExplainedArrival>>;

/** A bare address is treated as that of a pod with a targetRef. */
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
