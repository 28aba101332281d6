import { hiddenCharacterIn } from '../core/visible-text.ts';
import type { DocumentNode } from '../source/document-node.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { visitTexts } from './visit-texts.ts';

/**
 * Reports keys and strings with characters that could break the line into which they are printed, or that a reader of a pull
 * request does not see.
 */
export function controlCharacters(root: DocumentNode, code: Code): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  visitTexts(root, (text, at) => {
    const character = hiddenCharacterIn(text);
    if (character === undefined) return;
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const what = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff]/u.test(character) ? 'control' : 'hidden';
    const message = `this text contains the ${what} character U+${hex}`;
    found.push(diagnostic(code, at, message, { hint: `write it on one line, without ${what} characters` }));
  });
  return found;
}
