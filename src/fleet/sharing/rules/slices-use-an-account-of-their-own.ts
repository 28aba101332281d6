import { countOf, firstOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { ownEnd } from '../../ipam/addressed-model.ts';
import { defaultSliceName } from '../default-slice-name.ts';
import type { Share, Slice } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** Every namespace has one. Source: kubernetes/kubernetes@v1.35.0 pkg/controller/serviceaccount. */
const ACCOUNT_OF_KUBERNETES = 'default';

/** Slices that a message names. */
const SHOWN = 3;

/**
 * The virtual kubelet of a slice runs as the ServiceAccount that is called like the slice, in the tenant namespace of the
 * provider. The gateway runs as one that is called like the gateway, there too, like the provider unless the topology names it. If
 * both are one, it has the rights of both, and goes with the virtual node. A warning, since liqoctl names both so: such fleets
 * work until a slice is deleted, and another name would be another virtual node.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller/virtualkubelet.go,
 * deployments/liqo/templates/liqo-wireguard-gateway-server-template.yaml (serviceAccountName).
 */
export const slicesUseAnAccountOfTheirOwn: SharingRule = function* ({ model }) {
  const all = model.shares.flatMap((share) => share.slices.map((slice) => ({ share, slice })));
  const isGateway = ({ share, slice }: OneSlice): boolean => slice.name === gatewayOf(share);
  const [first, ...more] = all.filter(isGateway);
  if (first !== undefined) yield sharedWithGateway(first, more);
  for (const it of all) {
    if (it.slice.name === ACCOUNT_OF_KUBERNETES && !isGateway(it)) yield sharedWithPods(it);
  }
};

/** The name of the consumer's gateway towards the provider. */
function gatewayOf({ consumer, provider }: Share): string | null {
  const peer = consumer.peers.get(provider.name);
  return peer === undefined ? null : ownEnd(peer).names.gateway;
}

interface OneSlice {
  readonly share: Share;
  readonly slice: Slice;
}

function sharedWithGateway(first: OneSlice, more: readonly OneSlice[]): Diagnostic {
  const { share, slice } = first;
  const names = [first, ...more].map((it) => `${quoted(it.slice.name)} of ${it.share.consumer.name}`);
  const what = `${countOf(names.length, 'slice')} (${firstOf(names, SHOWN)})`;
  return diagnostic(
    'sharing/account-shared',
    slice.at,
    `${what} ${names.length === 1 ? 'is' : 'are'} called like the gateway towards the provider: both use one ServiceAccount, which is deleted with the virtual node`,
    {
      about: subjectsOf([first, ...more].map((it) => it.share)),
      hint: `choose another \`name\`; without one weft writes ${quoted(defaultSliceName(share.provider.name))}`,
    },
  );
}

const sharedWithPods = ({ share: { consumer, provider }, slice: { name, at } }: OneSlice): Diagnostic =>
  diagnostic(
    'sharing/account-shared',
    at,
    `the slice ${quoted(name)} of ${quoted(consumer.name)} shares its ServiceAccount with every pod of its namespace that names none, and deleting its virtual node deletes that`,
    {
      about: [[consumer.name, provider.name]],
      hint: `choose another \`name\`; without one weft writes ${quoted(defaultSliceName(provider.name))}`,
    },
  );
