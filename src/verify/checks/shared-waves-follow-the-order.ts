import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type KubeObject, textAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import type { BundleCheck } from './bundle-check.ts';

/**
 * In the provider a namespace comes before the nonce in it, and that before the Tenant. In the consumer an Identity, its
 * slices, what is added to their nodes, and the namespaces that use them come in this order, and after the link: a virtual kubelet reads the network once,
 * when it starts. Source: liqotech/liqo@v1.2.0 pkg/webhooks/tenant, cmd/virtual-kubelet/root/root.go.
 */
const STEPS: readonly (readonly string[])[] = [
  ['Namespace'],
  ['Secret', 'ServiceAccount', 'RoleBinding'],
  ['Tenant'],
  ['Configuration', 'GatewayServer', 'GatewayClient'],
  ['Identity', 'ExternalSecret'],
  ['ResourceSlice'],
  ['VirtualNode'],
  ['NamespaceOffloading'],
];

/** GitOps tools apply what is shared in the order in which it can work. */
export const sharedWavesFollowTheOrder: BundleCheck = function* ({ network, bundle }) {
  for (const { name, peers } of network.values()) {
    const shared = ['sharing', 'offloading'].flatMap((it) => objectsIn(bundle, `${name}/${it}`));
    const objects = shared.flatMap(([path, found]) => (path.endsWith('/kustomization.yaml') ? [] : found));
    const latest = new Map<number, Waved>();
    const ofLinks = [...peers.values()].flatMap((it) => it.objects.flatMap(wavedOf));
    const waved = [...ofLinks, ...objects.flatMap(wavedOf)].sort((a, b) => a.step - b.step);
    for (const it of waved) {
      const before = [...latest].filter(([step]) => step < it.step).map(([, one]) => one);
      const late = before.find((one) => one.wave >= it.wave);
      const last = latest.get(it.step);
      if (!last || it.wave > last.wave) latest.set(it.step, it);
      if (late && objects.includes(it.object)) yield tooEarly(it, late);
    }
    for (const it of objects.filter((one) => wavedOf(one).length === 0 && stepOf(one) !== -1)) {
      const message = `the ${it.kind} "${it.name}" of "${name}" has no wave that is an integer in quotes`;
      yield diagnostic('verify/apply-order', textAt(it.node, WAVE).at, message);
    }
  }
};

interface Waved {
  readonly object: KubeObject;
  readonly step: number;
  readonly wave: number;
  readonly at: Diagnostic['span'];
}

const WAVE = ['metadata', 'annotations', 'argocd.argoproj.io/sync-wave'];

const stepOf = ({ kind }: KubeObject): number => STEPS.findIndex((it) => it.includes(kind));

function wavedOf(object: KubeObject): readonly Waved[] {
  const { text, at, type } = textAt(object.node, WAVE);
  const step = stepOf(object);
  if (step === -1 || type !== undefined || !/^-?\d+$/.test(text ?? '')) return [];
  return [{ object, step, wave: Number(text), at }];
}

const tooEarly = ({ object, wave, at }: Waved, late: Waved): Diagnostic =>
  diagnostic(
    'verify/apply-order',
    at,
    `the ${object.kind} "${object.name}" is in wave ${wave}, but must be after the ${late.object.kind} "${late.object.name}"`,
    { related: [{ message: `wave ${late.wave}`, span: late.at }] },
  );
