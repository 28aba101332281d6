import { isRenewed } from '../../fleet/sharing/is-renewed.ts';
import type { Share, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { namespaceOfConsumer } from '../../fleet/sharing/tenant-namespaces.ts';
import type { Field } from './entry-point.ts';

/**
 * Fields of emitted objects that Liqo sets: the local CIDRs, the UID of a tunnel's gateway, and certificates that it renews.
 * Fields that git does not have (finalizers, a slice's certificate request, labels of an offloaded namespace) are no
 * difference when objects are applied by the server.
 */
export function ignoredDifferences({ fleet, shares }: SharedModel): readonly Field[] {
  const group = 'networking.liqo.io';
  return [
    { group, kind: 'Configuration', jsonPointers: ['/spec/local'] },
    ...(fleet.emitConnections
      ? [{ group, kind: 'Connection', jsonPointers: ['/metadata/ownerReferences', '/spec/gatewayRef/uid'] }]
      : []),
    ...renewedIdentities(shares.filter((it) => it.auth === 'handshake')),
  ];
}

/**
 * Without this Argo CD would give the first certificate back. Where nothing is renewed, it must be able to bring a new one:
 * a fleet of several releases has a rule for each pair. One ApplicationSet serves all clusters, so a pair is recognised by
 * fields that git and the cluster have alike; the name of an Identity has only the provider.
 * Source: argoproj/argo-cd util/argo/normalizers/diff_normalizer.go (`del` of the expression), controller/sync.go
 * (normalizeTargetResources).
 */
function renewedIdentities(shares: readonly Share[]): readonly Field[] {
  const renewed = shares.filter(isRenewed);
  if (renewed.length === 0) return [];
  const identity = { group: 'authentication.liqo.io', kind: 'Identity' };
  if (renewed.length === shares.length) return [{ ...identity, jsonPointers: ['/spec/authParams'] }];
  return [{ ...identity, jqPathExpressions: renewed.map(pathOfCertificate) }];
}

const pathOfCertificate = (share: Share): string =>
  `select(.spec.clusterID == "${share.provider.name}" and .spec.namespace == "${namespaceOfConsumer(share)}") | .spec.authParams`;
