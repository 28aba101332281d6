import { parse } from 'yaml';
import type { EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';
import type { Compiled } from '../../../src/compile.ts';
import { objectsIn } from '../../support/objects-in.ts';
import type { SyncObject } from './argo-sync.ts';

/** An object of a bundle as a GitOps tool reads it. */
export interface AppliedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const NOT_APPLIED =
  /^[^/]+\/(expected|monitoring|nftables)\/|\/(kustomization|helm-values)\.yaml$|^_|^addresses\.json$/;

/** Every object that is applied to a cluster, with its file. */
export function appliedObjects({ bundle }: Pick<Compiled, 'bundle'>, cluster: string) {
  return [...bundle]
    .filter(([path]) => path.startsWith(`${cluster}/`) && !NOT_APPLIED.test(path))
    .flatMap(([path, text]) => objectsIn<AppliedObject>(text).map((object) => ({ path, object })));
}

/** `ResourceSlice liqo-tenant-milan/milan-slice` */
export const idOf = ({ kind, metadata: { name, namespace = '' } }: AppliedObject): string =>
  `${kind} ${namespace}/${name}`;

/** The applied objects as an Application of Argo CD sees them. */
export const syncObjects = (compiled: Pick<Compiled, 'bundle'>, cluster: string): readonly SyncObject[] =>
  appliedObjects(compiled, cluster).map(({ object }) => ({
    id: idOf(object),
    wave: Number(object.metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0),
  }));

/** The Kustomizations of Flux for a cluster. */
export const fluxKustomizationsOf = ({ bundle }: Pick<Compiled, 'bundle'>, cluster: string) =>
  objectsIn<EntryPointManifest>(bundle.get(`_flux/clusters/${cluster}/${cluster}.yaml`) ?? '');

/** The files that a Kustomization of Flux applies: follows the lists from its folder. */
export function filesAppliedBy({ bundle }: Pick<Compiled, 'bundle'>, folder: string): readonly string[] {
  const list = bundle.get(`${folder}/kustomization.yaml`);
  if (list === undefined) throw new Error(`no kustomization in "${folder}"`);
  return (parse(list) as { readonly resources: readonly string[] }).resources.flatMap((it) => {
    const path = new URL(`${folder}/${it}`, 'file:///').pathname.slice(1);
    return path.endsWith('.yaml') ? [path] : filesAppliedBy({ bundle }, path);
  });
}
