import { hasPassword } from '../core/mask-secrets.ts';
import type { DocumentNode } from '../source/document-node.ts';
import type { Code } from './codes.ts';
import { type Diagnostic, diagnostic } from './diagnostic.ts';
import { textsBelow } from './texts-below.ts';

/** Reports keys and strings with a password or a token. They would be committed in every file that is made of them. */
export const secretsInTexts = (root: DocumentNode, code: Code): readonly Diagnostic[] =>
  [...textsBelow(root)].flatMap(([text, at]) =>
    hasPassword(text)
      ? [
          diagnostic(code, at, 'this text contains a password or a token', {
            hint: 'remove it and revoke it, since the history of git keeps it; Argo CD and Flux read credentials from a Secret',
          }),
        ]
      : [],
  );
