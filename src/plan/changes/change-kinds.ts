import type { ChangeKind, CodeOf } from '../change-kind.ts';
import type { Difference, DifferenceKind } from '../difference.ts';
import type { Verdict } from '../verdict.ts';
import { addressChanged } from './address-changed.ts';
import { alertsChanged } from './alerts-changed.ts';
import { annotationsChanged } from './annotations-changed.ts';
import { announcedChanged } from './announced-changed.ts';
import { assertionChanged } from './assertion-changed.ts';
import { authenticationAdded } from './authentication-added.ts';
import { authenticationChanged } from './authentication-changed.ts';
import { authenticationRemoved } from './authentication-removed.ts';
import { blockCarved } from './block-carved.ts';
import { blockReturned } from './block-returned.ts';
import { classChanged } from './class-changed.ts';
import { clusterAdded } from './cluster-added.ts';
import { clusterRemoved } from './cluster-removed.ts';
import { clusterRenamed } from './cluster-renamed.ts';
import { clusterRetired } from './cluster-retired.ts';
import { clusterReturned } from './cluster-returned.ts';
import { conditionChanged } from './condition-changed.ts';
import { credentialsChanged } from './credentials-changed.ts';
import { deliveryChanged } from './delivery-changed.ts';
import { filesChanged } from './files-changed.ts';
import { gitopsChanged } from './gitops-changed.ts';
import { historyChanged } from './history-changed.ts';
import { identityAdded } from './identity-added.ts';
import { identityChanged } from './identity-changed.ts';
import { identityRemoved } from './identity-removed.ts';
import { imagesChanged } from './images-changed.ts';
import { keyAdded } from './key-added.ts';
import { keyChanged } from './key-changed.ts';
import { keyRemoved } from './key-removed.ts';
import { layoutChanged } from './layout-changed.ts';
import { linkAdded } from './link-added.ts';
import { linkKindChanged } from './link-kind-changed.ts';
import { linkRemoved } from './link-removed.ts';
import { lockChanged } from './lock-changed.ts';
import { mtuChanged } from './mtu-changed.ts';
import { namesChanged } from './names-changed.ts';
import { namespaceOffloaded } from './namespace-offloaded.ts';
import { namespaceOwnerChanged } from './namespace-owner-changed.ts';
import { namespaceWithdrawn } from './namespace-withdrawn.ts';
import { nodeChanged } from './node-changed.ts';
import { nodeNetworkChanged } from './node-network-changed.ts';
import { nonceChanged } from './nonce-changed.ts';
import { orderChanged } from './order-changed.ts';
import { ownCidrChanged } from './own-cidr-changed.ts';
import { podsChanged } from './pods-changed.ts';
import { policyChanged } from './policy-changed.ts';
import { portChanged } from './port-changed.ts';
import { providersChanged } from './providers-changed.ts';
import { releaseChanged } from './release-changed.ts';
import { remoteNameChanged } from './remote-name-changed.ts';
import { requestChanged } from './request-changed.ts';
import { reservationChanged } from './reservation-changed.ts';
import { resourcesChanged } from './resources-changed.ts';
import { roleChanged } from './role-changed.ts';
import { serviceChanged } from './service-changed.ts';
import { settingChanged } from './setting-changed.ts';
import { shareAdded } from './share-added.ts';
import { shareRemoved } from './share-removed.ts';
import { sliceAdded } from './slice-added.ts';
import { sliceRemoved } from './slice-removed.ts';
import { templateChanged } from './template-changed.ts';
import { templateEdited } from './template-edited.ts';
import { viewMoved } from './view-moved.ts';

/** What is decided about each kind of change. `kinds` below does not compile while a kind has no entry. */
export const CHANGE_KINDS = {
  'cluster-added': clusterAdded,
  'cluster-removed': clusterRemoved,
  'cluster-renamed': clusterRenamed,
  'cluster-retired': clusterRetired,
  'cluster-returned': clusterReturned,
  'link-added': linkAdded,
  'link-removed': linkRemoved,
  'link-kind-changed': linkKindChanged,
  'role-changed': roleChanged,
  'port-changed': portChanged,
  'address-changed': addressChanged,
  'service-changed': serviceChanged,
  'mtu-changed': mtuChanged,
  'names-changed': namesChanged,
  'template-changed': templateChanged,
  'template-edited': templateEdited,
  'images-changed': imagesChanged,
  'alerts-changed': alertsChanged,
  'view-moved': viewMoved,
  'announced-changed': announcedChanged,
  'history-changed': historyChanged,
  'block-carved': blockCarved,
  'block-returned': blockReturned,
  'own-cidr-changed': ownCidrChanged,
  'key-added': keyAdded,
  'key-changed': keyChanged,
  'key-removed': keyRemoved,
  'reservation-changed': reservationChanged,
  'release-changed': releaseChanged,
  'order-changed': orderChanged,
  'share-added': shareAdded,
  'share-removed': shareRemoved,
  'condition-changed': conditionChanged,
  'policy-changed': policyChanged,
  'authentication-added': authenticationAdded,
  'authentication-changed': authenticationChanged,
  'authentication-removed': authenticationRemoved,
  'nonce-changed': nonceChanged,
  'identity-added': identityAdded,
  'identity-changed': identityChanged,
  'identity-removed': identityRemoved,
  'slice-added': sliceAdded,
  'slice-removed': sliceRemoved,
  'resources-changed': resourcesChanged,
  'class-changed': classChanged,
  'request-changed': requestChanged,
  'node-changed': nodeChanged,
  'credentials-changed': credentialsChanged,
  'namespace-offloaded': namespaceOffloaded,
  'namespace-withdrawn': namespaceWithdrawn,
  'providers-changed': providersChanged,
  'pods-changed': podsChanged,
  'remote-name-changed': remoteNameChanged,
  'namespace-owner-changed': namespaceOwnerChanged,
  'node-network-changed': nodeNetworkChanged,
  'setting-changed': settingChanged,
  'gitops-changed': gitopsChanged,
  'delivery-changed': deliveryChanged,
  'assertion-changed': assertionChanged,
  'lock-changed': lockChanged,
  'layout-changed': layoutChanged,
  'annotations-changed': annotationsChanged,
  'files-changed': filesChanged,
} as const;

/** A kind without an entry is taken for any other, so that the compiler reports the missing entry and no more. */
type VerdictOf<K extends DifferenceKind> = K extends keyof typeof CHANGE_KINDS
  ? ReturnType<(typeof CHANGE_KINDS)[K]['judge']>
  : Verdict;

/** The names of the reasons of a kind. */
export type ReasonOf<K extends DifferenceKind> = VerdictOf<K>['reason'];

/** The names of the steps of a kind. */
export type StepOf<K extends DifferenceKind> = VerdictOf<K>['steps'][number]['step'];

/** `false` for a kind that never breaks anything, `boolean` for one that may. */
export type DisruptiveOf<K extends DifferenceKind> = VerdictOf<K>['disruptive'];

/** What is decided about one kind, with the names of its reasons and steps. */
type DecidedKind<K extends DifferenceKind> = ChangeKind<
  K,
  ReasonOf<K>,
  StepOf<K>,
  DisruptiveOf<K>,
  CodeOf<DisruptiveOf<K>>
>;

/**
 * The same table, typed so that `table[it.kind]` has the type for the kind of `it`. A kind without an entry does not
 * compile, and neither does one that may break live flows and has no code.
 */
const kinds: { readonly [K in DifferenceKind]: DecidedKind<K> } = CHANGE_KINDS;

export const kindOf = <K extends DifferenceKind>(it: Difference<K>): DecidedKind<K> => kinds[it.kind];
