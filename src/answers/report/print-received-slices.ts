import { visibleText } from '../../base/core/visible-text.ts';
import type { JsonMap } from '../../reach/translate/json.ts';
import { receivedSlice } from '../../reach/translate/received-slice.ts';
import type { TranslatedSlice, Translation, Way } from '../../reach/translate/translation.ts';
import { explainAddress, symbolLines } from './print-translation.ts';
import { keyNotes, WAY_NAMES, wayNotes } from './translation-words.ts';

interface ReceivedSlicesLook {
  readonly explain: boolean;
  readonly ways: readonly Way[];
  /** Prints one document with its last line end. */
  readonly printYaml: (document: JsonMap) => string;
}

/**
 * The EndpointSlices that the receiver creates: one document per slice and way, each with a comment that names it. A
 * refused slice has only its comment.
 */
export function printReceivedSlices(
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
