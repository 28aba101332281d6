import type { BundlePath } from '../../base/core/bundle-path.ts';
import { printHeader } from '../../base/core/header.ts';
import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { isRenewed } from '../../fleet/sharing/is-renewed.ts';
import { type SharedModel, sharingOf } from '../../fleet/sharing/shared-model.ts';
import { sharingAnnotations } from '../gitops/sharing-annotations.ts';
import type { Manifest } from '../liqo/manifest.ts';
import { lowerOffloading } from '../liqo/sharing/lower-offloading.ts';
import { lowerSharing } from '../liqo/sharing/lower-sharing.ts';
import { annotate } from './annotate.ts';
import type { BundleFile } from './bundle.ts';
import { printYamlDocuments } from './print-yaml.ts';

/** What a cluster lends, borrows and offloads: one file for each remote cluster, and one for each namespace. */
export function* emitSharing(cluster: AddressedCluster, model: SharedModel): Iterable<BundleFile> {
  const { partners, offloads } = sharingOf(model, cluster.name);
  const header = printHeader(model.fleet.topologyFile);
  const print = (manifests: readonly Manifest[], renewed: boolean): string =>
    printYamlDocuments(manifests.map((it) => annotate(it, sharingAnnotations(cluster, { kind: it.kind, renewed }))));
  for (const it of partners) {
    const { name } = it.cluster;
    const manifests = lowerSharing(cluster, it);
    const renewed = it.borrowed !== null && isRenewed(it.borrowed);
    const remark = renewed && manifests.some(({ kind }) => kind === 'Identity') ? RENEWED_IDENTITY : '';
    yield { path: { part: 'sharing', cluster: cluster.name, name }, text: header + remark + print(manifests, renewed) };
  }
  for (const it of offloads) {
    const path: BundlePath = { part: 'offloading', cluster: cluster.name, name: it.namespace };
    yield { path, text: header + print(lowerOffloading(it), false) };
  }
}

/** Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller. */
const RENEWED_IDENTITY = `# Liqo renews the certificate in the Identity, so Argo CD and Flux create the Identity and never change it. If the answer of
# the provider changes in another way (an API server that moved, a new key), apply this file once with kubectl apply.
`;
