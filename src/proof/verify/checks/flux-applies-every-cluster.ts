import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { nodeAt } from '../../../base/source/document-node.ts';
import type { Span } from '../../../base/source/source.ts';
import type { FluxSettings, GitOps } from '../../../fleet/topology/declaration.ts';
import { type FluxStep, fluxSteps, folderInRepository, freePeers, nameParts } from '../gitops-steps.ts';
import { type KubeObject, nearestKey, textAt } from '../kube-object.ts';
import type { RebuiltCluster, RebuiltPeer } from '../rebuild-network.ts';
import { type CheckContext, compareParts, forFolder, type Part } from './bundle-check.ts';

const CODE = 'verify/entry-point';

/**
 * Flux reads the repository at the revision of the topology, and has Kustomizations for each cluster that apply
 * existing folders, prune, wait for their dependencies, and have a health check for Configurations.
 */
export const fluxAppliesEveryCluster = forFolder('_flux', function* (context) {
  const { gitops } = context.expected.declaration;
  if (!gitops?.flux) return;
  const setting = { context, gitops, flux: gitops.flux };
  const [repository] = context.bundle.objects.get('_flux/source/gitrepository.yaml') ?? [];
  if (repository) yield* repositoryOf(repository, setting);
  const names = new Map<string, Span>();
  const { fleet } = context.expected;
  const appliers = [...context.network.keys()].map(
    (it) => [`clusters/${it}`, [fleet, it, 'folder', 'entry-points']] as const,
  );
  for (const [folder, name] of [['clusters', [fleet]] as const, ...appliers]) {
    const [it] = context.bundle.objects.get(`_flux/${folder}.yaml`) ?? [];
    if (!it) continue;
    yield* applierOf(it, setting, { folder: `_flux/${folder}`, name });
    names.set(it.name, it.at);
  }
  for (const cluster of context.network.values()) {
    const objects = context.bundle.objects.get(`_flux/clusters/${cluster.name}/${cluster.name}.yaml`) ?? [];
    const steps = fluxSteps(context.bundle, cluster);
    for (const [i, it] of objects.entries()) {
      const step = steps[i];
      // A check of the order reports Kustomizations without a step.
      if (step)
        yield* kustomizationOf(it, setting, {
          cluster,
          step,
          isSplit: steps.some((it) => !['network', 'conformance', 'boundaries'].includes(it.kind)),
        });
      const other = names.get(it.name);
      if (other)
        yield diagnostic(CODE, it.at, `two Kustomizations have the name "${it.name}"`, {
          related: [{ message: 'the other one', span: other }],
        });
      names.set(it.name, it.at);
    }
  }
});

/**
 * Checks the Kustomization that applies the folder beside it from git. It prunes, because the objects of a removed link
 * go with their Kustomization; but when it is removed itself, everything stays.
 */
function* applierOf(
  it: KubeObject,
  { gitops, flux }: FluxSetting,
  { folder, name }: { readonly folder: string; readonly name: readonly string[] },
): Iterable<Diagnostic> {
  yield* compareParts({ code: CODE, what: `the Kustomization "${it.name}"`, node: it.node }, [
    [['apiVersion'], 'kustomize.toolkit.fluxcd.io/v1'],
    [['kind'], 'Kustomization'],
    ...nameParts(name, ['metadata', 'name']),
    [['metadata', 'namespace'], flux.namespace],
    ...timesWith(APPLIED_WITHIN),
    [['spec', 'path'], `./${folderInRepository(gitops, folder)}`],
    [['spec', 'prune'], true],
    [['spec', 'deletionPolicy'], 'Orphan'],
    [['spec', 'sourceRef'], { kind: 'GitRepository', name: flux.source }],
    // Kustomizations belong into the cluster in which Flux runs.
    [['spec', 'kubeConfig'], undefined],
    [['spec', 'dependsOn'], undefined],
  ]);
}

/**
 * The times of a Kustomization. Without an interval of its own, a retry comes after the whole
 * interval: a Configuration that takes long would delay a chain by ten minutes.
 */
const timesWith = (timeout: string): FluxParts => [
  [['spec', 'interval'], '10m'],
  [['spec', 'retryInterval'], '1m'],
  [['spec', 'timeout'], timeout],
];

const APPLIED_WITHIN = '5m';

/** While a Kustomization waits, older versions of Flux apply no later commit, so one that nothing depends on waits less. */
const WAITS_FOR_OTHERS = '2m';

interface FluxSetting {
  readonly context: CheckContext;
  readonly gitops: GitOps;
  readonly flux: FluxSettings;
}

function* repositoryOf({ node }: KubeObject, { gitops, flux }: FluxSetting): Iterable<Diagnostic> {
  const folder = folderInRepository(gitops);
  yield* compareParts({ code: CODE, what: 'the GitRepository', node }, [
    [['apiVersion'], 'source.toolkit.fluxcd.io/v1'],
    [['kind'], 'GitRepository'],
    [['metadata', 'name'], flux.source],
    [['metadata', 'namespace'], flux.namespace],
    [['spec', 'interval'], '1m'],
    [['spec', 'url'], urlOf(gitops.repository)],
    [['spec', 'ref'], refOf(gitops.revision)],
    [['spec', 'sparseCheckout'], folder === '' ? undefined : [folder]],
  ]);
}

/**
 * Flux does not accept `git@host:path`, only URLs.
 * Source: fluxcd/source-controller docs/spec/v1/gitrepositories.md.
 */
function urlOf(repository: string): string {
  const short = /^([^/:@]+@[^/:]+):\/?([^/].*)$/.exec(repository);
  return short ? `ssh://${short[1]}/${short[2]}` : repository;
}

/** The reference of a revision: a commit, a full reference name, a tag for a version, otherwise a branch. */
function refOf(revision: string): Part {
  if (/^[0-9a-f]{40}$/.test(revision)) return { commit: revision };
  if (revision.startsWith('refs/')) return { name: revision };
  return /^v?\d+\.\d+\.\d+(?:[-+].*)?$/.test(revision) ? { tag: revision } : { branch: revision };
}

interface Applied {
  readonly cluster: RebuiltCluster;
  readonly step: FluxStep;
  /** True when the cluster has other steps than its prober and its policies. */
  readonly isSplit: boolean;
}

function* kustomizationOf(it: KubeObject, setting: FluxSetting, applied: Applied): Iterable<Diagnostic> {
  const { gitops, flux, context } = setting;
  const { cluster, step, isSplit } = applied;
  const { folder } = step;
  const secret = cluster.expected.declared.gitops.kubeConfigSecret;
  const what = `the Kustomization "${it.name}"`;
  yield* compareParts({ code: CODE, what, node: it.node }, [
    [['apiVersion'], 'kustomize.toolkit.fluxcd.io/v1'],
    [['kind'], 'Kustomization'],
    [['metadata', 'namespace'], flux.namespace],
    ...timesWith(['network', 'link'].includes(step.kind) ? APPLIED_WITHIN : WAITS_FOR_OTHERS),
    [['spec', 'path'], `./${folderInRepository(gitops, folder)}`],
    [['spec', 'prune'], true],
    [['spec', 'sourceRef'], { kind: 'GitRepository', name: flux.source }],
    [['spec', 'kubeConfig'], secret === null ? undefined : { secretRef: { name: secret } }],
    ...stepParts(applied, flux),
  ]);
  if (!context.bundle.sources.has(`${folder}/kustomization.yaml`))
    yield diagnostic(
      CODE,
      nearestKey(it.node, ['spec', 'path']),
      `${what} applies ${folder}, but kustomization.yaml is missing there`,
    );
  if (it.name.length > 63)
    yield diagnostic(CODE, it.at, `the name of ${what} is too long: Flux uses it as a label of at most 63 characters`);
  yield* healthOf(it, what, checkedKinds(step, isSplit));
}

type FluxParts = readonly (readonly [path: readonly string[], wanted: Part])[];

/**
 * The fields of a step. A cluster that is removed from Flux keeps its tunnels, and shared objects are pruned when
 * nothing is shared any more. The first step of several lists the Configurations in it: with the list its generation
 * changes, which later steps compare. It waits for the dependencies of the topology; `waves-follow-the-order` checks those
 * of later steps.
 */
function stepParts({ step, cluster, isSplit }: Applied, { dependsOn }: FluxSettings): FluxParts {
  const { kind, peer } = step;
  const given = dependsOn.length > 0 ? dependsOn.map((name) => ({ name })) : undefined;
  if (peer) return [[['spec', 'healthChecks'], [configurationOf(peer)]]];
  const isList = kind === 'network' && isSplit;
  const free = isList ? freePeers(cluster) : [];
  return [
    [['spec', 'deletionPolicy'], kind === 'network' ? 'Orphan' : undefined],
    [['spec', 'wait'], true],
    [['spec', 'healthChecks'], free.length > 0 ? free.map(configurationOf) : undefined],
    ...(kind === 'sharing' ? [] : [[['spec', 'dependsOn'], given] as const]),
  ];
}

const configurationOf = ({ names }: RebuiltPeer): Part => ({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'Configuration',
  name: names.configuration,
  namespace: names.namespace,
});

/** The kinds with a health check. Gateways are checked only when no other step waits for them. */
function checkedKinds({ kind }: FluxStep, isSplit: boolean): readonly string[] {
  if (kind === 'sharing') return ['Tenant', 'Identity', 'ResourceSlice', 'VirtualNode'];
  if (kind === 'offloading') return ['NamespaceOffloading'];
  if (kind === 'conformance' || kind === 'boundaries') return [];
  return kind === 'link' || isSplit ? ['Configuration'] : ['Configuration', 'GatewayServer', 'GatewayClient'];
}

/**
 * Flux treats an object without conditions as healthy at once. A Configuration is ready when each CIDR is assigned.
 * Source: fluxcd/kustomize-controller docs/spec/v1/kustomizations.md.
 */
function* healthOf({ node }: KubeObject, what: string, kinds: readonly string[]): Iterable<Diagnostic> {
  const path = ['spec', 'healthCheckExprs'];
  const list = nodeAt(node, path);
  const items = list?.kind === 'list' ? list.items : [];
  const found = items.map((it) => textAt(it, ['kind']).text ?? '');
  if (found.join() !== kinds.join()) {
    const message = `${what} has health checks of ${found.join(', ') || 'no kind'}, but needs those of ${kinds.join(', ')}`;
    yield diagnostic(CODE, nearestKey(node, path), message);
    return;
  }
  for (const [i, kind] of kinds.entries()) {
    const item = items[i];
    if (item)
      yield* compareParts({ code: CODE, what: `the health check of a ${kind} in ${what}`, node: item }, apiOf(kind));
    const { text, at } = item ? textAt(item, ['current']) : { text: undefined, at: nearestKey(node, path) };
    const missing = [HAS_STATUS, ...(READ[kind] ?? [])].find((it) => !text?.includes(it));
    if (missing) yield diagnostic(CODE, at, `the health check of a ${kind} in ${what} does not read ${missing}`);
    if (text?.includes('observedGeneration'))
      yield diagnostic(
        CODE,
        at,
        `the health check of a ${kind} in ${what} waits for a generation that Liqo never updates`,
      );
    const failed = item ? textAt(item, ['failed']) : { text: undefined, at };
    const unread = (FAILED[kind] ?? []).find((it) => !failed.text?.includes(it));
    if (unread) yield diagnostic(CODE, failed.at, `the check of a failed ${kind} in ${what} does not read ${unread}`);
  }
}

/** Flux finds the objects of a health check by their API and their kind. */
const apiOf = (kind: string): FluxParts => [[['apiVersion'], `${GROUPS[kind] ?? 'networking'}.liqo.io/v1beta1`]];

/** The groups of kinds that are not about the network. */
const GROUPS: Readonly<Record<string, string>> = {
  Tenant: 'authentication',
  Identity: 'authentication',
  ResourceSlice: 'authentication',
  VirtualNode: 'offloading',
  NamespaceOffloading: 'offloading',
};

/** The expression without which an object without a status is an error instead of not ready yet. */
const HAS_STATUS = "has(it.subresource) && it.subresource == 'status'";

const VIEWS = ['pod', 'external'].map(
  (it) => `metadata.annotations['liqo-weft/${it}-views'] == status.remote.cidr.${it}.join(',')`,
);

const FAILED: Readonly<Record<string, readonly string[]>> = {
  Configuration: [HAS_STATUS, ...VIEWS, 'it.observedGeneration == metadata.generation'],
  ResourceSlice: ["it.status == 'Denied'"],
  NamespaceOffloading: ["status.offloadingPhase == 'AllFailed'"],
};

const READ: Readonly<Record<string, readonly string[]>> = {
  Configuration: [
    ...['pod', 'external'].flatMap((it) => [
      `status.remote.cidr.${it}.size() == spec.remote.cidr.${it}.size()`,
      `status.remote.cidr.${it}.all(it, it != '')`,
    ]),
    ...VIEWS,
  ],
  GatewayServer: ['status.endpoint.addresses'],
  GatewayClient: ['status.secretRef'],
  Tenant: ['status.tenantNamespace', 'status.authParams', "'TolerateNoHandshake'"],
  Identity: ['status.kubeconfigSecretRef'],
  ResourceSlice: ['Authentication', 'Resources'].map((it) => `it.type == '${it}' && it.status == 'Accepted'`),
  VirtualNode: ["it.status == 'Running'", 'status.conditions.all('],
  NamespaceOffloading: ["status.offloadingPhase == 'Ready'"],
};
