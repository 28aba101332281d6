import type { Difference, DifferenceKind } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import {
  authenticationAddedWords,
  authenticationChangedWords,
  authenticationRemovedWords,
  identityAddedWords,
  identityChangedWords,
  identityRemovedWords,
  nonceChangedWords,
} from './authentication.ts';
import {
  clusterAddedWords,
  clusterRemovedWords,
  clusterRenamedWords,
  clusterRetiredWords,
  clusterReturnedWords,
} from './clusters.ts';
import { addressChangedWords, portChangedWords, serviceChangedWords } from './endpoints.ts';
import {
  alertsChangedWords,
  annotationsChangedWords,
  filesChangedWords,
  gitopsChangedWords,
  layoutChangedWords,
  lockChangedWords,
  orderChangedWords,
} from './files.ts';
import {
  keyAddedWords,
  keyChangedWords,
  keyRemovedWords,
  templateChangedWords,
  templateEditedWords,
} from './gateways.ts';
import { releaseChangedWords, settingChangedWords } from './installation.ts';
import { linkAddedWords, linkKindChangedWords, linkRemovedWords, mtuChangedWords, roleChangedWords } from './links.ts';
import { namesChangedWords } from './names.ts';
import { blockCarvedWords, blockReturnedWords, ownCidrChangedWords, reservationChangedWords } from './networks.ts';
import {
  namespaceOffloadedWords,
  namespaceOwnerChangedWords,
  namespaceWithdrawnWords,
  podsChangedWords,
  providersChangedWords,
  remoteNameChangedWords,
} from './offloading.ts';
import { conditionChangedWords, policyChangedWords, shareAddedWords, shareRemovedWords } from './sharing.ts';
import {
  classChangedWords,
  credentialsChangedWords,
  nodeChangedWords,
  nodeNetworkChangedWords,
  requestChangedWords,
  resourcesChangedWords,
  sliceAddedWords,
  sliceRemovedWords,
} from './slices.ts';
import { assertionChangedWords, deliveryChangedWords, imagesChangedWords } from './trust.ts';
import { announcedChangedWords, historyChangedWords, viewMovedWords } from './views.ts';

/** The words for each kind of change. A kind without an entry does not compile. */
export const WORDS: { readonly [K in DifferenceKind]: ChangeWords<K> } = {
  'cluster-added': clusterAddedWords,
  'cluster-removed': clusterRemovedWords,
  'cluster-renamed': clusterRenamedWords,
  'cluster-retired': clusterRetiredWords,
  'cluster-returned': clusterReturnedWords,
  'link-added': linkAddedWords,
  'link-removed': linkRemovedWords,
  'link-kind-changed': linkKindChangedWords,
  'role-changed': roleChangedWords,
  'port-changed': portChangedWords,
  'address-changed': addressChangedWords,
  'service-changed': serviceChangedWords,
  'mtu-changed': mtuChangedWords,
  'names-changed': namesChangedWords,
  'template-changed': templateChangedWords,
  'template-edited': templateEditedWords,
  'images-changed': imagesChangedWords,
  'alerts-changed': alertsChangedWords,
  'view-moved': viewMovedWords,
  'announced-changed': announcedChangedWords,
  'history-changed': historyChangedWords,
  'block-carved': blockCarvedWords,
  'block-returned': blockReturnedWords,
  'own-cidr-changed': ownCidrChangedWords,
  'key-added': keyAddedWords,
  'key-changed': keyChangedWords,
  'key-removed': keyRemovedWords,
  'reservation-changed': reservationChangedWords,
  'release-changed': releaseChangedWords,
  'order-changed': orderChangedWords,
  'share-added': shareAddedWords,
  'share-removed': shareRemovedWords,
  'condition-changed': conditionChangedWords,
  'policy-changed': policyChangedWords,
  'authentication-added': authenticationAddedWords,
  'authentication-changed': authenticationChangedWords,
  'authentication-removed': authenticationRemovedWords,
  'nonce-changed': nonceChangedWords,
  'identity-added': identityAddedWords,
  'identity-changed': identityChangedWords,
  'identity-removed': identityRemovedWords,
  'slice-added': sliceAddedWords,
  'slice-removed': sliceRemovedWords,
  'resources-changed': resourcesChangedWords,
  'class-changed': classChangedWords,
  'request-changed': requestChangedWords,
  'node-changed': nodeChangedWords,
  'credentials-changed': credentialsChangedWords,
  'namespace-offloaded': namespaceOffloadedWords,
  'namespace-withdrawn': namespaceWithdrawnWords,
  'providers-changed': providersChangedWords,
  'pods-changed': podsChangedWords,
  'remote-name-changed': remoteNameChangedWords,
  'namespace-owner-changed': namespaceOwnerChangedWords,
  'node-network-changed': nodeNetworkChangedWords,
  'setting-changed': settingChangedWords,
  'gitops-changed': gitopsChangedWords,
  'delivery-changed': deliveryChangedWords,
  'assertion-changed': assertionChangedWords,
  'lock-changed': lockChangedWords,
  'layout-changed': layoutChangedWords,
  'annotations-changed': annotationsChangedWords,
  'files-changed': filesChangedWords,
};

export const wordsOf = <K extends DifferenceKind>(it: Difference<K>): ChangeWords<K> => WORDS[it.kind];
