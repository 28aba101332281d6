import { NONCE_LABEL } from '../../base/releases/labels.ts';

/** Labels of the Secrets whose values are public: nonces, which prove nothing without their signature. */
export const PUBLIC_SECRETS = `${NONCE_LABEL}=true`;
