import type { RecordedAuthentication } from '../sharing/read-authentication.ts';
import type { PublicKeys } from './gateway.ts';

/** What a keys file contains. */
export interface RecordedKeys {
  readonly gateways: PublicKeys;
  readonly authentication: RecordedAuthentication;
}
