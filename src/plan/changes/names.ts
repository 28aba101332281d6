import { listOf } from '../../base/core/words.ts';
import { tenantNamespace } from '../../base/releases/labels.ts';
import { after, before, breaks, changeKind, harmless, OF_SIDE } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { flowsThroughTunnel } from '../flows.ts';
import { isMadeByLiqo, NAMED, type NamesState } from '../network-state.ts';
import { ENTRY_POINTS, type FileClaim, inFolder, isPart, type PlanFile, peerOf } from '../plan-file.ts';
import { deleteWithoutGateway } from '../step-command.ts';
import { COLLECT_KEYS_AGAIN, PROVE, SAVE_THE_VOLUMES, side, towards, viewIn, WITHDRAW } from './plain-words.ts';

export const namesChanged = changeKind('names-changed')
  .decided({
    ...OF_SIDE,
    code: 'plan/gateway-changes',
    // A new object is applied before the old one is pruned, and two for one peer are an error in every lookup of Liqo. In
    // addition, a node port cannot be taken twice, and a view is not free until the old Configuration is deleted. Source:
    // liqotech/liqo@v1.2.0 pkg/utils/getters, pkg/tenantNamespace.
    judge: ({ from, to, deleted }, { after: { fleet } }) => {
      const changed = new Set(NAMED.filter((it) => from[it] !== to[it]));
      const secret = changed.has('secret') ? [before('provide-the-secret')] : [];
      if (changed.has('namespace')) {
        return breaks(
          'change',
          deleted.length > 0 ? 'namespace-goes-with-what-is-shared' : 'moves-to-another-namespace',
          ...(deleted.length > 0 ? [before('save-the-volumes'), before('withdraw-in-a-change-before')] : []),
          ...(isMadeByLiqo(fleet) ? [after('collect-keys-again')] : [before('provide-the-secret')]),
          before('remove-the-old-objects-first'),
          after('compare-views'),
          after('delete-the-old-namespace'),
        );
      }
      if (changed.has('configuration')) {
        return breaks(
          'change',
          'views-are-asked-for-again',
          ...secret,
          before('remove-the-old-objects-first'),
          after('compare-views'),
        );
      }
      if (changed.has('gateway')) {
        const again = isMadeByLiqo(fleet) ? [after('collect-keys-again')] : [];
        return breaks('change', 'gateway-is-made-again', ...secret, before('remove-the-old-objects-first'), ...again);
      }
      return changed.has('secret')
        ? breaks('change', 'gateway-reads-another-secret', ...secret)
        : harmless('change', 'same-key-under-another-name');
    },
    flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
    explains: ({ cluster, peer }): readonly FileClaim[] => [
      ENTRY_POINTS,
      inFolder(cluster, (file) => isAbout(file, peer)),
      // A consumer's objects contain its namespace in the provider.
      inFolder(peer, (file) => isPart(file, 'expected') || isShared(file, cluster)),
    ],
  })
  .worded({
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
      'collect-keys-again': { what: COLLECT_KEYS_AGAIN, on: side },
      'remove-the-old-objects-first': {
        what: 'pause the GitOps tool of the cluster, delete the objects with the old names there, the gateway first, and then apply: two for one peer are an error, and while the old ones exist they hold ports and addresses',
        on: side,
      },
      'compare-views': {
        what: PROVE,
        on: viewIn,
      },
      'delete-the-old-namespace': {
        what: 'delete the old tenant namespace, which no tool prunes, once the gateway is deleted',
        on: ({ cluster, peer, from }) => `${from.namespace ?? tenantNamespace(peer)} in ${cluster}`,
        commands: ({ cluster, peer, from }) => [
          deleteWithoutGateway(cluster, from.namespace ?? tenantNamespace(peer), `gw-${from.gateway ?? peer}`),
        ],
      },
    },
  });

const isAbout = (file: PlanFile, peer: string): boolean =>
  isPart(file, 'expected') ||
  isShared(file, peer) ||
  (isPart(file, 'peer', 'node-rules') && peerOf(file) === peer) ||
  (file.place?.part === 'monitoring' && file.place.name === peer);

const isShared = ({ place }: PlanFile, remote: string): boolean => place?.part === 'sharing' && place.name === remote;

type NamesChanged = Difference<'names-changed'>;

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
