import { printPrefix } from '../../../src/base/net/text.ts';
import type { Compiled } from '../../../src/compile.ts';
import type { AppliedObject } from '../../bundle/gitops/applied-objects.ts';
import { Commit } from '../../bundle/gitops/commit.ts';
import { LiqoAnswers } from '../../bundle/gitops/liqo-answers.ts';
import { readVectorLines, vectorFiles } from '../../support/vectors.ts';
import type { Kube, KubeEvent, LiveObject } from './kube.ts';

const NETWORKING = 'networking.liqo.io/v1beta1';

/** Liqo's answers in one cluster, for runs without its controllers. */
export interface PlayedLiqo {
  /** Configurations in the order in which they came: `Configuration liqo-tenant-rome/rome`. */
  readonly created: readonly string[];
  /** Errors of the API server. */
  readonly problems: readonly string[];
  /** Takes a network before it is asked for, as a Network of someone else does. */
  occupy(network: string): void;
  vacate(network: string): void;
  /** Liqo answers nothing until it is installed again, with a new IPAM. */
  uninstall(): void;
  install(): void;
  stop(): void;
}

interface PlayOptions {
  readonly kube: Kube;
  readonly compiled: Compiled;
  readonly cluster: string;
  /** The time that the IPAM takes for one network. */
  readonly delayMilliseconds: number;
}

/**
 * Answers Configurations with addresses of an IPAM that gives them in the order in which it is asked, and gateways with an
 * endpoint. Like Liqo 1.2 it first adds `spec.local`. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/configuration.
 */
export function playLiqo({ kube, compiled, cluster, delayMilliseconds }: PlayOptions): PlayedLiqo {
  const end = new AbortController();
  const problems: string[] = [];
  const live = new Map<string, LiveObject>();
  const written = new Map<string, string>();
  const commit = new Commit(compiled, cluster, 'played');
  const answers = new LiqoAnswers(
    () => commit.freshIpam(),
    (work) => {
      setTimeout(() => {
        work();
        for (const id of live.keys()) void report(writeAnswer(id));
      }, delayMilliseconds).unref();
    },
  );
  const report = (work: Promise<unknown>): Promise<unknown> =>
    work.catch((error: unknown) => (end.signal.aborted ? undefined : problems.push(String(error))));
  const writeAnswer = async (id: string): Promise<void> => {
    const [object, views] = [live.get(id), answers.views(id)];
    if (object === undefined || views === undefined) return;
    const key = `${object.metadata.uid} ${JSON.stringify(views)}`;
    if (written.get(id) === key) return;
    written.set(id, key);
    await kube.setStatus(object, { remote: { cidr: views }, conditions: [configured(object)] });
  };
  const onConfiguration = async ({ type, object }: KubeEvent): Promise<void> => {
    const id = `Configuration ${object.metadata.namespace}/${object.metadata.name}`;
    if (type === 'DELETED') {
      answers.remove(id);
      live.delete(id);
      return;
    }
    live.set(id, object);
    if (object['spec'].local === undefined)
      await report(kube.merge(object, { spec: { local: ownNetworks(compiled, cluster) } }));
    else answers.apply(withoutLocal(object), 'live');
  };
  const onGateway = async ({ type, object }: KubeEvent): Promise<void> => {
    if (type === 'ADDED' && object['status'] === undefined) await report(kube.setStatus(object, gatewayStatus(object)));
  };
  const watches = { Configuration: onConfiguration, GatewayServer: onGateway, GatewayClient: onGateway };
  for (const [kind, onEvent] of Object.entries(watches))
    void kube.watch({ apiVersion: NETWORKING, kind }, end.signal, onEvent);
  return {
    created: answers.created,
    problems,
    occupy: (network) => answers.occupy(network),
    vacate: (network) => answers.vacate(network),
    uninstall: () => answers.uninstall({ keepsKinds: true }),
    install: () => answers.install(),
    stop: () => end.abort(),
  };
}

/** The object as the IPAM is asked for it: what else changes in it asks for nothing. */
function withoutLocal(object: LiveObject): AppliedObject {
  const { apiVersion, kind, metadata } = object;
  return { apiVersion, kind, metadata, spec: { remote: object['spec'].remote } };
}

/** The condition of a Configuration that has its networks. */
export const configured = ({ metadata }: LiveObject) => ({
  type: 'NetworkCIDRsConfigured',
  status: 'True',
  reason: 'NetworkCIDRsConfigured',
  message: 'answered',
  observedGeneration: metadata['generation' as keyof typeof metadata],
  lastTransitionTime: new Date().toISOString(),
});

export const gatewayStatus = ({ kind, metadata: { name, namespace } }: LiveObject) =>
  kind === 'GatewayServer'
    ? { endpoint: { addresses: ['203.0.113.10'], port: 30000, protocol: 'UDP' } }
    : { clientRef: { name, namespace }, secretRef: { name: 'gw-keys', namespace } };

function ownNetworks({ model }: Compiled, name: string) {
  const cluster = model.clusters.get(name);
  if (cluster === undefined) throw new Error(`no cluster "${name}"`);
  const pod = cluster.podCIDRs.map((it) => printPrefix(it.value));
  return { cidr: { pod, external: [printPrefix(cluster.externalCIDR)] } };
}

/** The definitions of Liqo's kinds in a release, `v1.2.0`, from the recorded ones. */
export function liqoCrds(release: string): readonly object[] {
  const recorded = vectorFiles('crds')
    .filter((it) => it.endsWith('.jsonl'))
    .flatMap((it) => readVectorLines(`crds/${it}`) as readonly RecordedCrd[]);
  return recorded
    .filter((it) => it.releases.includes(release))
    .map(({ spec }) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${spec.names.plural}.${spec.group}` },
      spec: { ...spec, versions: spec.versions.map((it) => ({ ...it, storage: true, subresources: { status: {} } })) },
    }));
}

interface RecordedCrd {
  readonly releases: readonly string[];
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly object[];
  };
}
