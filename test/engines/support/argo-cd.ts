import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { ControlPlane } from './control-plane.ts';
import { clusterOf, isAwaited, type MeasuredEngine, type ReadyOptions } from './engine.ts';
import { installKinds, kubectlFor, untilHealthy } from './flux.ts';
import type { Kube, LiveObject } from './kube.ts';
import { freePorts, Processes, until } from './processes.ts';
import { program } from './programs.ts';

const ARGO = 'argoproj.io/v1alpha1';
const NAMESPACE = 'argocd';

/** Argo CD in one cluster, without the server for browsers. */
export interface ArgoCd extends MeasuredEngine {
  /** Applies the entry points as `docs/argo-cd-and-flux.md` describes. */
  bootstrap(out: string): Promise<void>;
  /** @param more further keys of the cluster's Secret */
  addCluster(plane: ControlPlane, more?: Readonly<Record<string, string>>): Promise<void>;
  applications(): Promise<readonly LiveObject[]>;
}

interface ArgoCdOptions {
  /** The cluster in which it runs, which it calls "in-cluster". */
  readonly plane: ControlPlane;
  readonly folder: string;
  /** More flags of the application controller. */
  readonly flags?: readonly string[];
  /** The number of application controllers. */
  readonly replicas?: number;
}

/** Installs the kinds and settings of Argo CD and starts its controllers. */
export async function startArgoCd({ plane, folder, flags = [], replicas = 1 }: ArgoCdOptions): Promise<ArgoCd> {
  const { kube, kubeconfig } = plane;
  mkdirSync(folder, { recursive: true });
  const kubectl = kubectlFor(kubeconfig);
  await installKinds(kubeconfig, 'argocd');
  await until('Argo CD has its settings', async () => {
    for (const it of SETTINGS) await kube.apply(it);
    return true;
  });
  const processes = new Processes(folder);
  await startControllers({ processes, folder, kubeconfig, flags, replicas });
  const applications = () => kube.list(ARGO, 'Application');
  const applicationOf = async (cluster: string): Promise<string> => {
    const found = (await applications()).find((it) => clusterOf(it.metadata.name) === cluster);
    if (found === undefined) throw new Error(`${cluster} has no Application`);
    return found.metadata.name;
  };
  const annotate = (name: string) => ['-n', NAMESPACE, 'annotate', 'application', name];
  const waiting = async (commit: string, which: ReadyOptions): Promise<readonly LiveObject[]> => {
    const all = (await applications()).filter((it) => isAwaited(it.metadata.name, which));
    if (all.length === 0) throw new Error('there are no Applications');
    return all.filter((it) => !isSyncedAt(it, commit));
  };
  return {
    agents: /^argocd-/,
    addCluster: async (it, more) => void (await kube.apply(clusterSecret(it, more))),
    bootstrap: async (out) => {
      const patch = join(out, '_argocd', 'argocd-cm-patch.yaml');
      await kubectl('-n', NAMESPACE, 'patch', 'configmap', 'argocd-cm', '--patch-file', patch);
      await kubectl('apply', '-f', join(out, '_argocd', 'application.yaml'));
    },
    fetchNow: () => refresh(kube),
    pause: () => processes.pause(/^argocd-application-controller/),
    resume: async () => {
      await refresh(kube);
      processes.resume();
    },
    applyAgain: async () => {
      const asked = new Map<string, string>();
      for (const it of await applications()) asked.set(it.metadata.name, await sync(kube, it));
      await until(
        'every Application was synced again',
        async () =>
          (await applications()).every(
            ({ metadata, ...it }) =>
              it['status']?.operationState?.phase === 'Succeeded' &&
              it['operation'] === undefined &&
              it['status'].operationState.startedAt !== asked.get(metadata.name),
          ),
        120,
      );
    },
    ready: (commit, { seconds = 300, ...which } = {}) =>
      until(
        `Argo CD is synced at ${commit}`,
        async () => {
          const late = await waiting(commit, which);
          if (late.length > 0) throw new Error(`${processes.dead().join()}${late.map(stateOf).join('; ')}`);
          return true;
        },
        seconds,
      ),
    beforeReinstall: async (cluster) =>
      void (await kubectl(...annotate(await applicationOf(cluster)), 'argocd.argoproj.io/skip-reconcile=true')),
    afterReinstall: async (cluster) => {
      const annotations = ['argocd.argoproj.io/skip-reconcile-', 'argocd.argoproj.io/refresh=normal'];
      await kubectl(...annotate(await applicationOf(cluster)), ...annotations);
    },
    applications,
    // An Application outlives the folder of its cluster.
    forgetCluster: async (name) => {
      for (const it of await applications()) if (clusterOf(it.metadata.name) === name) await kube.remove(it);
    },
    renameCluster: async (from, plane) => {
      const former = (await kube.list('v1', 'Secret')).find((it) => it.metadata.name === `cluster-${from}`);
      if (former !== undefined) await kube.remove(former);
      await kube.apply(clusterSecret(plane));
    },
    usage: () => processes.usage(),
    log: (it) => processes.log(it),
    stop: () => processes.stopAll(),
  };
}

interface Controllers {
  readonly processes: Processes;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly flags: readonly string[];
  readonly replicas: number;
}

/** One program acts as each controller, by the name under which it is started. */
async function startControllers({ processes, folder, kubeconfig, flags, replicas }: Controllers): Promise<void> {
  const [redis = 0, repo = 0, repoMetrics = 0, probe = 0, webhook = 0, ...metrics] = await freePorts(5 + replicas);
  const [home, scratch] = [join(folder, 'home'), join(folder, 'scratch')];
  for (const it of [home, scratch]) mkdirSync(it, { recursive: true });
  const env = {
    KUBECONFIG: kubeconfig,
    HOME: home,
    TMPDIR: scratch,
    PATH: [dirname(program('kustomize')), process.env['PATH'] ?? ''].join(delimiter),
    // "in-cluster" is the cluster of the kubeconfig: no pod has an account here.
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_ENABLED: 'false',
    ARGOCD_TLS_DATA_PATH: join(folder, 'tls'),
    ARGOCD_SSH_DATA_PATH: join(folder, 'ssh'),
    ARGOCD_ASK_PASS_SOCK: join(folder, 'ask-pass.sock'),
  };
  const start = (name: string, ...args: readonly string[]): void => {
    const path = join(folder, name);
    symlinkSync(program('argocd'), path);
    processes.start({ name, path, args, env });
  };
  const redisFlags = ['--bind', '127.0.0.1', '--port', `${redis}`, '--save', '', '--appendonly', 'no'];
  processes.start({ name: 'redis', path: program('redis-server'), args: redisFlags, cwd: folder });
  const cache = ['--redis', `127.0.0.1:${redis}`];
  start(
    'argocd-repo-server',
    ...['--address', '127.0.0.1', '--port', `${repo}`, '--disable-tls', '--client-ca-path=', ...cache],
    ...['--metrics-address', '127.0.0.1', '--metrics-port', `${repoMetrics}`],
  );
  await untilHealthy(processes, repoMetrics);
  const controller = join(folder, 'argocd-application-controller');
  symlinkSync(program('argocd'), controller);
  for (const [shard, port] of metrics.entries())
    processes.start({
      name: `argocd-application-controller-${shard}`,
      path: controller,
      args: [
        ...['--namespace', NAMESPACE, '--repo-server', `127.0.0.1:${repo}`, '--repo-server-plaintext', ...cache],
        ...['--metrics-port', `${port}`, ...flags],
      ],
      env: { ...env, ARGOCD_CONTROLLER_REPLICAS: `${replicas}`, ARGOCD_CONTROLLER_SHARD: `${shard}` },
    });
  start(
    'argocd-applicationset-controller',
    ...['--namespace', NAMESPACE, '--argocd-repo-server', `127.0.0.1:${repo}`, '--repo-server-plaintext'],
    ...['--metrics-addr', '0', '--probe-addr', `127.0.0.1:${probe}`, '--webhook-addr', `127.0.0.1:${webhook}`],
  );
  for (const it of metrics) await untilHealthy(processes, it);
}

const partOf = { 'app.kubernetes.io/part-of': 'argocd' };

/** The objects that the manifests of Argo CD and its server bring. */
const SETTINGS = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'argocd-cm', namespace: NAMESPACE, labels: partOf },
    data: { 'resource.customizations.ignoreResourceUpdates.all': 'jsonPointers:\n  - /status\n' },
  },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'argocd-secret', namespace: NAMESPACE, labels: partOf },
    // Without it, controllers never see a change of argocd-cm: the health checks, which are merged later.
    stringData: { 'server.secretkey': 'harness' },
  },
  {
    apiVersion: ARGO,
    kind: 'AppProject',
    metadata: { name: 'default', namespace: NAMESPACE },
    spec: {
      sourceRepos: ['*'],
      destinations: [{ server: '*', namespace: '*' }],
      clusterResourceWhitelist: [{ group: '*', kind: '*' }],
    },
  },
];

/** A cluster that Argo CD knows, as `argocd cluster add` leaves it. */
function clusterSecret({ name, url, kubeconfig, caFile }: ControlPlane, more = {}) {
  const { users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as {
    readonly users: readonly { readonly user: { readonly token: string } }[];
  };
  const tlsClientConfig = { caData: readFileSync(caFile).toString('base64') };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `cluster-${name}`,
      namespace: NAMESPACE,
      labels: { 'argocd.argoproj.io/secret-type': 'cluster' },
    },
    stringData: {
      name,
      server: url,
      config: JSON.stringify({ bearerToken: users[0]?.user.token, tlsClientConfig }),
      ...more,
    },
  };
}

/** The marks that a webhook of a push leaves. Without it, both kinds look at git every two or three minutes. */
async function refresh(kube: Kube): Promise<void> {
  const annotate = (object: LiveObject, annotations: object) => kube.merge(object, { metadata: { annotations } });
  for (const it of await kube.list(ARGO, 'Application')) await annotate(it, { 'argocd.argoproj.io/refresh': 'normal' });
  for (const it of await kube.list(ARGO, 'ApplicationSet'))
    await annotate(it, { 'argocd.argoproj.io/application-set-refresh': 'true' });
}

/** Starts the operation of a manual sync, and returns when the one before it started. */
async function sync(kube: Kube, application: LiveObject): Promise<string> {
  const { syncPolicy } = application['spec'];
  const operation = {
    initiatedBy: { username: 'harness' },
    sync: { prune: true, syncOptions: syncPolicy.syncOptions },
  };
  await kube.merge(application, { operation });
  return application['status']?.operationState?.startedAt ?? '';
}

function isSyncedAt(application: LiveObject, commit: string): boolean {
  const { sync, health, operationState } = application['status'] ?? {};
  const isSynced = sync?.status === 'Synced' && sync.revision === commit;
  return isSynced && health?.status === 'Healthy' && operationState?.phase === 'Succeeded';
}

function stateOf({ metadata, ...object }: LiveObject): string {
  const { sync, health, operationState, conditions, resources = [] } = object['status'] ?? {};
  const said = operationState?.message ?? JSON.stringify(conditions ?? []);
  const tasks: readonly LiveObject[] = operationState?.syncResult?.resources ?? [];
  const ill = [...tasks, ...resources].flatMap((it) => {
    const message = it['health']?.message ?? it['message'];
    const isGood = it['health']?.status === undefined ? it['status'] === 'Synced' : it['health'].status === 'Healthy';
    return isGood ? [] : [`${it.kind} ${it['namespace']}/${it['name']} ${it['status']} ${message}`];
  });
  return `${metadata.name}: ${sync?.status} at ${sync?.revision}, ${health?.status}, ${operationState?.phase} ${said} ${ill.join(', ')}`;
}
