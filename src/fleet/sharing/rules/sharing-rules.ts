import { answersAreForTheRecordedKey } from './answers-are-for-the-recorded-key.ts';
import { answersAreForTheirConsumer } from './answers-are-for-their-consumer.ts';
import { answersBelongToALoan } from './answers-belong-to-a-loan.ts';
import { answersNameTheApiServer } from './answers-name-the-api-server.ts';
import { apiServersLieOutsideTunnels } from './api-servers-lie-outside-tunnels.ts';
import { authenticationKeysAreKeys } from './authentication-keys-are-keys.ts';
import { authenticationKeysAreUsedOnce } from './authentication-keys-are-used-once.ts';
import { certificatesAreRenewed } from './certificates-are-renewed.ts';
import { classesAreAnswered } from './classes-are-answered.ts';
import { consumersHaveAKey } from './consumers-have-a-key.ts';
import { consumersReadMetrics } from './consumers-read-metrics.ts';
import { credentialsHaveASource } from './credentials-have-a-source.ts';
import { directConnectionsNeedEveryLink } from './direct-connections-need-every-link.ts';
import { loansAreActive } from './loans-are-active.ts';
import { loansHaveALink } from './loans-have-a-link.ts';
import { namespacesAreOffloadedOnce } from './namespaces-are-offloaded-once.ts';
import { namespacesHaveAProvider } from './namespaces-have-a-provider.ts';
import { noncesAreSigned } from './nonces-are-signed.ts';
import { providersAcceptTheKey } from './providers-accept-the-key.ts';
import { providersHaveAnApiServer } from './providers-have-an-api-server.ts';
import { providersHaveAnswered } from './providers-have-answered.ts';
import { providersHaveTheCapacity } from './providers-have-the-capacity.ts';
import { providersSignCertificates } from './providers-sign-certificates.ts';
import { remoteNamesAreFree } from './remote-names-are-free.ts';
import { remoteNamesDiffer } from './remote-names-differ.ts';
import { remoteNamesFit } from './remote-names-fit.ts';
import { requestsAreForTheirCluster } from './requests-are-for-their-cluster.ts';
import type { SharingRule } from './sharing-rule.ts';
import { sliceNamesAreUnique } from './slice-names-are-unique.ts';
import { slicesHoldPods } from './slices-hold-pods.ts';
import { slicesUseAnAccountOfTheirOwn } from './slices-use-an-account-of-their-own.ts';
import { systemNamespacesStay } from './system-namespaces-stay.ts';

/** Every rule about shared resources. */
export const SHARING_RULES: readonly SharingRule[] = [
  sliceNamesAreUnique,
  slicesUseAnAccountOfTheirOwn,
  slicesHoldPods,
  classesAreAnswered,
  remoteNamesFit,
  remoteNamesDiffer,
  remoteNamesAreFree,
  systemNamespacesStay,
  namespacesHaveAProvider,
  namespacesAreOffloadedOnce,
  directConnectionsNeedEveryLink,
  loansHaveALink,
  loansAreActive,
  credentialsHaveASource,
  providersHaveTheCapacity,
  providersHaveAnApiServer,
  providersSignCertificates,
  apiServersLieOutsideTunnels,
  certificatesAreRenewed,
  consumersReadMetrics,
  consumersHaveAKey,
  authenticationKeysAreKeys,
  noncesAreSigned,
  requestsAreForTheirCluster,
  authenticationKeysAreUsedOnce,
  providersAcceptTheKey,
  providersHaveAnswered,
  answersBelongToALoan,
  answersAreForTheRecordedKey,
  answersAreForTheirConsumer,
  answersNameTheApiServer,
];
