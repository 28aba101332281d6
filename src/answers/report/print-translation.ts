import { visibleText } from '../../base/core/visible-text.ts';
import { printAddress } from '../../base/net/text.ts';
import type { TranslatedAddress, TranslatedSlice, Translation, Way } from '../../reach/translate/translation.ts';
import type { Paint } from './paint.ts';
import { printTable } from './print-table.ts';
import { explainSymbol, keyNotes, printArrival, printOwner, WAY_NAMES, wayNotes } from './translation-words.ts';

interface TranslationLook {
  readonly paint: Paint;
  /** Prints the reasons for each address. */
  readonly explain: boolean;
  /** The ways to print. */
  readonly ways: readonly Way[];
}

/** A table of addresses, one per slice, with one column per way; below it what question marks and absent ways mean. */
export function printTranslation(translation: Translation, look: TranslationLook): string {
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

/** The reasons for the translated address, way by way. */
export function explainAddress({ address, arrivals }: TranslatedAddress, ways: readonly Way[]): readonly string[] {
  return ways.flatMap((way) => {
    const explained = arrivals[way];
    if (explained === undefined) return [];
    const head = `${printAddress(address)} ${WAY_NAMES[way]}: ${printArrival(explained.arrival)}`;
    return [head, ...explained.why.map((it) => `  - ${visibleText(it)}`)];
  });
}

/** What a question mark means, if one is printed. */
export function symbolLines(translation: Translation, { ways }: Pick<TranslationLook, 'ways'>): readonly string[] {
  const { translated } = translation;
  const addresses =
    translated.kind === 'addresses' ? translated.addresses : translated.slices.flatMap((it) => it.endpoints.flat());
  const symbol = addresses
    .flatMap((it) => ways.map((way) => it.arrivals[way]?.arrival))
    .find((it) => it?.kind === 'run-time');
  return symbol?.kind === 'run-time' ? [explainSymbol(translation, symbol)] : [];
}
