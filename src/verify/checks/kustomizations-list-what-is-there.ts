import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type FoundText, nearestKey, textsAt } from '../kube-object.ts';
import type { ReadBundle } from '../read-bundle.ts';
import { isRemapped, type RebuiltCluster, type RebuiltPeer } from '../rebuild-network.ts';
import type { BundleCheck, Evidence } from './bundle-check.ts';

/** Every kustomization lists each file of its folder that is to be applied, once, and nothing else. */
export const kustomizationsListWhatIsThere: BundleCheck = function* (evidence) {
  const { bundle } = evidence;
  const clusters = new Set(evidence.expected.clusters.keys());
  for (const [path, objects] of bundle.objects) {
    if (!/(^|\/)kustomization\.yaml$/.test(path)) continue;
    const folder = path.slice(0, -'/kustomization.yaml'.length);
    const top = path.split('/')[0] ?? '';
    if (!clusters.has(top) && !top.startsWith('_')) continue;
    const [it, ...more] = objects;
    if (!it) continue;
    for (const extra of more) yield diagnostic('verify/kustomization', extra.at, 'a second object in a kustomization');
    if (it.kind !== 'Kustomization' || it.apiVersion !== 'kustomize.config.k8s.io/v1beta1') {
      yield diagnostic(
        'verify/kustomization',
        it.at,
        `this is a ${it.kind} of ${it.apiVersion}, not what kustomize reads`,
      );
    }
    for (const [key, entry] of it.node.entries) {
      if (['apiVersion', 'kind', 'resources'].includes(key)) continue;
      yield diagnostic('verify/kustomization', entry.key, `a kustomization of weft lists resources and has no ${key}`);
    }
    const wanted = wantedIn(folder, evidence);
    yield* compare(textsAt(it.node, ['resources']), wanted, { at: nearestKey(it.node, ['resources']), folder });
  }
};

function* compare(
  listed: readonly FoundText[],
  wanted: ReadonlySet<string>,
  { at, folder }: { readonly at: Diagnostic['span']; readonly folder: string },
): Iterable<Diagnostic> {
  const seen = new Set<string>();
  for (const it of listed) {
    const text = (it.text ?? '').replace(/^"(.*)"$/, '$1');
    if (seen.has(text))
      yield diagnostic('verify/kustomization', it.at, `"${text}" stands twice, which kustomize refuses`);
    else if (!wanted.has(text))
      yield diagnostic(
        'verify/kustomization',
        it.at,
        `"${text}" is listed, and is not there to be applied with ${folder}`,
      );
    seen.add(text);
  }
  for (const text of wanted) {
    if (!seen.has(text))
      yield diagnostic('verify/kustomization', at, `"${text}" is there and not listed, so nothing applies it`);
  }
}

function wantedIn(folder: string, { bundle, network, expected }: Evidence): ReadonlySet<string> {
  const [top = '', below] = folder.split('/');
  const cluster = network.get(top);
  if (cluster && below === undefined) return new Set(partsOf(bundle, cluster));
  if (cluster && below === 'unordered') {
    const parts = partsOf(bundle, cluster, (it) => !isRemapped(it));
    return new Set(parts.map((it) => `../${it}`));
  }
  if (folder !== '_flux') return filesIn(bundle, folder);
  const hasSource = expected.entryPoints.includes('_flux/source/kustomization.yaml');
  return new Set([...(hasSource ? ['source'] : []), ...expected.remoteByFlux.map((it) => `clusters/${it}`)]);
}

/** The folders of a cluster's bundle that are applied, of peers those that are meant. */
function partsOf(
  { folders }: ReadBundle,
  { name, expected, peers }: RebuiltCluster,
  meant: (peer: RebuiltPeer) => boolean = () => true,
): readonly string[] {
  if (expected.retired) return [];
  const ofPeers = [...peers.values()].filter(meant).map((it) => `peers/${it.name}`);
  return ['gateway-templates', 'shortcuts', ...ofPeers].filter((it) => folders.has(`${name}/${it}`));
}

/** No resources: kustomizations themselves, and a patch for an object of somebody else, which is merged by hand. */
const NO_RESOURCES: ReadonlySet<string> = new Set(['kustomization.yaml', 'argocd-cm-patch.yaml']);

const filesIn = ({ folders }: ReadBundle, folder: string): ReadonlySet<string> =>
  new Set(
    (folders.get(folder) ?? [])
      .map((it) => it.slice(folder.length + 1))
      .filter((it) => /\.ya?ml$/.test(it) && !NO_RESOURCES.has(it)),
  );
