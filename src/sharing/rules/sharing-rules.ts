import { answersBelongToALoan } from './answers-belong-to-a-loan.ts';
import { authenticationKeysAreKeys } from './authentication-keys-are-keys.ts';
import { authenticationKeysAreUsedOnce } from './authentication-keys-are-used-once.ts';
import { consumersHaveAKey } from './consumers-have-a-key.ts';
import { noncesAreSigned } from './nonces-are-signed.ts';
import { providersAcceptTheKey } from './providers-accept-the-key.ts';
import { providersHaveAnswered } from './providers-have-answered.ts';
import { remoteNamesAreFree } from './remote-names-are-free.ts';
import { remoteNamesDiffer } from './remote-names-differ.ts';
import { remoteNamesFit } from './remote-names-fit.ts';
import { requestsAreForTheirCluster } from './requests-are-for-their-cluster.ts';
import type { SharingRule } from './sharing-rule.ts';
import { sliceNamesAreUnique } from './slice-names-are-unique.ts';
import { slicesHoldPods } from './slices-hold-pods.ts';
import { slicesUseAnAccountOfTheirOwn } from './slices-use-an-account-of-their-own.ts';

/** Every rule about shared resources. */
export const SHARING_RULES: readonly SharingRule[] = [
  sliceNamesAreUnique,
  slicesUseAnAccountOfTheirOwn,
  slicesHoldPods,
  remoteNamesFit,
  remoteNamesDiffer,
  remoteNamesAreFree,
  consumersHaveAKey,
  providersHaveAnswered,
  answersBelongToALoan,
  authenticationKeysAreKeys,
  noncesAreSigned,
  requestsAreForTheirCluster,
  authenticationKeysAreUsedOnce,
  providersAcceptTheKey,
];
