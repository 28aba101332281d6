import type { RemoteNamespace } from './difference.ts';
import { type SharingState, shareOf } from './sharing-state.ts';

/**
 * The namespaces that Liqo has made in providers: none where the provider has taken everything back, and none where the files
 * have neither half of the handshake.
 */
export function remoteNamespaces({ shares, offloadings }: SharingState): readonly RemoteNamespace[] {
  return [...offloadings.values()].flatMap(({ cluster, namespace, providers, remoteName: name }) =>
    providers.flatMap((provider): readonly RemoteNamespace[] => {
      const share = shares.get(shareOf(cluster, provider));
      const isDrained = share?.tenant?.condition === 'Drained';
      const isConnected = share !== undefined && (share.tenant !== null || share.identity !== null);
      return isConnected && !isDrained ? [{ cluster, namespace, provider, name }] : [];
    }),
  );
}
