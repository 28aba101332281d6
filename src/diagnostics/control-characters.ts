import type { DocumentNode } from '../source/document-node.ts';
import type { Span } from '../source/source.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';

// C0 and C1 with DEL and NEL, the two line separators of Unicode, the byte order mark, and halves of surrogate pairs,
// which UTF-8 cannot write. YAML 1.1 readers break lines at NEL and the separators, so no printer is safe with them.
const CONTROL = /[\p{Cc}\u2028\u2029\ufeff]|\p{Cs}/u;

/** Reports keys and strings with control characters, which could break the line into which they are printed. */
export function controlCharacters(root: DocumentNode, code: Code): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const check = (text: string, at: Span): void => {
    const character = CONTROL.exec(text)?.[0];
    if (character === undefined) return;
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    const message = `this text contains the control character U+${hex}`;
    found.push(diagnostic(code, at, message, { hint: 'write it on one line, without control characters' }));
  };
  const walk = (node: DocumentNode): void => {
    if (node.kind === 'scalar') {
      if (typeof node.value === 'string') check(node.value, node.span);
    } else if (node.kind === 'list') {
      for (const item of node.items) walk(item);
    } else {
      for (const [key, entry] of node.entries) {
        check(key, entry.key);
        walk(entry.value);
      }
    }
  };
  walk(root);
  return found;
}
