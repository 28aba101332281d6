import { maskSecrets } from '../core/mask-secrets.ts';
import type { Span } from '../source/source.ts';
import type { Acceptance } from './acceptance.ts';
import { CODES, type Code } from './codes.ts';
import type { Severity } from './severity.ts';
import type { Subject } from './subject.ts';

/** Another place that is involved, for instance the other end of a conflict. */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** A mistake in the input, or a remark about it, as a value with a position. */
export interface Diagnostic {
  readonly code: Code;
  readonly severity: Severity;
  /** What is wrong, with the names involved; small first letter, no full stop, no advice. */
  readonly message: string;
  /** The smallest text that shows it. */
  readonly span: Span;
  readonly related: readonly Related[];
  /** What to do. */
  readonly hint?: string;
  /** The clusters and links that it is about; without any it is about the whole fleet. */
  readonly about?: readonly Subject[];
  /** The entries of `accept` that accept it. */
  readonly accepted?: readonly Acceptance[];
}

interface Extras {
  readonly hint?: string | undefined;
  readonly related?: readonly Related[] | undefined;
  readonly about?: readonly Subject[];
}

/**
 * The only way to make a diagnostic: the severity comes from the list of codes. Its texts quote what a user wrote, and no
 * printer may show a secret in it.
 */
export function diagnostic(code: Code, span: Span, message: string, extras: Extras = {}): Diagnostic {
  return {
    code,
    severity: CODES[code],
    message: maskSecrets(message),
    span,
    related: (extras.related ?? []).map((it) => ({ ...it, message: maskSecrets(it.message) })),
    ...(extras.hint === undefined ? {} : { hint: maskSecrets(extras.hint) }),
    ...(extras.about === undefined ? {} : { about: extras.about }),
  };
}

/** Whether nobody has accepted it. */
export const isOpen = ({ accepted }: Diagnostic): boolean => accepted === undefined;
