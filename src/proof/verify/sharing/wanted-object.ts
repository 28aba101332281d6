import type { Part } from '../checks/bundle-check.ts';

/** An object that a file must contain. */
export interface WantedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: Part;
}

const REMOTE = 'liqo.io/remote-cluster-id';

/** The label by which Liqo finds nearly everything. */
export const aboutRemote = (remote: string): Readonly<Record<string, string>> => ({ [REMOTE]: remote });

/** Annotations of objects that no tool may delete. */
export const KEPT: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** A namespace that also contains other objects, so that no tool may delete it. */
export const keptNamespace = (name: string, labels?: Readonly<Record<string, string>>): WantedObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    ...(labels ? { labels } : {}),
    annotations: KEPT,
  },
});

/** The map; `undefined` for an empty one, which is not written. */
export const filled = (map: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined =>
  Object.keys(map).length > 0 ? map : undefined;
