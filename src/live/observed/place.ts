/** Namespace and name of an object. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}
