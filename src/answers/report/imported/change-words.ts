import { countOf } from '../../../base/core/words.ts';
import type { ChangeGroup, ChangeKind } from '../../../live/import/changes/change-group.ts';

interface Words {
  /** What applying does, with the number of objects. */
  readonly what: (objects: number) => string;
  /** What that means for the running network. */
  readonly effect: string;
}

const gateways = (count: number): string => countOf(count, 'gateway');
const objects = (count: number): string => countOf(count, 'object');

const WORDS: Readonly<Record<ChangeKind, Words>> = {
  'gitops-annotations': {
    what: (it) => `adds annotations for Argo CD and Flux to ${objects(it)}`,
    effect: 'only these tools read them',
  },
  'pod-security-labels': {
    what: (it) => `adds Pod Security labels to ${countOf(it, 'namespace')}`,
    effect: 'pods of gateways are admitted with them; those that run are not restarted',
  },
  'labels-and-annotations': {
    what: (it) => `changes labels or annotations of ${objects(it)}`,
    effect: 'pods are not restarted',
  },
  'names-secret': {
    what: (it) => `adds secretRef to ${gateways(it)}`,
    effect: 'it names the Secret that each uses already; no restart',
  },
  'names-node-port': {
    what: (it) => `adds nodePort to ${countOf(it, 'GatewayServer')}`,
    effect: 'it is the port that Kubernetes has chosen already; no restart',
  },
  mtu: { what: (it) => `changes the MTU of ${gateways(it)}`, effect: 'their pods restart, and the tunnel with them' },
  port: {
    what: (it) => `changes the port of ${countOf(it, 'GatewayServer')}`,
    effect: 'their pods restart, and clients must dial the new port',
  },
  dials: {
    what: (it) => `changes what ${countOf(it, 'GatewayClient')} ${it === 1 ? 'dials' : 'dial'}`,
    effect: 'their pods restart',
  },
  template: {
    what: (it) => `changes the template of ${objects(it)}`,
    effect: 'pods of gateways restart if it renders otherwise',
  },
  service: {
    what: (it) => `changes the Service of ${countOf(it, 'GatewayServer')}`,
    effect: 'its address or port may change with it',
  },
  'service-annotations': {
    what: (it) => `changes annotations or labels of Services in ${objects(it)}`,
    effect: 'no restart; the controller of a load balancer may read them',
  },
  'other-secret': {
    what: (it) => `changes the Secret with the keys of ${gateways(it)}`,
    effect: 'their pods restart with another key',
  },
  key: {
    what: (it) => `changes the key of the other end in ${countOf(it, 'PublicKey')}`,
    effect: 'the tunnel is down until both ends agree',
  },
  'remote-networks': {
    what: (it) => `changes the networks of a peer in ${countOf(it, 'Configuration')}`,
    effect: 'the view of that peer is given again, and may be another one',
  },
  view: {
    what: (it) => `expects another view in ${countOf(it, 'Configuration')}`,
    effect: 'applying does not move it; it is another one once the Configuration is created again',
  },
  created: { what: (it) => `creates ${objects(it)}`, effect: 'nothing that is there changes' },
  'made-by-liqo': {
    what: (it) => `expects ${objects(it)} of Liqo to be there or otherwise`,
    effect: 'Liqo makes them of what is applied',
  },
  'secret-missing': {
    what: (it) => `names ${countOf(it, 'Secret')} with keys that ${it === 1 ? 'is' : 'are'} not in the dumps`,
    effect: 'a gateway waits for its Secret',
  },
  extra: {
    what: (it) => `does not contain ${objects(it)}`,
    effect: 'they stay: neither Argo CD nor Flux deletes what it has not applied',
  },
  leaving: { what: (it) => `contains ${objects(it)} that are being deleted`, effect: 'they are created again' },
  'other-field': {
    what: (it) => `changes fields of ${objects(it)}`,
    effect: 'read them with "weft drift" before you apply',
  },
};

/** One line: what applying does, and what that means. */
export const changeWords = ({ kind, objects: count }: Pick<ChangeGroup, 'kind' | 'objects'>): string =>
  `${WORDS[kind].what(count)}: ${WORDS[kind].effect}`;
