import type { Difference, DifferenceKind } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { addressChangedWords } from './address-changed.ts';
import { alertsChangedWords } from './alerts-changed.ts';
import { annotationsChangedWords } from './annotations-changed.ts';
import { announcedChangedWords } from './announced-changed.ts';
import { assertionChangedWords } from './assertion-changed.ts';
import { authenticationAddedWords } from './authentication-added.ts';
import { authenticationChangedWords } from './authentication-changed.ts';
import { authenticationRemovedWords } from './authentication-removed.ts';
import { blockCarvedWords } from './block-carved.ts';
import { blockReturnedWords } from './block-returned.ts';
import { classChangedWords } from './class-changed.ts';
import { clusterAddedWords } from './cluster-added.ts';
import { clusterRemovedWords } from './cluster-removed.ts';
import { clusterRenamedWords } from './cluster-renamed.ts';
import { clusterRetiredWords } from './cluster-retired.ts';
import { clusterReturnedWords } from './cluster-returned.ts';
import { conditionChangedWords } from './condition-changed.ts';
import { credentialsChangedWords } from './credentials-changed.ts';
import { deliveryChangedWords } from './delivery-changed.ts';
import { filesChangedWords } from './files-changed.ts';
import { gitopsChangedWords } from './gitops-changed.ts';
import { historyChangedWords } from './history-changed.ts';
import { identityAddedWords } from './identity-added.ts';
import { identityChangedWords } from './identity-changed.ts';
import { identityRemovedWords } from './identity-removed.ts';
import { imagesChangedWords } from './images-changed.ts';
import { keyAddedWords } from './key-added.ts';
import { keyChangedWords } from './key-changed.ts';
import { keyRemovedWords } from './key-removed.ts';
import { layoutChangedWords } from './layout-changed.ts';
import { linkAddedWords } from './link-added.ts';
import { linkKindChangedWords } from './link-kind-changed.ts';
import { linkRemovedWords } from './link-removed.ts';
import { lockChangedWords } from './lock-changed.ts';
import { mtuChangedWords } from './mtu-changed.ts';
import { namesChangedWords } from './names-changed.ts';
import { namespaceOffloadedWords } from './namespace-offloaded.ts';
import { namespaceOwnerChangedWords } from './namespace-owner-changed.ts';
import { namespaceWithdrawnWords } from './namespace-withdrawn.ts';
import { nodeChangedWords } from './node-changed.ts';
import { nodeNetworkChangedWords } from './node-network-changed.ts';
import { nonceChangedWords } from './nonce-changed.ts';
import { orderChangedWords } from './order-changed.ts';
import { ownCidrChangedWords } from './own-cidr-changed.ts';
import { podsChangedWords } from './pods-changed.ts';
import { policyChangedWords } from './policy-changed.ts';
import { portChangedWords } from './port-changed.ts';
import { providersChangedWords } from './providers-changed.ts';
import { releaseChangedWords } from './release-changed.ts';
import { remoteNameChangedWords } from './remote-name-changed.ts';
import { requestChangedWords } from './request-changed.ts';
import { reservationChangedWords } from './reservation-changed.ts';
import { resourcesChangedWords } from './resources-changed.ts';
import { roleChangedWords } from './role-changed.ts';
import { serviceChangedWords } from './service-changed.ts';
import { settingChangedWords } from './setting-changed.ts';
import { shareAddedWords } from './share-added.ts';
import { shareRemovedWords } from './share-removed.ts';
import { sliceAddedWords } from './slice-added.ts';
import { sliceRemovedWords } from './slice-removed.ts';
import { templateChangedWords } from './template-changed.ts';
import { templateEditedWords } from './template-edited.ts';
import { viewMovedWords } from './view-moved.ts';

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
