import type { BundlePath } from '../../base/core/bundle-path.ts';
import { utf8Bytes } from '../../base/core/encodings.ts';
import type { GitOps } from '../../fleet/model/network-model.ts';

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
export type EntryPointField =
  | string
  | number
  | boolean
  | readonly EntryPointField[]
  | { readonly [key: string]: EntryPointField | undefined };

/** A type alias instead of an interface, so that it is assignable to `EntryPointField`. */
export type EntryPointManifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: { readonly [name: string]: string };
  };
  readonly spec: { readonly [key: string]: EntryPointField | undefined };
};

/** Longest label value: Flux adds the name of a Kustomization as a label to every object that it applies. */
const LONGEST_NAME = 63;

/**
 * The name of weft's object in a GitOps tool: `weft-europe`, `weft-europe.rome`, `weft-europe.rome.milan`. Parts are
 * joined by dots, which names of fleets and clusters must not contain: with dashes, peer `west` of cluster `eu` and
 * cluster `eu-west` would have the same name. The name of the fleet comes first, so that one tool can manage several
 * fleets. A name that is too long is cut and ends in a fingerprint of the full name.
 */
export function objectName(parts: readonly string[]): string {
  const whole = `weft-${parts.join('.')}`;
  if (whole.length <= LONGEST_NAME) return whole;
  const print = fingerprint(whole);
  const start = whole.slice(0, LONGEST_NAME - print.length - 1).replace(/[-.]+$/, '');
  return `${start}-${print}`;
}

/**
 * FNV-1a of 64 bits as 16 hexadecimal digits. With 32 bits, two of ten thousand long names would be equal in one of a
 * hundred fleets.
 */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of utf8Bytes(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}

/** A path below the folder of the bundles, relative to the root of the repository: `out/rome`. */
export function repositoryPath(gitops: GitOps, ...below: readonly string[]): string {
  return [...bundleFolder(gitops), ...below].join('/');
}

/** The parts of the folder of the bundles; none when the bundles are in the root of the repository. */
export function bundleFolder(gitops: GitOps): readonly string[] {
  return gitops.path.split('/').filter((it) => it !== '' && it !== '.');
}
