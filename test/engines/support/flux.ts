import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ControlPlane } from './control-plane.ts';
import { isAwaited, type MeasuredEngine } from './engine.ts';
import type { Kube, LiveObject } from './kube.ts';
import { freePorts, Processes, until } from './processes.ts';
import { enginesFolder, program } from './programs.ts';

const KUSTOMIZE = 'kustomize.toolkit.fluxcd.io/v1';
const SOURCE = 'source.toolkit.fluxcd.io/v1';
const NAMESPACE = 'flux-system';
const SHARD = 'sharding.fluxcd.io/key';

/** Flux in one cluster: its source-controller and its kustomize-controller. */
export interface Flux extends MeasuredEngine {
  /** Applies the entry points as `docs/argo-cd-and-flux.md` describes, for a Flux that serves its own cluster alone. */
  bootstrapOwn(out: string): Promise<void>;
  /** Applies those for a Flux that also serves every cluster with a kubeconfig. */
  bootstrapAll(out: string): Promise<void>;
  /** Patches the entry point of all clusters as `docs/large-fleets.md` describes. */
  shard(out: string, patch: string): Promise<void>;
  kustomizations(): Promise<readonly LiveObject[]>;
}

interface FluxOptions {
  /** The cluster in which it runs. */
  readonly plane: ControlPlane;
  readonly folder: string;
  /** More flags of the kustomize-controller. */
  readonly flags?: readonly string[];
  /** Values of the label `sharding.fluxcd.io/key` that have a kustomize-controller of their own. */
  readonly shards?: readonly string[];
}

/** Installs the kinds of Flux and starts its controllers. */
export async function startFlux({ plane, folder, flags = [], shards = [] }: FluxOptions): Promise<Flux> {
  const { kube, kubeconfig } = plane;
  mkdirSync(folder, { recursive: true });
  const kubectl = kubectlFor(kubeconfig);
  await installKinds(kubeconfig, 'flux');
  await kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } });
  const processes = new Processes(folder);
  await startControllers({ processes, folder, kubeconfig, flags, shards });
  const kustomizations = () => kube.list(KUSTOMIZE, 'Kustomization');
  const fetchNow = async () => {
    for (const it of await kube.list(SOURCE, 'GitRepository')) await request(kube, it);
  };
  const apply = (out: string, ...files: readonly string[]): Promise<string> =>
    kubectl('apply', ...files.flatMap((it) => ['-f', join(out, '_flux', it)]));
  return {
    agents: /^(source|kustomize)-controller$/,
    addCluster: async (it) => void (await kube.apply(kubeconfigSecret(it))),
    bootstrapOwn: async (out) => {
      await kubectl('apply', '-k', join(out, '_flux', 'source'));
      await apply(out, `clusters/${plane.name}.yaml`);
    },
    bootstrapAll: async (out) => {
      await kubectl('apply', '-k', join(out, '_flux', 'source'));
      await apply(out, 'clusters.yaml', `clusters/${plane.name}.yaml`);
    },
    shard: async (out, patch) =>
      void (await kubectl('patch', '-f', join(out, '_flux', 'clusters.yaml'), '--type', 'merge', '-p', patch)),
    fetchNow,
    pause: () => processes.pause(/^kustomize-controller/),
    resume: async (commit) => {
      await fetchNow();
      const hasCommit = (it: LiveObject) => it['status']?.artifact?.revision === revisionOf(commit);
      await until('the source has the commit', async () => (await kube.list(SOURCE, 'GitRepository')).every(hasCommit));
      processes.resume();
    },
    applyAgain: async () => {
      const asked = new Map<string, string>();
      for (const it of await kustomizations()) asked.set(it.metadata.name, await request(kube, it));
      await until(
        'every Kustomization was applied again',
        async () =>
          (await kustomizations()).every((it) => it['status']?.lastHandledReconcileAt === asked.get(it.metadata.name)),
        120,
      );
    },
    ready: (commit, { seconds = 300, ...which } = {}) =>
      until(
        `Flux is ready at ${commit}`,
        async () => {
          const all = (await kustomizations()).filter((it) => isAwaited(it.metadata.name, which));
          const waiting = all.filter((it) => !isReadyAt(it, commit));
          if (waiting.length > 0) throw new Error(`${processes.dead().join()}${waiting.map(stateOf).join('; ')}`);
          return all.length > 0;
        },
        seconds,
      ),
    beforeReinstall: async (cluster, out) => {
      const [applier, folder] = [
        join(out, '_flux', 'clusters', `${cluster}.yaml`),
        join(out, '_flux', 'clusters', cluster),
      ];
      await kubectl('patch', '-f', applier, '--type', 'merge', '-p', '{"spec": {"suspend": true}}');
      const isReady = '--for=jsonpath={.status.conditions[?(@.type=="Ready")].status}=True';
      await kubectl('wait', '-f', applier, isReady, '--timeout=6m');
      await kubectl('patch', '-k', folder, '--type', 'merge', '-p', '{"spec": {"suspend": true}}');
      await kubectl('delete', '-k', folder);
    },
    afterReinstall: async (cluster, out) => {
      const applier = join(out, '_flux', 'clusters', `${cluster}.yaml`);
      await kubectl('patch', '-f', applier, '--type', 'merge', '-p', '{"spec": {"suspend": false}}');
    },
    kustomizations,
    usage: () => processes.usage(),
    log: (it) => processes.log(it),
    // The entry point of the cluster orphans it, and it then finds no folder.
    forgetCluster: async (name) => {
      for (const it of await kustomizations()) if (it.metadata.name.endsWith(`.${name}`)) await kube.remove(it);
    },
    stop: () => processes.stopAll(),
  };
}

interface Controllers {
  readonly processes: Processes;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly flags: readonly string[];
  readonly shards: readonly string[];
}

/** The flags of Flux's own manifests, but for addresses; `0` turns off an address of metrics. */
async function startControllers({ processes, folder, kubeconfig, flags, shards }: Controllers): Promise<void> {
  const [storage = 0, source = 0, ...kustomize] = await freePorts(3 + shards.length);
  const [scratch, artifacts] = [join(folder, 'scratch'), join(folder, 'artifacts')];
  for (const it of [scratch, artifacts]) mkdirSync(it, { recursive: true });
  const env = { KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: NAMESPACE, HOME: folder, TMPDIR: scratch };
  const common = ['--metrics-addr=0', '--events-addr=', '--log-encoding=json', '--watch-all-namespaces'];
  processes.start({
    name: 'source-controller',
    path: program('source-controller'),
    env,
    args: [
      ...common,
      `--health-addr=127.0.0.1:${source}`,
      `--storage-path=${artifacts}`,
      `--storage-addr=127.0.0.1:${storage}`,
      `--storage-adv-addr=127.0.0.1:${storage}`,
    ],
  });
  const selectors = shards.length === 0 ? [''] : [`!${SHARD}`, ...shards.map((it) => `${SHARD}=${it}`)];
  for (const [at, selector] of selectors.entries())
    processes.start({
      name: at === 0 ? 'kustomize-controller' : `kustomize-controller-${shards[at - 1]}`,
      path: program('kustomize-controller'),
      env,
      args: [...common, `--health-addr=127.0.0.1:${kustomize[at]}`, `--watch-label-selector=${selector}`, ...flags],
    });
  for (const port of [source, ...kustomize]) await untilHealthy(processes, port);
}

/** Waits until a controller answers at a port, unless one of them ends. */
export const untilHealthy = (processes: Processes, port: number): Promise<void> =>
  until(
    'the engine is healthy',
    async () => {
      const { ok } = await fetch(`http://127.0.0.1:${port}/healthz`).catch((error: unknown) => {
        throw new Error(`${error} ${processes.dead().join('; ')}`);
      });
      return ok;
    },
    60,
  );

/** The kubeconfig that `gitops.kubeConfigSecret: CLUSTER-kubeconfig` refers to. */
const kubeconfigSecret = ({ name, kubeconfig }: ControlPlane) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `${name}-kubeconfig`, namespace: NAMESPACE },
  data: { value: readFileSync(kubeconfig).toString('base64') },
});

/** Marks an object for reconciliation as the command `flux` does, and returns the mark. */
async function request(kube: Kube, object: LiveObject): Promise<string> {
  const mark = new Date().toISOString();
  await kube.merge(object, { metadata: { annotations: { 'reconcile.fluxcd.io/requestedAt': mark } } });
  return mark;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message: string;
}

const readyOf = (object: LiveObject): Condition | undefined =>
  (object['status']?.conditions as readonly Condition[] | undefined)?.find((it) => it.type === 'Ready');

function isReadyAt(object: LiveObject, commit: string): boolean {
  const { lastAppliedRevision, observedGeneration } = object['status'] ?? {};
  const isCurrent = observedGeneration === object.metadata['generation' as keyof typeof object.metadata];
  return isCurrent && lastAppliedRevision === revisionOf(commit) && readyOf(object)?.status === 'True';
}

const revisionOf = (commit: string): string => `main@sha1:${commit}`;

const stateOf = (object: LiveObject): string =>
  `${object.metadata.name}: ${readyOf(object)?.status ?? 'new'} ${readyOf(object)?.message ?? ''}`;

/** Applies the CustomResourceDefinitions in a folder of `crds/`, and waits until the API server has them. */
export async function installKinds(kubeconfig: string, folder: string): Promise<void> {
  const kubectl = kubectlFor(kubeconfig);
  const path = join(enginesFolder() ?? '', 'crds', folder);
  await kubectl('apply', '--server-side', '-f', path);
  // kubectl fails for one that has no condition at all yet.
  const areEstablished = () => kubectl('wait', '--for=condition=Established', '--timeout=10s', '-f', path);
  await until(`${folder} has its kinds`, async () => (await areEstablished()) !== '');
}

/** kubectl for a cluster, without blocking what the test answers meanwhile. */
export function kubectlFor(kubeconfig: string) {
  return async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)(program('kubectl'), ['--kubeconfig', kubeconfig, ...args], {
      maxBuffer: 2 ** 28,
    });
    return stdout;
  };
}
