import { type BundlePath, isKustomization, printBundleFolder, printBundlePath } from '../../base/core/bundle-path.ts';
import { byCodeUnit } from '../../base/core/collections.ts';
import { printHeader } from '../../base/core/generated-files.ts';
import type { TextFile } from './entry-point.ts';

interface KustomizationRequest {
  readonly path: BundlePath;
  readonly topologyFile: string;
  /** The listed files. A kustomization among them is listed as its folder. */
  readonly lists: readonly BundlePath[];
  /** True when `lists` is in the order of applying, which kustomize then keeps. */
  readonly isOrdered?: boolean;
}

/**
 * A kustomization.yaml. It lists resources and changes none, so that `kubectl apply -R`, a plain directory source and
 * kustomize result in the same objects. Kustomize sorts objects by kind and name, so resources are sorted, too, unless
 * the order matters: then `fifo` keeps it for `kubectl apply -k`. Argo CD and Flux have an order of their own. An empty
 * list is written as `[]`, because kustomize refuses a file without the key. Source: kubernetes-sigs/kustomize
 * api/types/kustomization.go, v5.8.1 (`SortOptions`).
 */
export function kustomization({ path, topologyFile, lists, isOrdered = false }: KustomizationRequest): TextFile {
  const folder = printBundleFolder(path);
  const resources = lists.map((it) =>
    resourceFrom(folder, isKustomization(it) ? printBundleFolder(it) : printBundlePath(it)),
  );
  const items = (isOrdered ? resources : resources.sort(byCodeUnit)).map((it) => `\n  - ${scalar(it)}`);
  const text = `${printHeader(topologyFile)}apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:${items.length === 0 ? ' []' : items.join('')}${isOrdered ? '\nsortOptions:\n  order: fifo' : ''}
`;
  return { kind: 'text', path, text };
}

/** A path relative to a folder: outside of its own folder, kustomize accepts a folder but no file. */
function resourceFrom(folder: string, path: string): string {
  if (path.startsWith(`${folder}/`)) return path.slice(folder.length + 1);
  const above = folder.slice(0, folder.lastIndexOf('/'));
  return `../${resourceFrom(above, path)}`;
}

/**
 * A path as a YAML scalar. weft's paths contain a slash, a dash or a file extension, or are words of weft: none is a
 * number or a boolean in YAML.
 */
const scalar = (text: string): string => (/^[A-Za-z][A-Za-z0-9._/-]*$/.test(text) ? text : JSON.stringify(text));
