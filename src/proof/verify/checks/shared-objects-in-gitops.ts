import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Expectation } from '../expectation.ts';
import type { ExpectedShare } from '../expected/expect-shares.ts';
import { type KubeObject, textAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import { isGateway } from '../rebuild-network.ts';
import { sharedFiles } from '../sharing/shared-files.ts';
import { shareBetween } from '../sharing/shares.ts';
import { compareParts, type FleetCheck, forEachCluster, type Part } from './bundle-check.ts';

/**
 * What is shared is applied after every Configuration, because a virtual kubelet reads once, when it starts, what that was
 * answered; and no object has a later wave, because Argo CD would wait for what waits for another cluster. Namespaces come
 * before what is in them.
 * Source: liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go, pkg/webhooks/tenant; argoproj/argo-cd
 * gitops-engine/pkg/sync/sync_context.go.
 */
export const sharedWavesFollowTheOrder = forEachCluster(function* ({ bundle }, { name, peers }) {
  const files = ['sharing', 'offloading'].flatMap((it) => objectsIn(bundle, `${name}/${it}`));
  const shared = files.flatMap(([path, found]) => (path.endsWith('/kustomization.yaml') ? [] : found));
  const ofLinks = [...peers.values()].flatMap((it) => it.objects);
  const all = [...ofLinks, ...shared].flatMap(wavedOf);
  const before = all.filter(({ object: { kind } }) => kind === 'Configuration' || kind === 'Namespace');
  const last = usualWave(all.filter(({ object }) => isGateway(object) || LAST.has(object.kind)));
  for (const object of shared) {
    const [it] = wavedOf(object);
    if (!LAST.has(object.kind) && object.kind !== 'Namespace') continue;
    if (!it) yield notAWave(object, name);
    else if (object.kind !== 'Namespace') yield* inTheLastWave(it, { last, before });
  }
});

/** Whatever else is there is not required by the topology, which is an error of its own. */
const LAST = new Set([
  ...['Secret', 'ServiceAccount', 'RoleBinding', 'Tenant'],
  ...['ExternalSecret', 'Identity', 'ResourceSlice', 'VirtualNode', 'NamespaceOffloading'],
]);

/** The wave of most: an edited object is the exception. */
function usualWave(all: readonly Waved[]): number {
  const counts = new Map<number, number>();
  for (const { wave } of all) counts.set(wave, (counts.get(wave) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]?.[0] ?? 0;
}

interface Waved {
  readonly object: KubeObject;
  readonly wave: number;
  readonly at: Diagnostic['span'];
}

const WAVE = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'];

function wavedOf(object: KubeObject): readonly Waved[] {
  const { text, at, type } = textAt(object.node, WAVE);
  return type !== undefined || !/^-?\d+$/.test(text ?? '') ? [] : [{ object, wave: Number(text), at }];
}

const notAWave = ({ kind, name, node }: KubeObject, cluster: string): Diagnostic =>
  diagnostic(
    'verify/apply-order',
    textAt(node, WAVE).at,
    `the ${kind} "${name}" of "${cluster}" has no wave that is an integer in quotes`,
  );

function* inTheLastWave(
  { object: { kind, name }, wave, at }: Waved,
  { last, before }: { readonly last: number; readonly before: readonly Waved[] },
): Iterable<Diagnostic> {
  const is = `the ${kind} "${name}" is in wave ${wave}`;
  const late = before.find((it) => it.wave >= wave);
  if (late) {
    const related = [{ message: `wave ${late.wave}`, span: late.at }];
    const message = `${is}, but must be after the ${late.object.kind} "${late.object.name}"`;
    yield diagnostic('verify/apply-order', at, message, { related });
  } else if (wave !== last) {
    yield diagnostic(
      'verify/apply-order',
      at,
      `${is}, but must be in ${last} with the gateways: Argo CD waits for every other wave`,
    );
  }
}

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
