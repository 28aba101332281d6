import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type ControlPlane, makeServerCertificate } from './control-plane.ts';
import type { LiveObject } from './kube.ts';
import { objectsOf } from './objects-of.ts';
import { until } from './processes.ts';
import { LIQO_RELEASES, type LiqoMinor, liqoChart, liqoProgram, program } from './programs.ts';

export interface Installation {
  readonly plane: ControlPlane;
  readonly release: LiqoMinor;
  /** `helm-values.yaml` of the cluster's bundle. */
  readonly values: string;
  readonly namespace: string;
  /** The port at which the webhooks of Liqo will listen at loopback. */
  readonly webhookPort: number;
}

/** Without a server behind it, it would hold up every deletion of a namespace. */
const WITHOUT: readonly string[] = ['APIService'];

/**
 * Installs Liqo as its chart does with weft's values; its controllers are Pods, which the kubelet of the harness plays.
 *
 * @returns the objects of the release, without CRDs
 */
export async function installLiqo(its: Installation): Promise<readonly LiveObject[]> {
  const { plane, namespace } = its;
  makeServerCertificate({ folder: plane.folder, name: 'webhook', hosts: [`liqo-webhook.${namespace}.svc`] });
  await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await applyDefinitions(its);
  return upgradeLiqo(its, []);
}

/** Applies the CRDs of a release, which Helm itself does only with the first installation. */
export async function applyDefinitions(its: Installation): Promise<void> {
  const { plane } = its;
  const definitions = renderChart(its).filter(isDefinition);
  for (const it of definitions) await plane.kube.apply(it);
  for (const { metadata } of definitions)
    await until(`${metadata.name} is known`, () => isEstablished(plane, metadata.name));
}

/** Applies the chart as Helm does, and then deletes what was in the former release alone. */
export async function upgradeLiqo(its: Installation, former: readonly LiveObject[]): Promise<readonly LiveObject[]> {
  const { kube } = its.plane;
  const objects = renderChart(its).filter((it) => !isDefinition(it));
  // The webhooks come last: nothing answers them before.
  for (const it of [...objects.filter((one) => !isWebhook(one)), ...objects.filter(isWebhook)])
    await kube.apply(atLoopback(it, its));
  const present = new Set(objects.map(nameOf));
  for (const it of former) if (!present.has(nameOf(it))) await kube.remove(it);
  return objects;
}

/** Uninstalls a release as Helm does: first the job of the chart, which refuses while there are links, then its objects. */
export async function uninstallLiqo(its: Installation, objects: readonly LiveObject[]): Promise<void> {
  const { plane, release, namespace } = its;
  const env = { ...process.env, KUBECONFIG: plane.kubeconfig, POD_NAMESPACE: namespace };
  const uninstaller = liqoProgram(LIQO_RELEASES[release], 'uninstaller');
  // It deletes ForeignClusters once, and waits for one that Liqo makes again after that, because of a late event.
  await until(
    `Liqo lets itself be uninstalled in ${plane.name}`,
    async () => {
      await promisify(execFile)(uninstaller, [], { env, timeout: 45_000 });
      return true;
    },
    240,
  );
  for (const it of [...objects.filter(isWebhook), ...objects.filter((one) => !isWebhook(one)).toReversed()])
    await plane.kube.remove(it);
  await until(`no Pod of Liqo runs in ${plane.name}`, async () => {
    const pods = await plane.kube.list('v1', 'Pod');
    return pods.every((it) => it.metadata.namespace !== namespace);
  });
}

/** The objects of the chart, as `helm template` prints them. */
function renderChart({ plane, release, values, namespace }: Installation): readonly LiveObject[] {
  const text = execFileSync(
    program('helm'),
    [
      ...['template', 'liqo', liqoChart(release), '--namespace', namespace, '--include-crds', '--no-hooks'],
      ...['--values', values, '--set', `tag=v${LIQO_RELEASES[release]}`],
    ],
    { encoding: 'utf8', maxBuffer: 2 ** 28, cwd: plane.folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  return objectsOf(text)
    .filter((it) => !WITHOUT.includes(it.kind))
    .map((it) => inNamespace(it, namespace));
}

/** `helm template` leaves the namespace of what it installs there to the client. */
function inNamespace(object: LiveObject, namespace: string): LiveObject {
  return { ...object, metadata: { namespace, ...object.metadata } };
}

function isDefinition({ kind }: LiveObject): boolean {
  return kind === 'CustomResourceDefinition';
}

function nameOf({ apiVersion, kind, metadata }: LiveObject): string {
  return `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}

function isWebhook({ kind }: LiveObject): boolean {
  return kind === 'ValidatingWebhookConfiguration' || kind === 'MutatingWebhookConfiguration';
}

/** No Service leads anywhere here, so the API server calls the webhooks at loopback, with a certificate for that. */
function atLoopback(object: LiveObject, { plane, webhookPort }: Installation): LiveObject {
  const read = (name: string) => readFileSync(`${plane.folder}/${name}`).toString('base64');
  if (object.kind === 'Secret' && object.metadata.name.endsWith('-webhook-certs'))
    return { ...object, data: { ca: read('ca.crt'), 'tls.crt': read('webhook.crt'), 'tls.key': read('webhook.key') } };
  if (!isWebhook(object)) return object;
  const webhooks = object['webhooks'] as readonly {
    readonly clientConfig: { readonly service: { readonly path: string } };
  }[];
  return {
    ...object,
    webhooks: webhooks.map((it) => ({
      ...it,
      clientConfig: {
        url: `https://127.0.0.1:${webhookPort}${it.clientConfig.service.path}`,
        caBundle: read('ca.crt'),
      },
    })),
  };
}

async function isEstablished({ kube }: ControlPlane, name: string): Promise<boolean> {
  const found = await kube.get('apiextensions.k8s.io/v1', 'CustomResourceDefinition', name);
  const conditions: readonly { readonly type: string; readonly status: string }[] = found?.['status']?.conditions ?? [];
  return conditions.some((it) => it.type === 'Established' && it.status === 'True');
}
