import { printBundlePath } from '../../base/core/bundle-path.ts';
import { NETWORK_TYPE_LABEL, REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import { printYaml, printYamlDocuments, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import { groupOf, isTenantNamespace, type KubernetesObject, kindKey } from '../dumps/kubernetes-object.ts';
import type { LiveCluster } from '../dumps/live-cluster.ts';
import { CLUSTER_NAME } from './cluster-name.ts';

type Files = ReadonlyMap<string, string>;

/** Objects of a link, as the file of a peer has them below its tenant namespace. */
const OF_A_LINK = [
  'PublicKey.networking.liqo.io',
  'Configuration.networking.liqo.io',
  'GatewayServer.networking.liqo.io',
  'GatewayClient.networking.liqo.io',
];

/**
 * Files for what a live cluster has and no bundle does: links that git does not know, and, of a cluster that git does not know,
 * its own networks.
 */
export function unrecordedFiles({ cluster, objects }: LiveCluster, files: Files): Files {
  const byPeer = new Map<string, KubernetesObject[]>();
  const own: KubernetesObject[] = [];
  for (const it of objects.values()) {
    const key = kindKey(groupOf(it.apiVersion), it.kind);
    const peer = it.metadata.labels?.[REMOTE_CLUSTER_LABEL];
    if (key === 'Network.ipam.liqo.io' && it.metadata.labels?.[NETWORK_TYPE_LABEL] !== undefined) own.push(it);
    const isOfLink = OF_A_LINK.includes(key) || isTenantNamespace(it);
    if (peer === undefined || !CLUSTER_NAME.test(peer) || !isOfLink) continue;
    const ofPeer = byPeer.get(peer) ?? [];
    ofPeer.push(it);
    byPeer.set(peer, ofPeer);
  }
  const found = new Map<string, string>();
  for (const [peer, list] of byPeer) {
    const path = printBundlePath({ part: 'peer', cluster, peer, file: 'manifests' });
    // A tenant namespace alone is what a removed link leaves behind.
    if (!files.has(path) && list.some((it) => it.kind !== 'Namespace')) found.set(path, printed(list));
  }
  const values = printBundlePath({ part: 'helm-values', cluster });
  if (!files.has(values)) {
    found.set(values, printYaml({ discovery: { config: { clusterID: cluster } } }));
    if (own.length > 0) found.set(printBundlePath({ part: 'expected', cluster, file: 'networks' }), printed(own));
  }
  return found;
}

const printed = (objects: readonly KubernetesObject[]): string =>
  printYamlDocuments(
    objects.map(({ apiVersion, kind, metadata: { name, namespace, labels }, spec, status }) => ({
      apiVersion,
      kind,
      metadata: { name, namespace, labels },
      spec: spec as YamlValue | undefined,
      ...(kind === 'Network' ? { status: status as YamlValue | undefined } : {}),
    })),
  );
