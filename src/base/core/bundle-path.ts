/*
 * The layout of `out/`, defined only here. `verify/` deliberately has its own copy: it proves that the files are where
 * GitOps tools and users look for them, and a shared layout would prove nothing.
 *
 *   out/
 *   ├── addresses.json                       every view and gateway, for programs
 *   ├── .weft/                               weft's own folder
 *   │   ├── <cluster>.sha256                 the files that weft wrote for a cluster, with their hashes
 *   │   ├── journal.json                     the files that a run is about to write
 *   │   ├── lock                             held by the process that writes
 *   │   └── staging/                         files of a run before they are moved to their paths
 *   ├── _argocd/                             entry points for Argo CD
 *   │   ├── application.yaml                 applies this folder; not listed in its kustomization
 *   │   ├── applicationset.yaml
 *   │   ├── appproject.yaml
 *   │   ├── argocd-cm-patch.yaml             health checks, merged by hand
 *   │   └── kustomization.yaml
 *   ├── _flux/                               entry points for Flux
 *   │   ├── kustomization.yaml
 *   │   ├── source/
 *   │   │   ├── gitrepository.yaml
 *   │   │   └── kustomization.yaml
 *   │   ├── clusters.yaml                    applies clusters/ without the folders in it
 *   │   └── clusters/
 *   │       ├── kustomization.yaml           lists the clusters with a kubeconfig
 *   │       ├── <cluster>.yaml               applies <cluster>/
 *   │       └── <cluster>/
 *   │           ├── <cluster>.yaml           its Kustomizations
 *   │           └── kustomization.yaml
 *   └── <cluster>/
 *       ├── kustomization.yaml
 *       ├── helm-values.yaml
 *       ├── unordered/kustomization.yaml     applied first by Flux; no sharing, no links that need an order
 *       ├── gateway-templates/
 *       │   ├── <template>.yaml
 *       │   └── kustomization.yaml
 *       ├── conformance/                     with `conformance: true`
 *       │   ├── prober.yaml                  a pod that `weft conformance` dials from, and to
 *       │   └── kustomization.yaml
 *       ├── boundaries/
 *       │   ├── <namespace>.yaml             the NetworkPolicy of a namespace that `boundaries` names
 *       │   └── kustomization.yaml
 *       ├── shortcuts/
 *       │   ├── <ForeignClusterConnection>.yaml
 *       │   └── kustomization.yaml
 *       ├── sharing/
 *       │   ├── <remote>.yaml                the loans between the cluster and the remote one, in both directions
 *       │   └── kustomization.yaml
 *       ├── offloading/
 *       │   ├── <namespace>.yaml             a namespace whose pods may run in providers
 *       │   └── kustomization.yaml
 *       ├── monitoring/                      applied separately, where the Prometheus operator runs
 *       │   ├── <peer>.yaml                  alerts on the tunnel to the peer
 *       │   └── kustomization.yaml
 *       ├── peers/<peer>/
 *       │   ├── <peer>.yaml                  everything Liqo needs for this peer
 *       │   └── kustomization.yaml
 *       ├── nftables/
 *       │   ├── <peer>.nft                   the address translation of the gateway towards the peer
 *       │   └── nodes/<peer>.nft             the address translation of every node
 *       └── expected/                        the objects that live ones are compared with
 *           ├── configurations.yaml
 *           ├── connections.yaml
 *           ├── foreignclusterconnections.yaml
 *           ├── networks.yaml
 *           └── <kind>.yaml                  objects that Liqo creates for sharing and offloading: identities, ...
 */

/** The file name, without its extension, of the file that lists the other files of a folder for kustomize. */
export const LIST_NAME = 'kustomization';

/** The folder below `out/` that is weft's own. */
export const OWN_FOLDER = '.weft';

/** Paths in weft's own folder that exist only while a run writes. The records there are committed with the bundles. */
export const OWN_PATHS = {
  journal: `${OWN_FOLDER}/journal.json`,
  processLock: `${OWN_FOLDER}/lock`,
  staging: `${OWN_FOLDER}/staging`,
} as const;

/** True when a file below `out/` can belong to the bundles. Names with a leading dot never do. */
export const isBundleFile = (path: string): boolean => !path.startsWith('.');

/** A file that weft writes below `out/`. */
export type BundlePath =
  | { readonly part: 'addresses' }
  | { readonly part: 'argocd'; readonly file: ArgoFile }
  | { readonly part: 'flux' }
  | { readonly part: 'flux-source'; readonly file: 'gitrepository' | 'kustomization' }
  /** `applier` is the Kustomization of Flux that applies the folder from git. */
  | { readonly part: 'flux-clusters'; readonly file: 'applier' | 'kustomization' }
  | {
      readonly part: 'flux-cluster';
      readonly cluster: string;
      readonly file: 'applier' | 'manifests' | 'kustomization';
    }
  | ClusterPath;

export type ClusterPath =
  | { readonly part: 'kustomization' | 'helm-values' | 'unordered'; readonly cluster: string }
  /** `name` is the name of the file's object; `kustomization` for the list of the other files. */
  | { readonly part: ObjectFolder; readonly cluster: string; readonly name: string }
  | {
      readonly part: 'peer';
      readonly cluster: string;
      readonly peer: string;
      readonly file: 'manifests' | 'kustomization';
    }
  | { readonly part: 'gateway-rules' | 'node-rules'; readonly cluster: string; readonly peer: string }
  | { readonly part: 'expected'; readonly cluster: string; readonly file: ExpectedFile };

/** The folders of a cluster with one file for each object, remote cluster or namespace, and a list of these files. */
export const OBJECT_FOLDERS = [
  ...(['boundaries', 'conformance', 'gateway-templates', 'monitoring', 'offloading', 'sharing'] as const),
  'shortcuts',
] as const;
export type ObjectFolder = (typeof OBJECT_FOLDERS)[number];

export const ARGO_FILES = ['application', 'applicationset', 'appproject', 'argocd-cm-patch', 'kustomization'] as const;
export type ArgoFile = (typeof ARGO_FILES)[number];

/** Kinds of expected objects, one file each: first those of tunnels, then those of sharing and offloading. */
export const EXPECTED_FILES = [
  ...(['configurations', 'connections', 'foreignclusterconnections', 'networks'] as const),
  ...(['clusterrolebindings', 'deployments', 'foreignclusters', 'identities', 'namespacemaps'] as const),
  ...(['namespaceoffloadings', 'namespaces', 'quotas', 'renews', 'resourceslices', 'rolebindings', 'secrets'] as const),
  ...(['serviceaccounts', 'tenants', 'virtualnodes'] as const),
] as const;
export type ExpectedFile = (typeof EXPECTED_FILES)[number];

/** Prints the path below `out/`, with slashes. */
export function printBundlePath(path: BundlePath): string {
  switch (path.part) {
    case 'addresses':
      return 'addresses.json';
    case 'argocd':
      return `_argocd/${path.file}.yaml`;
    case 'flux':
      return '_flux/kustomization.yaml';
    case 'flux-source':
      return `_flux/source/${path.file}.yaml`;
    case 'flux-clusters':
      return path.file === 'applier' ? '_flux/clusters.yaml' : '_flux/clusters/kustomization.yaml';
    case 'flux-cluster':
      if (path.file === 'applier') return `_flux/clusters/${path.cluster}.yaml`;
      return `_flux/clusters/${path.cluster}/${path.file === 'manifests' ? path.cluster : path.file}.yaml`;
    default:
      return `${path.cluster}/${pathInCluster(path)}`;
  }
}

function pathInCluster(path: ClusterPath): string {
  switch (path.part) {
    case 'kustomization':
    case 'helm-values':
      return `${path.part}.yaml`;
    case 'unordered':
      return 'unordered/kustomization.yaml';
    case 'boundaries':
    case 'conformance':
    case 'gateway-templates':
    case 'monitoring':
    case 'offloading':
    case 'sharing':
    case 'shortcuts':
      return `${path.part}/${path.name}.yaml`;
    case 'peer':
      return `peers/${path.peer}/${path.file === 'manifests' ? path.peer : path.file}.yaml`;
    case 'gateway-rules':
      return `nftables/${path.peer}.nft`;
    case 'node-rules':
      return `nftables/nodes/${path.peer}.nft`;
    case 'expected':
      return `expected/${path.file}.yaml`;
  }
}

/** Parses a path below `out/`; `undefined` for a path that weft never writes. */
export function parseBundlePath(text: string): BundlePath | undefined {
  const fixed = FIXED.get(text);
  if (fixed !== undefined) return fixed;
  const [, applied] = FLUX_APPLIER.exec(text) ?? [];
  if (applied !== undefined) return { part: 'flux-cluster', cluster: applied, file: 'applier' };
  const [, fluxCluster, file] = FLUX_CLUSTER.exec(text) ?? [];
  if (fluxCluster !== undefined) return { part: 'flux-cluster', cluster: fluxCluster, file: fileOf(file) };
  const cluster = clusterFolderOf(text);
  return cluster === undefined ? undefined : parseInCluster(cluster, text.slice(cluster.length + 1));
}

function parseInCluster(cluster: string, text: string): ClusterPath | undefined {
  const fixed = FIXED_IN_CLUSTER.get(text);
  if (fixed !== undefined) return { ...fixed, cluster };
  const [, folder, name] = OBJECT_FILE.exec(text) ?? [];
  const part = OBJECT_FOLDERS.find((it) => it === folder);
  if (part !== undefined && name !== undefined) return { part, cluster, name };
  const [, peer, file] = PEER_FILE.exec(text) ?? [];
  if (peer !== undefined) return { part: 'peer', cluster, peer, file: fileOf(file) };
  const [, nodes, other] = RULES_FILE.exec(text) ?? [];
  if (other !== undefined) return { part: nodes === undefined ? 'gateway-rules' : 'node-rules', cluster, peer: other };
  return undefined;
}

const fileOf = (stem: string | undefined) => (stem === 'kustomization' ? stem : 'manifests');

/** The cluster in whose folder a path lies, whether weft wrote it or not; `undefined` for files of the whole fleet. */
export const clusterFolderOf = (text: string): string | undefined => /^([a-z0-9-]+)\//.exec(text)?.[1];

/** The path of the folder that contains a file. */
export function printBundleFolder(path: BundlePath): string {
  const text = printBundlePath(path);
  return text.slice(0, Math.max(0, text.lastIndexOf('/')));
}

/** True when the file lists the files that kustomize applies with its folder. */
export function isKustomization(path: BundlePath): boolean {
  if ('file' in path) return path.file === LIST_NAME;
  if ('name' in path) return path.name === LIST_NAME;
  return path.part === 'kustomization' || path.part === 'unordered' || path.part === 'flux';
}

const FLUX_APPLIER = /^_flux\/clusters\/([a-z0-9-]+)\.yaml$/;
const FLUX_CLUSTER = /^_flux\/clusters\/([a-z0-9-]+)\/(\1|kustomization)\.yaml$/;
const OBJECT_FILE =
  /^(boundaries|conformance|gateway-templates|monitoring|offloading|sharing|shortcuts)\/([a-z0-9.-]+)\.yaml$/;
const PEER_FILE = /^peers\/([a-z0-9-]+)\/(\1|kustomization)\.yaml$/;
const RULES_FILE = /^nftables\/(nodes\/)?([a-z0-9-]+)\.nft$/;

const FIXED: ReadonlyMap<string, BundlePath> = new Map(
  [
    { part: 'addresses' } as const,
    ...ARGO_FILES.map((file) => ({ part: 'argocd', file }) as const),
    { part: 'flux' } as const,
    { part: 'flux-source', file: 'gitrepository' } as const,
    { part: 'flux-source', file: 'kustomization' } as const,
    { part: 'flux-clusters', file: 'applier' } as const,
    { part: 'flux-clusters', file: 'kustomization' } as const,
  ].map((it) => [printBundlePath(it), it]),
);

const FIXED_IN_CLUSTER: ReadonlyMap<string, WithoutCluster> = new Map(
  [
    { part: 'kustomization' } as const,
    { part: 'helm-values' } as const,
    { part: 'unordered' } as const,
    ...EXPECTED_FILES.map((file) => ({ part: 'expected', file }) as const),
  ].map((it) => [pathInCluster({ ...it, cluster: '' }), it]),
);

type WithoutCluster =
  | { readonly part: 'kustomization' | 'helm-values' | 'unordered' }
  | { readonly part: 'expected'; readonly file: ExpectedFile };
