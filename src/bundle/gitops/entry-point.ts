import type { BundlePath } from '../../base/core/bundle-path.ts';

/** A finished file, header included. */
export interface TextFile {
  readonly kind: 'text';
  readonly path: BundlePath;
  readonly text: string;
}

/** A file of Kubernetes objects. */
interface ManifestFile {
  readonly kind: 'manifests';
  readonly path: BundlePath;
  /** One YAML document each, in this order. */
  readonly manifests: readonly EntryPointManifest[];
}

/** One file below `out/` with which an operator sets up Argo CD or Flux. */
export type EntryPoint = ManifestFile | TextFile;

/** A value in a manifest. Members that are `undefined` are left out when it is printed. */
export type Field = string | number | boolean | readonly Field[] | { readonly [key: string]: Field | undefined };

/** An alias and not an interface, so that it counts as a `Field`. */
export type EntryPointManifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly [key: string]: Field | undefined };
};
