import type { Refusal } from '../report/refusal.ts';

/**
 * A use case cannot begin: what it was asked about is not there, or not what it was taken for. Front ends print the refusal;
 * what a use case decides against later is part of its result.
 */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}
