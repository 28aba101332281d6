import {
  answersAreForTheirConsumer,
  answersAreForTheRecordedKey,
  answersBelongToALoan,
  answersNameTheApiServer,
  providersHaveAnswered,
} from './answers.ts';
import { apiServersLieOutsideTunnels, providersHaveAnApiServer } from './api-servers.ts';
import { certificatesAreRenewed, credentialsHaveASource, providersSignCertificates } from './certificates.ts';
import {
  authenticationKeysAreKeys,
  authenticationKeysAreUsedOnce,
  consumersHaveAKey,
  noncesAreSigned,
  providersAcceptTheKey,
  requestsAreForTheirCluster,
} from './keys.ts';
import { consumersReadMetrics, directConnectionsNeedEveryLink, loansAreActive, loansHaveALink } from './loans.ts';
import { namespacesAreOffloadedOnce, namespacesHaveAProvider, systemNamespacesStay } from './namespaces.ts';
import { remoteNamesAreFree, remoteNamesDiffer, remoteNamesFit } from './remote-names.ts';
import type { SharingRule } from './sharing-rule.ts';
import {
  classesAreAnswered,
  providersHaveTheCapacity,
  sliceNamesAreUnique,
  slicesHoldPods,
  slicesUseAnAccountOfTheirOwn,
} from './slices.ts';

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
