import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { fluxSteps, orderedPeers } from '../gitops-steps.ts';
import { type KubeObject, textAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import { isGateway, isRemapped, type RebuiltCluster, type RebuiltPeer } from '../rebuild-network.ts';
import type { CheckContext, FolderCheck } from './bundle-check.ts';

/**
 * GitOps tools apply objects in the order that the compiler assumes: namespaces first, then objects without an order,
 * then the links that need a remap one after the other by join number, and gateways last, without waiting for them.
 */
export const wavesFollowTheOrder: FolderCheck = {
  *inFolder(context, folder) {
    const cluster = context.network.get(folder);
    if (cluster) yield* wavesOf(context, cluster);
    if (folder === '_flux') for (const it of context.network.values()) yield* checkFluxChain(context, it);
  },
};

interface Waved {
  readonly object: KubeObject;
  readonly wave: number;
  readonly at: Diagnostic['span'];
}

const WAVE = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'];

function* wavesOf({ bundle }: CheckContext, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const folders = ['gateway-templates', 'shortcuts'].map((it) => `${cluster.name}/${it}`);
  const shared = folders.flatMap((it) => objectsIn(bundle, it)).flatMap(([, objects]) => objects);
  const applied = [...[...cluster.peers.values()].flatMap((it) => it.objects), ...shared].filter(
    (it) => it.kind !== 'Kustomization' && it.kind !== 'Secret',
  );
  const waved = new Map<KubeObject, Waved>();
  for (const object of applied) {
    const { text, at, type } = textAt(object.node, WAVE);
    const isInteger = type === undefined && /^-?\d+$/.test(text ?? '');
    if (isInteger) waved.set(object, { object, wave: Number(text), at });
    else {
      const message = text === undefined ? 'has no wave' : `has the wave ${text}, which is not an integer in quotes`;
      yield diagnostic('verify/apply-order', at, `${objectText(object, cluster)} ${message}`);
    }
  }
  const steps = stepsOf(cluster, shared).map((step) => step.flatMap((it) => waved.get(it) ?? []));
  yield* increasing(steps, cluster);
  yield* wavesOfLinks(cluster, waved);
}

/** The wave of an ordered link is its join number, which another link that joins or leaves does not change. */
function* wavesOfLinks(cluster: RebuiltCluster, waved: ReadonlyMap<KubeObject, Waved>): Iterable<Diagnostic> {
  for (const peer of orderedPeers(cluster)) {
    const [it] = peer.objects.filter(({ kind }) => kind === 'Configuration').flatMap((one) => waved.get(one) ?? []);
    const join = cluster.expected.ends.get(peer.name)?.link.join;
    if (it === undefined || it.wave === join) continue;
    const message = `${objectText(it.object, cluster)} is in wave ${it.wave}, but its link is number ${join} in the order`;
    yield diagnostic('verify/apply-order', it.at, message);
  }
}

const objectText = ({ kind, name }: KubeObject, cluster: RebuiltCluster): string =>
  `the ${kind} "${name}" of "${cluster.name}"`;

/** The groups of objects that are applied together, in order. */
function stepsOf(cluster: RebuiltCluster, shared: readonly KubeObject[]): readonly (readonly KubeObject[])[] {
  const peers = [...cluster.peers.values()];
  const all = (kind: (it: KubeObject) => boolean): readonly KubeObject[] =>
    peers.flatMap((it) => it.objects.filter(kind));
  const configurations = (it: RebuiltPeer): readonly KubeObject[] =>
    it.objects.filter((one) => one.kind === 'Configuration');
  const isTemplate = (it: KubeObject): boolean => it.kind.endsWith('Template');
  return [
    all((it) => it.kind === 'Namespace'),
    shared.filter(isTemplate),
    [
      ...all((it) => it.kind === 'PublicKey' || it.kind === 'FirewallConfiguration'),
      ...peers.filter((it) => !isRemapped(it)).flatMap(configurations),
    ],
    ...orderedPeers(cluster).map(configurations),
    [
      ...all((it) => isGateway(it) || it.kind === 'Connection' || it.kind === 'ExternalSecret'),
      ...shared.filter((it) => !isTemplate(it)),
    ],
  ];
}

/** Checks that the objects of a step share a wave, later than that of the step before. */
function* increasing(steps: readonly (readonly Waved[])[], cluster: RebuiltCluster): Iterable<Diagnostic> {
  let before: Waved | undefined;
  for (const step of steps.filter((it) => it.length > 0)) {
    const late = before;
    const usual = waveOfStep(step, late?.wave ?? Number.NEGATIVE_INFINITY);
    for (const it of step) {
      if (it.wave === usual && (!late || it.wave > late.wave)) continue;
      const than = it.wave === usual ? late : step.find((other) => other.wave === usual);
      const should = it.wave === usual ? 'but must be after' : 'but must be in the wave of';
      yield diagnostic(
        'verify/apply-order',
        it.at,
        `${objectText(it.object, cluster)} is in wave ${it.wave}, ${should} ${than ? objectText(than.object, cluster) : 'nothing'}`,
        { related: than && [{ message: `wave ${than.wave}`, span: than.at }] },
      );
    }
    before = step.reduce((a, b) => (b.wave > a.wave ? b : a));
  }
}

/**
 * The wave of most objects of a step, because an edited object is the exception; among equally frequent waves, one that
 * is in order.
 */
function waveOfStep(step: readonly Waved[], after: number): number {
  const counts = new Map<number, number>();
  for (const { wave } of step) counts.set(wave, (counts.get(wave) ?? 0) + 1);
  const [most] = [...counts].sort(([a, m], [b, n]) => n - m || Number(b > after) - Number(a > after) || a - b);
  return most?.[0] ?? 0;
}

/** Checks the order of Flux, which applies the steps of a cluster with Kustomizations that wait for one another. */
function* checkFluxChain({ bundle, expected }: CheckContext, cluster: RebuiltCluster): Iterable<Diagnostic> {
  const objects = bundle.objects.get(`_flux/clusters/${cluster.name}/${cluster.name}.yaml`);
  if (!objects || !expected.hasFlux) return;
  const steps = fluxSteps(bundle, cluster);
  for (const [i, { folder, after }] of steps.entries()) {
    const it = objects[i];
    if (!it) {
      const [last] = objects.slice(-1);
      if (last) yield diagnostic('verify/apply-order', last.at, `no Kustomization of Flux applies ${folder}`);
      continue;
    }
    const path = textAt(it.node, ['spec', 'path']);
    if (!(path.text ?? '').endsWith(`/${folder}`)) {
      yield diagnostic(
        'verify/apply-order',
        path.at,
        `the Kustomization ${i + 1} of "${cluster.name}" applies ${path.text ?? 'no folder'}, but must apply ${folder}`,
      );
    }
    const { evaluatesReadyExpr = false } = expected.declaration.gitops?.flux ?? {};
    for (const [at, step] of after.entries()) yield* waitsFor(it, at, objects[step], evaluatesReadyExpr);
  }
  for (const extra of objects.slice(steps.length)) {
    yield diagnostic('verify/apply-order', extra.at, `"${cluster.name}" has nothing for this Kustomization`);
  }
}

/**
 * Expression for a dependency that is ready: it is healthy with its present list of objects, or Flux is reconciling it
 * while the dependent Kustomization is itself healthy, which is neither the case after an outage nor for a new one.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (checkDependencies, reconcile,
 * finalizeStatus).
 */
const READY_NOW = [
  'has(dep.status.lastAppliedRevision) && has(dep.status.conditions) &&',
  "((dep.status.conditions.exists(it, it.type == 'Ready' && it.status == 'True') &&",
  'dep.status.observedGeneration == dep.metadata.generation) ||',
  "(!dep.status.conditions.exists(it, it.type == 'Ready' && it.status == 'False') &&",
  "has(self.status.conditions) && self.status.conditions.exists(it, it.type == 'Ready' && it.status == 'True')))",
].join(' ');

/** Checks one entry of a Kustomization's dependencies. */
function* waitsFor(
  it: KubeObject,
  at: number,
  earlier: KubeObject | undefined,
  hasReadyExpr: boolean,
): Iterable<Diagnostic> {
  const ready = textAt(it.node, ['spec', 'dependsOn', at, 'readyExpr']);
  const wanted = hasReadyExpr ? READY_NOW : undefined;
  if (ready.text !== wanted) {
    const is = `the Kustomization "${it.name}" waits for ${ready.text ?? 'a dependency that is ready at the same commit'}`;
    yield diagnostic(
      'verify/apply-order',
      ready.at,
      `${is}, but must wait for ${wanted ?? 'that, because Flux before 2.7 has no readyExpr'}`,
    );
  }
  const name = textAt(it.node, ['spec', 'dependsOn', at, 'name']);
  if (!earlier || name.text === earlier.name) return;
  yield diagnostic(
    'verify/apply-order',
    name.at,
    `the Kustomization "${it.name}" depends on ${name.text ?? 'no other'}, but must depend on "${earlier.name}"`,
    {
      related: [{ message: `"${earlier.name}"`, span: earlier.at }],
    },
  );
}
