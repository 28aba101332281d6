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
 * A dependency that is healthy now, at whichever commit. Flux itself requires more: that it is ready at the commit that is
 * being applied. Then each commit, whatever it changes, would walk through the whole chain.
 *
 * At a new commit all Kustomizations are reconciled at once, so a dependency may be `Unknown` although nothing is wrong. It is
 * the same while its Configuration is made again after an outage, when what waits for it must go on waiting. The one that
 * waits tells the two apart: an outage has made it not ready, too.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`checkDependencies`; `reconcile` sets
 * Ready to Unknown before it applies anything, and lastAppliedRevision after the health checks).
 */
const READY_EXPR =
  `has(dep.status.conditions) && (${isReady('dep', 'True')} || (${isReady('dep', 'Unknown')} && ` +
  `has(dep.status.lastAppliedRevision) && has(self.status.conditions) && ${isReady('self', 'True')}))`;

export const onceReady = (flux: FluxSettings, name: string): Dependency =>
  flux.evaluatesReadyExpr ? { name, readyExpr: READY_EXPR } : { name };

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
