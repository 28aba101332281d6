/** One file below `out/` that an operator hands to Argo CD or Flux. `path` is relative to `out/`. */
export type EntryPoint =
  | {
      readonly kind: 'manifests';
      readonly path: string;
      /** One YAML document each, in this order. */
      readonly manifests: readonly EntryPointManifest[];
    }
  | {
      readonly kind: 'text';
      readonly path: string;
      /** The finished file, header included. */
      readonly text: string;
    };

/** What a manifest is made of. Members that are `undefined` are left out when it is printed. */
export type Field = string | number | boolean | readonly Field[] | { readonly [key: string]: Field | undefined };

/** An alias and not an interface, so that it counts as a `Field`. */
export type EntryPointManifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly [key: string]: Field | undefined };
};
