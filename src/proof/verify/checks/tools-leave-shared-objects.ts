import type { Expectation } from '../expectation.ts';
import type { ExpectedShare } from '../expected/expect-shares.ts';
import { shareBetween } from '../sharing/pairs-of-shares.ts';
import { sharedFiles } from '../sharing/shared-files.ts';
import type { FleetCheck } from './bundle-check.ts';
import { compareParts, type Part } from './compare-part.ts';

/**
 * GitOps tools delete nothing that a provider has for a consumer, which needs it to take back its own, and no virtual node,
 * which Liqo deletes with its slice; and they change no certificate that Liqo renews, but every one that it does not.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller;
 * argoproj/argo-cd docs/user-guide/sync-options.md; fluxcd/kustomize-controller docs/spec/v1/kustomizations.md.
 */
export const toolsLeaveSharedObjects: FleetCheck = function* ({ expected, bundle }) {
  for (const { path, cluster, remote } of sharedFiles(expected)) {
    const borrowed = remote === null ? undefined : shareBetween(expected.shares, cluster, remote);
    for (const { kind, name, node } of bundle.objects.get(path) ?? []) {
      const what = `the ${kind} "${name}" of "${cluster}"`;
      const kept = KEPT.has(kind);
      const renewed = kind === 'Identity' && borrowed !== undefined && isRenewed(borrowed, expected);
      yield* compareParts({ code: 'verify/sharing', what, node }, [
        annotation('argocd.argoproj.io/sync-options', kept ? 'Prune=false,Delete=false' : undefined),
        annotation('kustomize.toolkit.fluxcd.io/prune', kept ? 'disabled' : undefined),
        annotation('kustomize.toolkit.fluxcd.io/ssa', renewed ? 'IfNotPresent' : undefined),
      ]);
    }
  }
};

const KEPT = new Set(['Namespace', 'Secret', 'ServiceAccount', 'RoleBinding', 'Tenant', 'VirtualNode']);

const annotation = (key: string, wanted: Part) => [['metadata', 'annotations', key], wanted] as const;

/** It takes both: a provider that signs again, and a consumer that takes the answer. */
export const isRenewed = ({ consumer, provider, auth }: ExpectedShare, { clusters }: Expectation): boolean =>
  auth === 'handshake' && [consumer, provider].every((it) => clusters.get(it)?.traits.renewsCertificates === true);
