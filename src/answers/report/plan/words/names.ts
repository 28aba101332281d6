import { listOf } from '../../../../base/core/words.ts';
import { tenantNamespace } from '../../../../base/releases/labels.ts';
import type { Difference } from '../../../../plan/difference.ts';
import { NAMED, type NamesState } from '../../../../plan/network-state.ts';
import type { ChangeWords } from '../change-words.ts';
import { SAVE_THE_VOLUMES, WITHDRAW } from './plain-sharing.ts';
import { COMPARE_VIEWS, side, towards } from './plain-words.ts';

type NamesChanged = Difference<'names-changed'>;

export const namesChangedWords: ChangeWords<'names-changed'> = {
  section: 'Gateways',
  title: (it) => `${towards(it)}: ${listOf(nameDifferences(it))}`,
  why: {
    'moves-to-another-namespace':
      'the gateway, its key and the Configuration are made again in another namespace: the tunnel is down meanwhile, and every view is asked for again',
    'namespace-goes-with-what-is-shared':
      'the gateway, the Configuration and everything that the two clusters share are made again in another namespace: Liqo deletes what was offloaded, and every view is asked for again',
    'views-are-asked-for-again':
      'the Configuration is removed and made again: Liqo asks for its views again, and the tunnel carries nothing meanwhile',
    'gateway-is-made-again':
      'the gateway is removed and made again, with its Service: the tunnel is down meanwhile, and a load balancer may get another address',
    'gateway-reads-another-secret': 'the gateway reads another Secret, and stays down until it exists',
    'same-key-under-another-name': 'the public key is the same, so the tunnel continues',
  },
  steps: {
    'save-the-volumes': SAVE_THE_VOLUMES,
    'withdraw-in-a-change-before': WITHDRAW,
    'provide-the-secret': {
      what: "provide the Secret with the private key where the gateway reads it, and remove the old one: two with Liqo's labels in a namespace are an error",
      on: ({ cluster, peer, to }) => `${to.namespace ?? tenantNamespace(peer)} in ${cluster}`,
    },
    'remove-the-old-objects-first': {
      what: 'pause the GitOps tool of the cluster, delete the objects with the old names there, the gateway first, and then apply: two for one peer are an error, and while the old ones exist they hold ports and addresses',
      on: side,
    },
    'compare-views': {
      what: COMPARE_VIEWS,
      on: side,
    },
    'delete-the-old-namespace': {
      what: 'delete the old tenant namespace, which no tool prunes, once the gateway is deleted',
      on: ({ cluster, peer, from }) => `${from.namespace ?? tenantNamespace(peer)} in ${cluster}`,
    },
  },
};

const WORDS: Readonly<Record<keyof NamesState, string>> = {
  namespace: 'its namespace',
  configuration: 'the Configuration',
  gateway: 'the gateway',
  publicKey: 'the PublicKey',
  secret: 'the key Secret',
};

function nameDifferences({ peer, from, to }: NamesChanged): readonly string[] {
  const usual: Readonly<Record<keyof NamesState, string>> = {
    namespace: tenantNamespace(peer),
    configuration: peer,
    gateway: peer,
    publicKey: peer,
    secret: "the fleet's",
  };
  return NAMED.filter((it) => from[it] !== to[it]).map(
    (it) => `${WORDS[it]} is ${to[it] ?? usual[it]} instead of ${from[it] ?? usual[it]}`,
  );
}
