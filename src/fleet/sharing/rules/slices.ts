import { groupBy, valueAt } from '../../../base/core/collections.ts';
import { parseQuantity, printQuantity, type Quantity } from '../../../base/core/quantity.ts';
import { countOf, firstLines, firstOf, listOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { DEFAULT_SLICE_CLASS, SLICE_DEFAULTS } from '../../../base/releases/install-defaults.ts';
import { ownEnd } from '../../ipam/addressed-model.ts';
import { helmValueAt } from '../../topology/helm-values.ts';
import { defaultSliceName, type Share, type Slice } from '../shared-model.ts';
import { SHOWN_PROVIDERS, type SharingRule, subjectsOf } from './sharing-rule.ts';

/**
 * No two slices of a consumer have the same name: the webhook rejects the second, and a virtual node has the name of
 * its slice. This also applies to slices of the two directions of a pair: each is copied to the namespace of the other
 * one, and neither copy is ever created. Source: liqotech/liqo@v1.2.0 pkg/webhooks/resourceslice,
 * internal/crdReplicator.
 */
export const sliceNamesAreUnique: SharingRule = function* ({ model }) {
  for (const { borrows, lends } of model.sharing.values()) {
    const own = new Map<string, Share>();
    const back = new Map(lends.map((it) => [it.consumer.name, it]));
    for (const share of borrows) {
      for (const slice of share.slices) {
        const first = own.get(slice.name);
        if (first === undefined) own.set(slice.name, share);
        else yield nameUsedTwice(slice, share, first);
      }
      // The other direction finds the same pair.
      const other = share.consumer.name < share.provider.name ? back.get(share.provider.name) : undefined;
      if (other !== undefined) yield* namesThatMeet(share, other);
    }
  }
};

function* namesThatMeet(share: Share, back: Share): Iterable<Diagnostic> {
  const names = new Set(back.slices.map((it) => it.name));
  for (const it of share.slices) if (names.has(it.name)) yield inBothDirections(it, share, back);
}

const nameUsedTwice = (slice: Slice, share: Share, first: Share): Diagnostic =>
  diagnostic(
    'sharing/slice-name-twice',
    slice.at,
    `${quoted(share.consumer.name)} has two slices called ${quoted(slice.name)}: ${from(first, share)}`,
    { hint: 'give one of them another `name`: it is also the name of the virtual node' },
  );

const from = (first: Share, second: Share): string =>
  first === second
    ? `both from ${quoted(first.provider.name)}`
    : `from ${quoted(first.provider.name)} and from ${quoted(second.provider.name)}`;

const inBothDirections = (slice: Slice, share: Share, back: Share): Diagnostic =>
  diagnostic(
    'sharing/slice-name-twice',
    slice.at,
    `${quoted(share.consumer.name)} and ${quoted(back.consumer.name)} borrow from each other by slices that are both called ${quoted(slice.name)}, and Liqo cannot copy either to its provider`,
    { hint: 'give one of them another `name`' },
  );

/**
 * Name of the account that every namespace has. Source: kubernetes/kubernetes@v1.35.0 pkg/controller/serviceaccount.
 */
const ACCOUNT_OF_KUBERNETES = 'default';

/** Largest number of slices in a message. */
const SHOWN_NAMES = 3;

/**
 * The virtual kubelet of a slice runs as the ServiceAccount with the name of the slice, in the tenant namespace of the
 * provider. The gateway runs there as an account with the name of the gateway, which is that of the provider unless the
 * topology sets another one. If both are one account, it has the rights of both, and is deleted with the virtual node.
 * This is a warning, because liqoctl uses these names: such fleets work until a slice is deleted, and another name
 * would create another virtual node. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/virtualnode-controller/virtualkubelet.go,
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
  const what = `${countOf(names.length, 'slice')} (${firstOf(names, SHOWN_NAMES)})`;
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

/**
 * Resources that a slice must have: a virtual node is ready only with some CPU and some memory, and Kubernetes
 * schedules no pod to a node that allows none. An omitted resource is not zero: the provider applies its default.
 * Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/liqoNodeProvider (Ready),
 * pkg/liqo-controller-manager/authentication/remoteresourceslice-controller.
 */
const NEEDED = ['cpu', 'memory', 'pods'];

/** No slice requests zero of a resource that every pod needs. */
export const slicesHoldPods: SharingRule = function* ({ model }) {
  for (const { consumer, provider, slices } of model.shares) {
    for (const { name, at, resources } of slices) {
      const none = NEEDED.filter((it) => resources[it] === '0');
      if (none.length === 0) continue;
      yield diagnostic(
        'sharing/slice-of-nothing',
        at,
        `the slice ${quoted(name)} of ${quoted(consumer.name)} from ${quoted(provider.name)} asks for 0 ${listOf(none)}, so no pod can run on its virtual node`,
        { hint: 'ask for more, or leave it out: the provider then gives its default' },
      );
    }
  }
};

/**
 * A node has one taint of a key and an effect: an API server refuses it otherwise, and the virtual node never appears.
 * Source: kubernetes/kubernetes@v1.32.0 pkg/apis/core/validation/validation.go (validateNodeTaints).
 */
export const taintsAreListedOnce: SharingRule = function* ({ model }) {
  for (const slice of model.shares.flatMap((it) => it.slices)) {
    const taints = (slice.virtualNode?.taints ?? []).map((it) => `${it.key}:${it.effect}`);
    const twice = taints.find((it, index) => taints.indexOf(it) !== index);
    if (twice === undefined) continue;
    const message = `the virtual node of the slice ${quoted(slice.name)} has the taint ${quoted(twice)} twice, which Kubernetes refuses`;
    yield diagnostic('topology/wrong-value', slice.at, message, { hint: 'remove one of the two from `taints`' });
  }
};

/** Largest number of slices in the note. */
const SHOWN_CLASSES = 3;

/**
 * A reminder, as for the user's own templates: Liqo answers only slices of its default class, and another controller
 * must answer the rest.
 */
export const classesAreAnswered: SharingRule = function* ({ model }) {
  const others = model.shares.flatMap((share) =>
    share.slices.filter((it) => it.class !== DEFAULT_SLICE_CLASS).map((slice) => ({ share, slice })),
  );
  const [first] = others;
  if (first === undefined) return;
  const names = others.map(
    ({ share, slice }) =>
      `${quoted(slice.name)} of ${share.consumer.name} from ${share.provider.name} (${slice.class})`,
  );
  const have = others.length === 1 ? 'has a class' : 'have classes';
  yield diagnostic(
    'sharing/class-of-others',
    first.slice.at,
    `${countOf(others.length, 'slice')} ${have} that Liqo does not answer: ${firstOf(names, SHOWN_CLASSES)}`,
    {
      about: subjectsOf(others.map((it) => it.share)),
      hint: 'run a controller in the provider that accepts such slices: until then they have no virtual node',
    },
  );
};

/**
 * The total of a provider's loans does not exceed the capacity that the topology declares. Liqo accepts every slice as
 * requested. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/remoteresourceslice-controller.
 */
export const providersHaveTheCapacity: SharingRule = function* ({ model }) {
  const lent = groupBy(
    model.shares.filter((it) => it.condition !== 'Drained'),
    (it) => [it.provider.name],
  );
  const over = [...lent.values()].flatMap((shares) => exceeded(shares) ?? []);
  const [first] = over;
  if (first === undefined) return;
  const lines = firstLines(
    over.map((it) => it.words),
    SHOWN_PROVIDERS,
    (left) => `and ${countOf(left, 'more provider')}`,
  );
  yield diagnostic(
    'sharing/over-capacity',
    first.at,
    `${countOf(over.length, 'provider')} ${over.length === 1 ? 'lends' : 'lend'} more than the declared capacity: ${lines.join('; ')}`,
    {
      about: over.map((it) => [it.provider]),
      hint: 'lend less, or correct `capacity`: Liqo accepts every slice, and pods stay pending once the nodes are full',
    },
  );
};

/** The resources for which the loans of one provider exceed its capacity, with the place of each. */
function exceeded(shares: readonly Share[]) {
  const provider = shares[0]?.provider;
  const declared = provider?.capacity ?? [];
  const excess = declared.flatMap(([resource, { value, at }]) => {
    const [sum, most] = [sumOf(shares, resource), parseQuantity(value)];
    return most !== undefined && sum.nanos > most.nanos
      ? [{ at, words: `${printQuantity(sum)} of ${value} ${resource}` }]
      : [];
  });
  const [first] = excess;
  if (provider === undefined || first === undefined) return undefined;
  const to = firstOf(
    shares.map((it) => quoted(it.consumer.name)),
    SHOWN_PROVIDERS,
  );
  return {
    at: first.at,
    provider: provider.name,
    words: `${quoted(provider.name)} lends ${listOf(excess.map((it) => it.words))} to ${to}`,
  };
}

/** The sum of the loans of one provider. For an omitted resource, a slice gets the provider's default. */
function sumOf(shares: readonly Share[], resource: string): Quantity {
  const own = helmValueAt(shares[0]?.provider.helmValues ?? [], `offloading.defaultNodeResources.${resource}`);
  const given = own === undefined ? valueAt(SLICE_DEFAULTS, resource) : String(own);
  const asked = shares.flatMap((it) => it.slices).map((it) => valueAt(it.resources, resource) ?? given ?? '0');
  return asked
    .map((it) => parseQuantity(it) ?? NO_QUANTITY)
    .reduce(
      (sum, it) => ({ nanos: sum.nanos + it.nanos, format: it.nanos === 0n ? sum.format : it.format }),
      NO_QUANTITY,
    );
}

const NO_QUANTITY: Quantity = { nanos: 0n, format: 'decimal' };
