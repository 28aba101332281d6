import { API_SERVER_PORT } from '../../base/releases/ports.ts';
import type { Share } from '../../fleet/sharing/shared-model.ts';
import type { Opening, Target } from './opening.ts';
import { targetOfUrl } from './target-of-url.ts';

/**
 * A consumer uses the API server of its provider, outside the tunnel. The provider never calls that of the consumer.
 * Source: liqotech/liqo@v1.2.0 internal/crdReplicator, cmd/virtual-kubelet.
 */
export function apiServerOpening(share: Share, sources: readonly string[]): Opening {
  return {
    purpose: 'api-server',
    protocol: 'tcp',
    from: share.consumer.name,
    to: share.provider.name,
    sources,
    ...dialledBy(share),
    places: [],
    nat: false,
    range: null,
    recorded: true,
    silent: false,
  };
}

/** The recorded answer of the provider is what the consumer gets; before there is one, the provider's setting. */
function dialledBy({ identity, provider, auth }: Share): Pick<Opening, 'dialled' | 'decidedBy'> {
  if (identity !== null && identity.proxyURL !== null) {
    return { dialled: targetOfUrl(identity.proxyURL), decidedBy: 'proxy' };
  }
  if (identity !== null) return { dialled: targetOfUrl(identity.apiServer), decidedBy: 'answer' };
  if (provider.apiServer !== null) return { dialled: targetOfUrl(provider.apiServer.url), decidedBy: 'topology' };
  if (auth === 'credentials') return { dialled: { address: null, port: null }, decidedBy: 'kubeconfig' };
  return { dialled: FOUND_BY_LIQO, decidedBy: 'liqo' };
}

/** Liqo gives the internal address of a control plane node. Source: liqotech/liqo@v1.2.0 pkg/utils/apiserver/address.go. */
const FOUND_BY_LIQO: Target = { address: null, port: API_SERVER_PORT };
