import type { Share } from './shared-model.ts';

/**
 * Whether Liqo replaces the certificate of the consumer before it ends: the provider signs again, and the consumer copies the
 * answer into its Identity. It takes both; else git is the only one who can bring a new certificate.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/localrenewer-controller.
 */
export const isRenewed = ({ consumer, provider, auth }: Share): boolean =>
  auth === 'handshake' && consumer.traits.renewsCertificates && provider.traits.renewsCertificates;
