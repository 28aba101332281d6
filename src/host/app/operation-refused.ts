import type { Refusal } from './refusal.ts';

/**
 * A use case cannot begin: its input is missing or of the wrong kind. Front ends print the refusal; a later refusal of a use
 * case is part of its result.
 */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}
