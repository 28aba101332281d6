import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type ControlPlane, makeServerCertificate } from './control-plane.ts';
import type { LiveObject } from './kube.ts';
import { objectsOf } from './objects-of.ts';
import { until } from './processes.ts';
import { LIQO_RELEASES, type LiqoMinor, liqoChart, program } from './programs.ts';

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

/** Installs Liqo as its chart does with weft's values; its controllers are Pods, which the kubelet of the harness plays. */
export async function installLiqo(its: Installation): Promise<void> {
  const { plane, namespace } = its;
  makeServerCertificate({ folder: plane.folder, name: 'webhook', hosts: [`liqo-webhook.${namespace}.svc`] });
  await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await applyChart(its, renderChart(its));
}

async function applyChart(its: Installation, objects: readonly LiveObject[]): Promise<void> {
  const { plane } = its;
  const definitions = objects.filter((it) => it.kind === 'CustomResourceDefinition');
  for (const it of definitions) await plane.kube.apply(it);
  for (const { metadata } of definitions)
    await until(`${metadata.name} is known`, () => isEstablished(plane, metadata.name));
  // The webhooks come last: nothing answers them before.
  const rest = objects.filter((it) => it.kind !== 'CustomResourceDefinition');
  for (const it of [...rest.filter((one) => !isWebhook(one)), ...rest.filter(isWebhook)])
    await plane.kube.apply(atLoopback(it, its));
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
