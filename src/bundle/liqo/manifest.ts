/** A value in a manifest. Members that are `undefined` are left out when it is printed. */
export type Field = string | number | boolean | readonly Field[] | { readonly [key: string]: Field | undefined };

/** An alias and not an interface, so that it counts as a `Field`. */
type Metadata = {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** A Kubernetes object. Its members are printed in their order. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [field: string]: Field | undefined;
}
