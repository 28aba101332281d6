import { CODES, type Code, isCode } from '../../../base/diagnostics/codes.ts';
import { meantHint } from '../../../base/diagnostics/did-you-mean.ts';
import { isAcceptable } from '../../../base/diagnostics/is-acceptable.ts';
import type { TextFormat } from './text-format.ts';

/** The code of a diagnostic that a topology can accept. */
export const ACCEPTABLE_CODE: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a warning or a note that can be accepted',
  hintFor: (text) => {
    if (!isCode(text)) return meantHint(text, acceptableCodes()) ?? 'run "weft explain" for the list of codes';
    return isAcceptable(text) ? undefined : whyNot(text);
  },
};

const acceptableCodes = (): readonly Code[] => (Object.keys(CODES) as readonly Code[]).filter(isAcceptable);

function whyNot(code: Code): string {
  if (CODES[code] === 'error') return 'remove the entry and correct the cause: errors cannot be accepted';
  if (code.startsWith('lock/')) return 'remove the entry: the compile that moves it reports it once';
  if (code === 'topology/acceptance-unused') return 'remove the entry, and those that match nothing';
  return 'remove the entry: the topology alone does not cause it, so it needs attention each time';
}
