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

/** What no tool may delete. */
export const KEPT: Readonly<Record<string, string>> = {
  'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
  'kustomize.toolkit.fluxcd.io/prune': 'disabled',
};

/** A namespace in which other objects are too, so that no tool may delete it. */
export const keptNamespace = (name: string, labels?: Readonly<Record<string, string>>): WantedObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    ...(labels ? { labels } : {}),
    annotations: KEPT,
  },
});

/** An empty map is not written. */
export const filled = (map: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined =>
  Object.keys(map).length > 0 ? map : undefined;
