import type { CodeOf, Verdict, WordedKind } from '../change-kind.ts';
import type { Difference, DifferenceKind } from '../difference.ts';
import {
  authenticationAdded,
  authenticationChanged,
  authenticationRemoved,
  identityAdded,
  identityChanged,
  identityRemoved,
  nonceChanged,
} from './authentication.ts';
import { boundaryChanged } from './boundaries.ts';
import { clusterAdded, clusterRemoved, clusterRenamed, clusterRetired, clusterReturned } from './clusters.ts';
import { addressChanged, portChanged, serviceChanged } from './endpoints.ts';
import {
  alertsChanged,
  annotationsChanged,
  filesChanged,
  gitopsChanged,
  layoutChanged,
  lockChanged,
  orderChanged,
  probersChanged,
} from './files.ts';
import { templateChanged, templateEdited } from './gateways.ts';
import { releaseChanged, settingChanged } from './installation.ts';
import { keyAdded, keyChanged, keyRemoved, keyRotated, nextKeyChanged } from './keys.ts';
import { linkAdded, linkKindChanged, linkRemoved, mtuChanged, roleChanged } from './links.ts';
import { namesChanged } from './names.ts';
import { blockCarved, blockReturned, ownCidrChanged, reservationChanged } from './networks.ts';
import {
  namespaceOffloaded,
  namespaceOwnerChanged,
  namespaceWithdrawn,
  podsChanged,
  providersChanged,
  remoteNameChanged,
} from './offloading.ts';
import { conditionChanged, policyChanged, shareAdded, shareRemoved } from './sharing.ts';
import {
  classChanged,
  credentialsChanged,
  nodeChanged,
  nodeNetworkChanged,
  requestChanged,
  resourcesChanged,
  sliceAdded,
  sliceRemoved,
} from './slices.ts';
import { assertionChanged, decisionPicked, deliveryChanged, imagesChanged } from './trust.ts';
import { announcedChanged, historyChanged, viewMoved } from './views.ts';

/** The decisions about each kind of change. `kinds` below does not compile while a kind has no entry. */
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
  'probers-changed': probersChanged,
  'boundary-changed': boundaryChanged,
  'view-moved': viewMoved,
  'announced-changed': announcedChanged,
  'history-changed': historyChanged,
  'block-carved': blockCarved,
  'block-returned': blockReturned,
  'own-cidr-changed': ownCidrChanged,
  'key-added': keyAdded,
  'key-changed': keyChanged,
  'key-removed': keyRemoved,
  'key-rotated': keyRotated,
  'next-key-changed': nextKeyChanged,
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
  'decision-picked': decisionPicked,
  'lock-changed': lockChanged,
  'layout-changed': layoutChanged,
  'annotations-changed': annotationsChanged,
  'files-changed': filesChanged,
} as const;

/**
 * The verdict of a kind. A kind without an entry gets a general type, so that the compiler reports the missing entry
 * and nothing else.
 */
type VerdictOf<K extends DifferenceKind> = K extends keyof typeof CHANGE_KINDS
  ? ReturnType<(typeof CHANGE_KINDS)[K]['judge']>
  : Verdict;

export type ReasonOf<K extends DifferenceKind> = VerdictOf<K>['reason'];

export type StepOf<K extends DifferenceKind> = VerdictOf<K>['steps'][number]['step'];

/** `false` for a kind that never breaks anything, `boolean` for one that may. */
export type DisruptiveOf<K extends DifferenceKind> = VerdictOf<K>['disruptive'];

/** The decisions about one kind, with the names of its reasons and steps. */
type DecidedKind<K extends DifferenceKind> = WordedKind<
  K,
  ReasonOf<K>,
  StepOf<K>,
  DisruptiveOf<K>,
  CodeOf<DisruptiveOf<K>>
>;

/**
 * `CHANGE_KINDS`, typed so that `table[it.kind]` has the type for the kind of `it`. A kind without an entry does not
 * compile, and neither does one that may break live flows and has no code.
 */
const kinds: { readonly [K in DifferenceKind]: DecidedKind<K> } = CHANGE_KINDS;

export const kindOf = <K extends DifferenceKind>(it: Difference<K>): DecidedKind<K> => kinds[it.kind];
