import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { orderedPeers } from '../gitops-steps.ts';
import { type FoundText, type KubeObject, nearestKey, textAt, textsAt } from '../kube-object.ts';
import type { ReadBundle } from '../read-bundle.ts';
import { isRemapped, type RebuiltCluster, type RebuiltPeer } from '../rebuild-network.ts';
import type { CheckContext, FolderCheck } from './bundle-check.ts';

/** Every kustomization lists each file of its folder that must be applied, once, and nothing else. */
export const kustomizationsListEveryFile: FolderCheck = {
  *inFolder(context, top) {
    if (!context.expected.clusters.has(top) && !top.startsWith('_')) return;
    for (const path of context.bundle.below(top)) {
      if (!path.endsWith('/kustomization.yaml')) continue;
      yield* kustomizationIn(context, path.slice(0, -'/kustomization.yaml'.length), path);
    }
  },
};

function* kustomizationIn(context: CheckContext, folder: string, path: string): Iterable<Diagnostic> {
  const [it, ...more] = context.bundle.objects.get(path) ?? [];
  if (!it) return;
  for (const extra of more) yield diagnostic('verify/kustomization', extra.at, 'a second object in a kustomization');
  if (it.kind !== 'Kustomization' || it.apiVersion !== 'kustomize.config.k8s.io/v1beta1') {
    yield diagnostic(
      'verify/kustomization',
      it.at,
      `this is a ${it.kind} of ${it.apiVersion}, but kustomize reads only a Kustomization of its own API`,
    );
  }
  const ordered = context.network.get(folder);
  const isOrdered = ordered !== undefined && orderedPeers(ordered).length > 0;
  for (const [key, entry] of it.node.entries) {
    if (['apiVersion', 'kind', 'resources', ...(isOrdered ? ['sortOptions'] : [])].includes(key)) continue;
    yield diagnostic(
      'verify/kustomization',
      entry.key,
      `a kustomization of weft has only \`resources\`, but this one has \`${key}\``,
    );
  }
  if (!it.node.entries.has('resources'))
    yield diagnostic('verify/kustomization', it.at, 'kustomize refuses a kustomization without `resources`');
  const wanted = wantedIn(folder, context);
  yield* compare(textsAt(it.node, ['resources']), wanted, { at: nearestKey(it.node, ['resources']), folder });
  if (ordered && isOrdered) yield* keepsTheOrder(it, ordered);
}

/**
 * Checks the order of a kustomization. Kustomize sorts objects by kind and name unless `sortOptions` requires their
 * order, and `kubectl apply -k` applies them in the resulting order. Source: kubernetes-sigs/kustomize
 * api/types/kustomization.go, v5.8.1 (`SortOptions`).
 */
function* keepsTheOrder({ node }: KubeObject, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const order = textAt(node, ['sortOptions', 'order']);
  if (order.text !== 'fifo') {
    const message = `the order of ${cluster.name}/kustomization.yaml is ${order.text ?? 'not set'}, but must be fifo`;
    yield diagnostic('verify/apply-order', order.at, `${message}: its links depend on the order`);
  }
  const ordered = orderedPeers(cluster).map((it) => `peers/${it.name}`);
  const last = textsAt(node, ['resources'])
    .filter((it) => it.text?.startsWith('peers/'))
    .slice(-ordered.length);
  for (const [i, it] of last.entries()) {
    if (it.text === ordered[i]) continue;
    yield diagnostic('verify/apply-order', it.at, `${it.text} is listed here, but the order requires ${ordered[i]}`);
    return;
  }
}

function* compare(
  listed: readonly FoundText[],
  wanted: ReadonlySet<string>,
  { at, folder }: { readonly at: Diagnostic['span']; readonly folder: string },
): Iterable<Diagnostic> {
  const seen = new Set<string>();
  for (const it of listed) {
    const text = it.text ?? '';
    if (seen.has(text))
      yield diagnostic('verify/kustomization', it.at, `"${text}" is listed twice, which kustomize refuses`);
    else if (!wanted.has(text))
      yield diagnostic('verify/kustomization', it.at, `"${text}" is listed, but is not a part of ${folder}`);
    seen.add(text);
  }
  for (const text of wanted) {
    if (!seen.has(text)) yield diagnostic('verify/kustomization', at, `"${text}" is not listed, so no tool applies it`);
  }
}

function wantedIn(folder: string, { bundle, network, expected }: CheckContext): ReadonlySet<string> {
  const [top = '', below] = folder.split('/');
  const cluster = network.get(top);
  if (cluster && below === undefined) return new Set(appliedFolders(bundle, cluster));
  if (cluster && below === 'unordered') {
    const parts = appliedFolders(bundle, cluster, (it) => !isRemapped(it)).filter((it) => !SHARED_FOLDERS.includes(it));
    return new Set(parts.map((it) => `../${it}`));
  }
  if (folder === '_flux/clusters') return new Set(expected.remoteByFlux.map((it) => `${it}.yaml`));
  if (folder !== '_flux') return resourcesIn(bundle, folder);
  const hasSource = expected.entryPoints.includes('_flux/source/kustomization.yaml');
  return new Set([...(hasSource ? ['source'] : []), ...expected.remoteByFlux.map((it) => `clusters/${it}`)]);
}

/** The folders of a cluster's bundle that are applied, with those of the selected peers. */
function appliedFolders(
  bundle: ReadBundle,
  { name, expected, peers }: RebuiltCluster,
  isSelected: (peer: RebuiltPeer) => boolean = () => true,
): readonly string[] {
  if (expected.retired) return [];
  const ofPeers = [...peers.values()].filter(isSelected).map((it) => `peers/${it.name}`);
  const parts = ['gateway-templates', 'shortcuts', ...ofPeers, ...SHARED_FOLDERS];
  return parts.filter((it) => bundle.filesIn(`${name}/${it}`).length > 0);
}

/** Folders that Flux applies with Kustomizations of their own. */
const SHARED_FOLDERS: readonly string[] = ['sharing', 'offloading', 'conformance', 'boundaries'];

/**
 * True for files that are no resources: kustomizations, a patch for an object that weft does not own, which users merge
 * by hand, and the Application that applies the folder.
 */
const isNoResource = (path: string): boolean =>
  path.endsWith('/kustomization.yaml') || /^_argocd\/(argocd-cm-patch|application)\.yaml$/.test(path);

const resourcesIn = ({ filesIn }: ReadBundle, folder: string): ReadonlySet<string> =>
  new Set(
    filesIn(folder)
      .filter((it) => /\.ya?ml$/.test(it) && !isNoResource(it))
      .map((it) => it.slice(folder.length + 1)),
  );
