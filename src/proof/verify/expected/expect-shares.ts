import { byCodeUnit } from '../../../base/core/order.ts';
import type { Span } from '../../../base/source/source.ts';
import type { ClusterDeclaration, Declaration } from '../../../fleet/topology/declaration.ts';
import type { SharingDeclaration, SliceDeclaration } from '../../../fleet/topology/sharing-declaration.ts';
import { hashOf } from '../sharing/hash-of.ts';
import { clustersSelectedBy } from './selected-clusters.ts';

/** What one cluster borrows from another one, as the topology and the files beside it require. */
export interface ExpectedShare {
  readonly at: Span;
  readonly consumer: string;
  readonly provider: string;
  /** The tenant namespace of the provider, in the consumer. */
  readonly namespaceOfProvider: string;
  /** That of the consumer, in the provider. */
  readonly namespaceOfConsumer: string;
  readonly condition: SharingDeclaration['condition'];
  readonly auth: SharingDeclaration['auth'];
  /** Where the kubeconfig comes from with credentials; `null` when the Secret is made by hand. */
  readonly credentials: SharingDeclaration['credentials'];
  readonly slices: readonly ExpectedSlice[];
  /** What the keys file records of the consumer for this provider; `null` while it has nothing. */
  readonly key: RecordedKey | null;
  /** What the identities file records of the answer; `null` while it has nothing. */
  readonly answer: RecordedAnswer | null;
}

export interface ExpectedSlice {
  readonly name: string;
  readonly class: string;
  readonly resources: Readonly<Record<string, string>>;
  /** `null` where Liqo makes the request. */
  readonly request: string | null;
  readonly virtualNode: SliceDeclaration['virtualNode'];
}

export interface RecordedKey {
  readonly publicKey: string;
  readonly nonce: string;
  readonly signature: string;
  readonly request: string;
  readonly slices: Readonly<Record<string, string>>;
}

interface RecordedAnswer {
  readonly apiServer: string;
  readonly ca: string | null;
  readonly certificate: string;
  readonly proxyURL: string | null;
}

interface Recorded {
  readonly keyOf: (consumer: string, provider: string) => RecordedKey | null;
  readonly answerOf: (consumer: string, provider: string) => RecordedAnswer | null;
  readonly namespaceIn: (cluster: string, remote: string) => string;
}

/** Every pair that `sharing` selects, by consumer, then by provider. Retired clusters neither lend nor borrow. */
export function expectShares(declaration: Declaration, recorded: Recorded): readonly ExpectedShare[] {
  const shares: ExpectedShare[] = [];
  for (const entry of declaration.sharing) {
    for (const consumer of clustersSelectedBy(entry.consumer, declaration.clusters)) {
      for (const provider of clustersSelectedBy(entry.provider, declaration.clusters)) {
        if (consumer === provider) continue;
        shares.push(expectShare(entry, [consumer, provider], recorded));
      }
    }
  }
  return shares.sort((a, b) => byCodeUnit(a.consumer, b.consumer) || byCodeUnit(a.provider, b.provider));
}

function expectShare(
  { at, condition, auth, credentials, slices }: SharingDeclaration,
  [consumer, provider]: readonly [ClusterDeclaration, ClusterDeclaration],
  { keyOf, answerOf, namespaceIn }: Recorded,
): ExpectedShare {
  const key = keyOf(consumer.name, provider.name);
  const expected = slices.map((it): ExpectedSlice => {
    const name = it.name?.value ?? usualSliceName(provider.name);
    const resources = Object.fromEntries(it.resources.map(([resource, { value }]) => [resource, value]));
    const request = key && Object.hasOwn(key.slices, name) ? (key.slices[name] ?? null) : null;
    return { name, class: it.class.value, resources, request, virtualNode: it.virtualNode };
  });
  return {
    at,
    consumer: consumer.name,
    provider: provider.name,
    namespaceOfProvider: namespaceIn(consumer.name, provider.name),
    namespaceOfConsumer: namespaceIn(provider.name, consumer.name),
    condition,
    auth,
    credentials: auth === 'credentials' ? credentials : null,
    slices: expected.sort((a, b) => byCodeUnit(a.name, b.name)),
    key,
    answer: answerOf(consumer.name, provider.name),
  };
}

/**
 * Never the name of the provider, which its gateway and the ServiceAccount of that have. With the hash of a consumer, 13
 * characters, the name of a slice must fit into a label of 63.
 */
function usualSliceName(provider: string): string {
  const [usual, hash] = [`${provider}-slice`, hashOf(provider)];
  return usual.length <= 50 ? usual : `${provider.slice(0, 50 - `-${hash}-slice`.length)}-${hash}-slice`;
}
