import { hasPassword } from '../core/mask-secrets.ts';
import type { DocumentNode } from '../source/document-node.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { visitTexts } from './visit-texts.ts';

/** Reports keys and strings with a password or a token. They would be committed in every file that is made of them. */
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
