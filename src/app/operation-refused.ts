/** A use case cannot begin: what it was asked about is not there, or not what it was taken for. Front ends print it. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string | undefined) {
    super(message);
    this.hint = hint;
  }
}
