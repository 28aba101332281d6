import { clusterFolderOf, isKustomization, parseBundlePath, printBundlePath } from '../base/core/bundle-path.ts';
import { by, groupBy, sortedUnique } from '../base/core/collections.ts';
import { printLockKey } from '../base/core/lock-key.ts';
import { NETWORK_TYPE_LABEL, REMOTE_CLUSTER_LABEL, SHARED_LABEL } from '../base/releases/labels.ts';
import { firstLineWith } from '../base/releases/traits.ts';
import type { AddressesFile } from '../base/schema-types/addresses.ts';
import type { ClusterFacts, Decisions, Files, Folders } from './folder-state.ts';
import type { CidrRole, ClusterState, HelmSetting } from './network-state.ts';
import { listAt, type ManifestLines, readManifestLines } from './read-manifest-lines.ts';

/** The clusters with a folder, by name. */
export function readClusterStates(
  addresses: AddressesFile,
  folders: Folders,
  decisions: Decisions,
): ReadonlyMap<string, ClusterState> {
  const gateways = groupBy(addresses.gateways, (it) => [it.cluster]);
  const clusters = [...folders].filter(([folder]) => clusterFolderOf(`${folder}/`) !== undefined);
  const blockOf = (cluster: string, block: 'external' | 'internal'): string | null =>
    decisions.get(printLockKey({ kind: 'block', cluster, block })) ?? null;
  return new Map(
    clusters.sort(by(([name]) => name)).map(([name, { cluster }]): [string, ClusterState] => [
      name,
      {
        name,
        ...cluster,
        blocks: { external: blockOf(name, 'external'), internal: blockOf(name, 'internal') },
        peers: (gateways.get(name) ?? []).map((it) => it.peer),
      },
    ]),
  );
}

export function readClusterFacts(name: string, files: Files): ClusterFacts {
  const values = files.get(printBundlePath({ part: 'helm-values', cluster: name }));
  const helm = readManifestLines(values ?? '')[0] ?? new Map<string, string>();
  const templates = templatesIn(name, files);
  const networks = ownNetworks(files.get(printBundlePath({ part: 'expected', cluster: name, file: 'networks' })) ?? '');
  const of = (type: CidrRole | 'reserved'): readonly string[] =>
    networks
      .filter((it) => it.get(NETWORK_TYPE) === (type === 'reserved' ? type : `${type}-cidr`))
      .map((it) => it.get('status.cidr') ?? '');
  return {
    retired: values === undefined,
    provenLine: networks.some((it) => it.has(SHARED)) ? firstLineWith('labelsSharedNetworks') : null,
    namespace: networks[0]?.get('metadata.namespace') ?? null,
    own: { pod: of('pod'), service: of('service'), external: of('external'), internal: of('internal') },
    reserved: of('reserved'),
    pools: listAt(helm, 'ipam.pools'),
    reportsMetrics: helm.get('metrics.enabled') === 'true',
    requested: { external: helm.get('ipam.externalCIDR') ?? null, internal: helm.get('ipam.internalCIDR') ?? null },
    apiServer: {
      address: helm.get('apiServer.address') ?? null,
      ca: helm.get('apiServer.ca') ?? null,
      trustedCA: helm.get('apiServer.trustedCA') ?? null,
    },
    gatewayImages: sortedUnique(templates.flatMap((it) => imagesIn(it.text))),
    ownTemplates: templates.map((it) => it.name),
    masquerades: helm.get(MASQUERADE) === 'true',
    helmValues: helmValuesIn(helm),
  };
}

const MASQUERADE = 'networking.fabric.config.fullMasquerade';

function templatesIn(cluster: string, files: Files): readonly { readonly name: string; readonly text: string }[] {
  const above = `${cluster}/gateway-templates/`;
  return [...files].flatMap(([path, text]) => {
    const place = path.startsWith(above) ? parseBundlePath(path) : undefined;
    return place?.part === 'gateway-templates' && !isKustomization(place) ? [{ name: place.name, text }] : [];
  });
}

/** The images in a text under any container name: a pod runs every image that it contains. */
export const imagesIn = (text: string): readonly string[] =>
  readManifestLines(text).flatMap((it) => [...it].flatMap(([key, value]) => (key.endsWith('.image') ? [value] : [])));

/** Paths by what the values are for; the first that matches. Other fields of a state have those of `null`. */
const HELM_PATHS: readonly (readonly [HelmSetting | null, RegExp])[] = [
  [null, /^(apiServer|metrics)\.|^ipam\.(?!(in|ex)ternal\.)|^discovery\.config\.clusterID$/],
  [null, /^networking\.fabric\.config\.fullMasquerade$/],
  ['platform', /^networking\.(gatewayTemplates|fabric\.config)\.|^openshiftConfig\.enabled$/],
  ['platform', /\.(liqo\.io\/provider|kubernetes\.azure\.com\/managed)$/],
  ['helmValues for images', /\.image(\.|$)|^imagePullSecrets\b/],
  ['helmValues for slices', /^(controllerManager\.config|storage|offloading\.defaultNodeResources)\./],
  ['helmValues for virtual nodes', /^(offloading\.reflection|virtualKubelet)\.|^networking\.reflectIPs$/],
  ['helmValues', /^/],
];

/**
 * Values by what they are for. Keys of a platform are shortened to their last part, which is unique among them; the many
 * annotations of a load balancer come last.
 */
function helmValuesIn(helm: ManifestLines): ClusterState['helmValues'] {
  const found = groupBy([...helm], ([path]) => [HELM_PATHS.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other']);
  const of = (setting: HelmSetting): readonly string[] =>
    sortedUnique((found.get(setting) ?? []).map(([path, value]) => `${path}=${value}`));
  const ofPlatform = (isAnnotation: boolean): readonly string[] =>
    sortedUnique(
      (found.get('platform') ?? [])
        .filter(([path]) => path.includes('.annotations.') === isAnnotation)
        .map(([path, value]) => `${/[^./]+$/.exec(path)?.[0] ?? path}=${value}`),
    );
  return {
    platform: [...ofPlatform(false), ...ofPlatform(true)],
    helmValues: of('helmValues'),
    'helmValues for images': of('helmValues for images'),
    'helmValues for slices': of('helmValues for slices'),
    'helmValues for virtual nodes': of('helmValues for virtual nodes'),
  };
}

const NETWORK_TYPE = `metadata.labels.${NETWORK_TYPE_LABEL}`;
const SHARED = `metadata.labels.${SHARED_LABEL}`;

/** The Networks of a cluster's own installation, which come first; a hub has thousands of others after them. */
function ownNetworks(text: string): readonly ManifestLines[] {
  const end = text.indexOf(`\n    ${REMOTE_CLUSTER_LABEL}:`);
  return readManifestLines(end === -1 ? text : text.slice(0, text.lastIndexOf('\n---\n', end) + 1));
}
