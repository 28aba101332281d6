import { hasPassword } from '../core/secrets.ts';
import { hiddenCharacterIn } from '../core/visible-text.ts';
import type { DocumentNode } from '../source/document-node.ts';
import type { Span } from '../source/source.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';

/** Reports keys and strings with a password or a token, which would be committed in every generated file. */
export function secretsInTexts(root: DocumentNode, code: Code): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const message = 'this text contains a password or a token';
  const hint =
    'remove it and revoke it, since the history of git keeps it; Argo CD and Flux read credentials from a Secret';
  visitTexts(root, (text, at) => {
    if (hasPassword(text)) found.push(diagnostic(code, at, message, { hint }));
  });
  return found;
}

/**
 * Reports keys and strings with characters that could break the line in which they are printed, or that are invisible
 * to a reviewer of a pull request.
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

/** Visits every key and every string of a document, with its place. */
function visitTexts(node: DocumentNode, visit: (text: string, at: Span) => void): void {
  if (node.kind === 'scalar') {
    if (typeof node.value === 'string') visit(node.value, node.span);
  } else if (node.kind === 'list') {
    for (const item of node.items) visitTexts(item, visit);
  } else {
    node.entries.forEach(({ key, value }, name) => {
      visit(name, key);
      visitTexts(value, visit);
    });
  }
}
