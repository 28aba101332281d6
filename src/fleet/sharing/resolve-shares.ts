import { by } from '../../base/core/order.ts';
import { UNKNOWN_KEY } from '../../base/core/unknown-key.ts';
import type { SliceDeclaration } from '../topology/sharing-declaration.ts';
import { defaultSliceName } from './default-slice-name.ts';
import type { ShareRequest } from './list-shares.ts';
import type { RecordedAuthentication } from './read-authentication.ts';
import type { RecordedIdentities } from './read-identities.ts';
import type { Share, Slice } from './shared-model.ts';

interface Recorded {
  readonly authentication: RecordedAuthentication;
  readonly identities: RecordedIdentities;
}

/** The pairs with their tunnel, their slices, and what is recorded about them. */
export function resolveShares(
  requests: readonly ShareRequest[],
  { authentication, identities }: Recorded,
): readonly Share[] {
  return requests.map(({ entry, consumer, provider }): Share => {
    const found = authentication.get(consumer.name);
    const recorded = found === UNKNOWN_KEY ? undefined : found;
    return {
      at: entry.at,
      consumer,
      provider,
      link: consumer.peers.get(provider.name)?.link ?? null,
      condition: entry.condition,
      auth: entry.auth,
      credentials: entry.auth === 'credentials' ? entry.credentials : null,
      slices: entry.slices
        .map((it) => resolveSlice(it, provider.name, recorded?.slices ?? new Map()))
        .sort(by((it) => it.name)),
      key: recorded === undefined ? null : { ...recorded.key, ...recorded.providers?.get(provider.name) },
      hasUnknownKey: found === UNKNOWN_KEY,
      identity: identities.get(consumer.name)?.get(provider.name) ?? null,
    };
  });
}

function resolveSlice(written: SliceDeclaration, provider: string, requests: ReadonlyMap<string, string>): Slice {
  const name = written.name?.value ?? defaultSliceName(provider);
  return {
    at: written.name?.at ?? written.at,
    name,
    class: written.class.value,
    resources: Object.fromEntries(written.resources.map(([resource, quantity]) => [resource, quantity.value])),
    request: requests.get(name) ?? null,
    virtualNode: written.virtualNode,
  };
}
