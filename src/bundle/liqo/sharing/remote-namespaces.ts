import { namespaceIn } from '../../../fleet/ipam/namespace-in.ts';
import type { OffloadedNamespace, Share, SharedModel } from '../../../fleet/sharing/shared-model.ts';
import { sharingOf } from '../../../fleet/sharing/shared-model.ts';
import { acceptedSlices } from './rest-state.ts';

/** A namespace of a consumer in one of its providers. */
export interface RemoteNamespace {
  readonly share: Share;
  readonly offloaded: OffloadedNamespace;
}

/** The namespaces of the consumers of some shares that are in the providers of these, by consumer, then by namespace. */
export const remoteNamespaces = (shares: readonly Share[], model: SharedModel): readonly RemoteNamespace[] =>
  shares
    .filter((it) => acceptedSlices(it).length > 0)
    .flatMap((share) =>
      sharingOf(model, share.consumer.name)
        .offloads.filter((it) => it.providers.includes(share.provider))
        .map((offloaded) => ({ share, offloaded })),
    );

/** The NamespaceMap in the provider, as annotations refer to it. */
export const namespaceMapOf = ({ consumer, provider }: Share): string =>
  `${namespaceIn(provider, consumer.name)}/${provider.name}`;
