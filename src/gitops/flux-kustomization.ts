import { type ClusterPath, printBundleFolder } from '../core/bundle-path.ts';
import type { AddressedCluster } from '../ipam/addressed-model.ts';
import type { FluxSettings, GitOps } from '../model/network-model.ts';
import type { SharedModel } from '../sharing/shared-model.ts';
import type { EntryPointManifest } from './entry-point.ts';
import { repositoryPath } from './repository-path.ts';

/** The values that all Flux objects of one fleet share. */
export interface FluxSetting {
  readonly model: SharedModel;
  readonly gitops: GitOps;
  readonly flux: FluxSettings;
}

type Dependency = { readonly name: string; readonly readyExpr?: string };

/**
 * A dependency that has been applied and healthy once. Flux itself requires more: that the dependency is ready at the
 * commit that is being applied. Then each commit, whatever it changes, would walk through the whole chain, and a link
 * that is unhealthy later would hold up all the links after it.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`checkDependencies`; `reconcile`
 * sets lastAppliedRevision after the health checks).
 */
export const onceReady = (flux: FluxSettings, name: string): Dependency =>
  flux.evaluatesReadyExpr ? { name, readyExpr: 'has(dep.status.lastAppliedRevision)' } : { name };

/** What the topology lists for every cluster: Liqo itself, above all. */
export const givenDependencies = (flux: FluxSettings): readonly Dependency[] =>
  flux.dependsOn.map((name) => ({ name }));

interface KustomizationStep {
  readonly name: string;
  /** The kustomization.yaml whose folder it applies. */
  readonly applies: ClusterPath;
  /** Kustomizations in the same namespace. */
  readonly dependsOn: readonly Dependency[];
  readonly spec: EntryPointManifest['spec'];
}

/** One Kustomization of Flux for a folder of a cluster's bundle. */
export function fluxKustomization(
  { gitops, flux }: FluxSetting,
  cluster: AddressedCluster,
  step: KustomizationStep,
): EntryPointManifest {
  const { kubeConfigSecret } = cluster.gitops;
  return {
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: step.name, namespace: flux.namespace },
    spec: {
      interval: '10m',
      // Its default is the interval: a Configuration that takes longer than the timeout would delay the chain ten
      // minutes.
      retryInterval: '1m',
      timeout: '5m',
      path: `./${repositoryPath(gitops, printBundleFolder(step.applies))}`,
      prune: true,
      sourceRef: { kind: 'GitRepository', name: flux.source },
      ...(step.dependsOn.length === 0 ? {} : { dependsOn: step.dependsOn }),
      ...(kubeConfigSecret === null ? {} : { kubeConfig: { secretRef: { name: kubeConfigSecret } } }),
      ...step.spec,
    },
  };
}
