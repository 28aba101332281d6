import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { DocumentPath } from '../../../base/source/document-node.ts';
import type { Expectation } from '../expectation.ts';
import { type ExpectedShare, shareBetween } from '../expected/expect-shares.ts';
import { type KubeObject, textAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import { isGateway } from '../rebuild-network.ts';
import { sharedAndResultFiles, sharedFiles } from '../sharing/shared-files.ts';
import type { WantedObject } from '../sharing/wanted-objects.ts';
import { compareParts, type FleetCheck, forEachCluster, type Part } from './bundle-check.ts';
import { compareObject, isOfTools } from './compare-object.ts';

/**
 * Every object of authentication and offloading exists once, with the fields that the topology requires and no others.
 */
export const sharedObjectsMatchTopology: FleetCheck = function* ({ expected, bundle }) {
  for (const { path, cluster, wanted } of sharedAndResultFiles(expected)) {
    const [source, objects] = [bundle.sources.get(path), bundle.objects.get(path)];
    if (!source || !objects) continue;
    const left = new Map(wanted.map((it) => [objectKey(it.kind, it.metadata), it]));
    for (const object of objects) {
      const key = objectKey(object.kind, { name: object.name, namespace: loanNamespace(object) });
      const it = left.get(key) ?? onlyOfItsKind(object, { left: [...left.values()], objects });
      const what = `the ${object.kind} "${object.name}" of "${cluster}"`;
      if (it === undefined) yield* extra(object, what);
      else yield* compareObject({ what, node: object.node, isOthers: isOfTools, codeOf }, it);
      if (it) left.delete(objectKey(it.kind, it.metadata));
    }
    for (const { kind, metadata } of left.values()) {
      const at = objects[0]?.at ?? { source, start: 0, end: 0 };
      yield diagnostic('verify/missing-object', at, `"${cluster}" is missing the ${kind} "${metadata.name}"`);
    }
  }
};

/**
 * The wanted object of a kind for an object with a wrong name, if there is one of each: one error is clearer than two.
 */
function onlyOfItsKind(
  { kind }: KubeObject,
  { left, objects }: { readonly left: readonly WantedObject[]; readonly objects: readonly KubeObject[] },
): WantedObject | undefined {
  const [it, ...more] = left.filter((one) => one.kind === kind);
  return more.length === 0 && objects.filter((one) => one.kind === kind).length === 1 ? it : undefined;
}

function* extra({ kind, at }: KubeObject, what: string): Iterable<Diagnostic> {
  // `objectsMatchTopology` reports Secrets in more detail.
  if (kind === 'Secret') return;
  yield diagnostic('verify/extra-object', at, `${what} is not required by the topology, or is there twice`, {
    hint: 'run "weft compile" to write the file again',
  });
}

const objectKey = (
  kind: string,
  { name, namespace }: { readonly name: string; readonly namespace?: string | undefined },
) => `${kind} ${namespace ?? ''}/${name}`;

const loanNamespace = ({ node }: KubeObject): string | undefined => textAt(node, ['metadata', 'namespace']).text;

/** The code of an error: Liqo finds an object by its type, name and labels; the other fields are settings. */
const codeOf = ([first]: DocumentPath): Code =>
  first === 'apiVersion' || first === 'metadata' ? 'verify/identity' : 'verify/sharing';

/**
 * Shared objects are applied after every Configuration, because a virtual kubelet reads the status of its Configuration
 * once, when it starts. They are in the last wave, because Argo CD would wait for objects that wait for another
 * cluster. Namespaces are applied before their objects. Source: liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go,
 * pkg/webhooks/tenant; argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go.
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

/** Kinds of shared objects. The topology requires no other kind, and another check reports those. */
const LAST = new Set([
  ...['Secret', 'ServiceAccount', 'RoleBinding', 'Tenant'],
  ...['ExternalSecret', 'Identity', 'ResourceSlice', 'VirtualNode', 'NamespaceOffloading'],
]);

/** The wave of most objects, because an edited object is the exception. */
function usualWave(all: readonly WavedLoan[]): number {
  const counts = new Map<number, number>();
  for (const { wave } of all) counts.set(wave, (counts.get(wave) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]?.[0] ?? 0;
}

interface WavedLoan {
  readonly object: KubeObject;
  readonly wave: number;
  readonly at: Diagnostic['span'];
}

const WAVE = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'];

function wavedOf(object: KubeObject): readonly WavedLoan[] {
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
  { object: { kind, name }, wave, at }: WavedLoan,
  { last, before }: { readonly last: number; readonly before: readonly WavedLoan[] },
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
 * GitOps tools do not delete a provider's objects for a consumer, which the consumer needs to return what it borrowed,
 * nor a virtual node, which Liqo deletes with its slice. They do not change a certificate that Liqo renews, but they
 * apply every other one. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/localrenewer-controller; argoproj/argo-cd docs/user-guide/sync-options.md;
 * fluxcd/kustomize-controller docs/spec/v1/kustomizations.md.
 */
export const toolsLeaveSharedObjects: FleetCheck = function* ({ expected, bundle }) {
  for (const { path, cluster, remote } of sharedFiles(expected)) {
    const borrowed = remote === null ? undefined : shareBetween(expected.shares, cluster, remote);
    for (const { kind, name, node } of bundle.objects.get(path) ?? []) {
      const what = `the ${kind} "${name}" of "${cluster}"`;
      const kept = KEPT.has(kind);
      const renewed = kind === 'Identity' && borrowed !== undefined && isRenewed(borrowed, expected);
      yield* compareParts({ code: 'verify/sharing', what, node }, [
        annotation('argocd.argoproj.io/compare-options', kept ? 'IgnoreExtraneous' : undefined),
        annotation('argocd.argoproj.io/sync-options', kept ? 'Prune=false,Delete=false' : undefined),
        annotation('kustomize.toolkit.fluxcd.io/prune', kept ? 'disabled' : undefined),
        annotation('kustomize.toolkit.fluxcd.io/ssa', renewed ? 'IfNotPresent' : undefined),
      ]);
    }
  }
};

const KEPT = new Set(['Namespace', 'Secret', 'ServiceAccount', 'RoleBinding', 'Tenant', 'VirtualNode']);

const annotation = (key: string, wanted: Part) => [['metadata', 'annotations', key], wanted] as const;

/**
 * True when the certificate is renewed, which needs both ends: a provider that signs again, and a consumer that accepts
 * the answer.
 */
export const isRenewed = ({ consumer, provider, auth }: ExpectedShare, { clusters }: Expectation): boolean =>
  auth === 'handshake' && [consumer, provider].every((it) => clusters.get(it)?.traits.renewsCertificates === true);
