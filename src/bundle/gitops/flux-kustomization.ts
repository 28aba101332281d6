import { type ClusterPath, printBundleFolder } from '../../base/core/bundle-path.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import type { FluxSettings, GitOps } from '../../fleet/model/network-model.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { type EntryPointManifest, repositoryPath } from './entry-point.ts';

/** The values that all Flux objects of one fleet share. */
export interface FluxSetting {
  readonly model: SharedModel;
  readonly gitops: GitOps;
  readonly flux: FluxSettings;
}

type Dependency = { readonly name: string; readonly readyExpr?: string };

const isReady = (kustomization: 'dep' | 'self', status: 'True' | 'Unknown'): string =>
  `${kustomization}.status.conditions.exists(it, it.type == 'Ready' && it.status == '${status}')`;

/**
 * The expression for a dependency that is healthy now, at any commit. Flux itself requires readiness at the commit that
 * is being applied. Then each commit, whatever it changes, would pass through the whole chain.
 *
 * At a new commit all Kustomizations are reconciled at once, so a healthy dependency may be `Unknown`. It is also
 * `Unknown` while its Configuration is created again after an outage, when dependents must continue to wait. The state
 * of the dependent Kustomization distinguishes the two: after an outage it is not ready, either.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`checkDependencies`; `reconcile`
 * sets Ready to Unknown before it applies anything, and lastAppliedRevision after the health checks).
 */
const READY_EXPR =
  `has(dep.status.conditions) && (${isReady('dep', 'True')} || (${isReady('dep', 'Unknown')} && ` +
  `has(dep.status.lastAppliedRevision) && has(self.status.conditions) && ${isReady('self', 'True')}))`;

export const onceReady = (flux: FluxSettings, name: string): Dependency =>
  flux.evaluatesReadyExpr ? { name, readyExpr: READY_EXPR } : { name };

/** The dependencies that the topology lists for every cluster, usually Liqo itself. */
export const givenDependencies = (flux: FluxSettings): readonly Dependency[] =>
  flux.dependsOn.map((name) => ({ name }));

interface KustomizationStep {
  readonly name: string;
  /** The kustomization.yaml in the folder that it applies. */
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
      // The default is the interval: a Configuration that takes longer than the timeout would delay the chain by ten
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
