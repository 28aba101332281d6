import { listOf } from '../../base/core/words.ts';
import { aboutLink, after, before, breaks, changeKind, harmless, OF_LINK, together } from '../change-kind.ts';
import { flowsThatGain, flowsThatLose, flowsThroughTunnel } from '../flows.ts';
import { isMadeByLiqo, type LinkState, portsOf, type SideState, shareOf } from '../network-state.ts';
import { ADDRESSES, hubFiles, linkFiles, tunnelFiles } from '../plan-file.ts';
import {
  APPLY_SERVER_FIRST,
  both,
  COLLECT_KEYS,
  COLLECT_KEYS_AGAIN,
  deleteTenantNamespaces,
  FORWARD_PORT,
  forwardedFor,
  isForwarded,
  LINK_WORDS,
  OPEN_PORT,
  openedFor,
  PROVE,
  placesOf,
  plainLink,
  settingsWords,
  untilWithoutGateways,
  viewIn,
} from './plain-words.ts';

export const linkAdded = changeKind('link-added')
  .decided({
    identity: ({ link }) => link.ends,
    subject: ({ link }) => aboutLink(link.ends),
    code: null,
    judge: ({ link }, { was, is, asked, after: { fleet } }) => {
      const { ends, sides } = link;
      const port = before(isForwarded(portsOf(link)) ? 'forward-port' : 'open-port');
      const mayDiffer = [...sides.values()].some(
        (it) =>
          asked.ofOthers(it.cluster, it.peer).some((one) => one.isAgain) || asked.takenFromLeavers.has(it.cluster),
      );
      // Views that are requested again at the same time may get other addresses, and so may those of this link.
      const compared = mayDiffer ? [after('compare-views')] : [];
      const isKeyless = !is.areLinked(...ends);
      if (isKeyless && isMadeByLiqo(fleet))
        return harmless('add', 'carries-nothing-without-keys', port, after('collect-keys'), ...compared);
      const rest = [...(isMadeByLiqo(fleet) ? [] : [together('provide-secrets')]), ...compared];
      if (isKeyless) return harmless('add', 'carries-nothing-without-keys', before('generate-keys'), port, ...rest);
      return was.reach(...ends)
        ? harmless('add', 'beside-the-way-through-others', port, ...rest)
        : harmless('add', 'unused-so-far', port, ...rest);
    },
    flows: ({ link }, context) => flowsThatGain(link.ends, context),
    explains: ({ link }) => linkFiles(link),
  })
  .worded({
    section: 'Links',
    title: ({ link }) =>
      `${both(link)}: new ${LINK_WORDS[link.kind]}, ${link.client} dials ${link.server} at ${link.address}:${link.port}, MTU ${link.mtuBytes}${newServiceWords(link)}`,
    why: {
      'beside-the-way-through-others':
        'flows through another cluster continue; new ones may take the direct link and have another source address',
      'carries-nothing-without-keys': 'no packet passes until both gateways have a public key in the keys file',
      'unused-so-far': 'no traffic uses it yet',
    },
    steps: {
      'generate-keys': { what: 'run `weft keys generate`, and commit the keys file', on: ({ link }) => both(link) },
      'collect-keys': { what: COLLECT_KEYS, on: ({ link }) => both(link) },
      'open-port': { what: OPEN_PORT, on: ({ link }) => openedFor(link) },
      'forward-port': { what: FORWARD_PORT, on: ({ link }) => forwardedFor({ ...link, ports: portsOf(link) }) },
      'compare-views': { what: PROVE, on: ({ link }) => [...link.sides.values()].map(viewIn).join('; ') },
      'provide-secrets': {
        what: 'provide the Secrets with the private keys',
        on: (it) => placesOf(it, it.link.ends),
      },
    },
    fields: ({ link }) => ({ link: plainLink(link) }),
  });

export const linkRemoved = changeKind('link-removed')
  .decided({
    identity: ({ link }) => link.ends,
    subject: ({ link }) => aboutLink(link.ends),
    code: 'plan/link-removed',
    judge: ({ link: { ends, sides } }, { was, is, after: { clusters, sharing, fleet }, asked, reinstalled }) => {
      // The tenant namespace is never pruned, and if it is deleted first, finalizers never complete. It is still in use
      // when one end continues to lend to the other.
      const isShared = sharing.shares.has(shareOf(...ends)) || sharing.shares.has(shareOf(ends[1], ends[0]));
      const stays = [...sides.values()].filter((it) => clusters.has(it.cluster) && !reinstalled.has(it.cluster));
      // Flux has a Kustomization for each ordered link, which waits for others, and prunes meanwhile. Argo CD prunes an ordered
      // Configuration in its own wave, in which the next one is applied.
      const others = stays.flatMap((it) => asked.ofOthers(it.cluster, it.peer));
      const hasTool = fleet.tools.flux !== null || fleet.tools.argo !== null;
      const isPrunedEarly = hasTool && others.some((it) => it.orderDependent);
      const order = stays.some((it) => asked.takenFromLeavers.has(it.cluster))
        ? [together('delete-before-applying')]
        : others.length > 0
          ? [...(isPrunedEarly ? [before('add-in-a-change-before')] : []), together('apply-before-pruning')]
          : [together('prune-gateways-first')];
      const steps = [...order, ...(isShared ? [] : [after('delete-tenant-namespaces')])];
      return was.areLinked(...ends) && is.reach(...ends)
        ? breaks('remove', 'addresses-stop-working', before('stop-using-its-addresses'), ...steps)
        : breaks('remove', 'tunnel-is-removed', ...steps);
    },
    flows: ({ link }, context) => flowsThatLose(link.ends, context),
    explains: ({ link }) => linkFiles(link),
  })
  .worded({
    section: 'Links',
    title: ({ link }) => `${both(link)}: the ${LINK_WORDS[link.kind]} is removed`,
    why: {
      'tunnel-is-removed': 'the tunnel is removed, and every flow over it stops',
      'addresses-stop-working':
        'the tunnel is removed, and the addresses that it gave stop working: the way that is left has others',
    },
    steps: {
      'stop-using-its-addresses': {
        what: 'make sure that nothing uses these addresses any more',
        on: ({ link }) => [...link.sides.values()].map(addressesOf).join('; '),
      },
      'add-in-a-change-before': {
        what: 'add what is new in a change of its own before this one, and wait until it is as compiled: Argo CD and Flux can prune what leaves before they apply a link that waits for its turn, which then gets other addresses',
        on: ({ link }) => both(link),
      },
      'prune-gateways-first': {
        what: 'prune gateways first, then Configurations (the sync waves do that in Argo CD)',
        on: ({ link }) => both(link),
      },
      'apply-before-pruning': {
        what: 'apply, and only then prune what leaves, gateways first and then Configurations (Argo CD and Flux do that): the views of new peers were chosen while what leaves still holds its addresses',
        on: ({ link }) => both(link),
      },
      'delete-before-applying': {
        what: 'pause the GitOps tools of the clusters that stay, delete the gateways and then the Configurations of what leaves there, and then apply: other peers get its addresses, which it holds until then',
        on: ({ link }) => both(link),
      },
      'delete-tenant-namespaces': {
        what: 'delete the tenant namespaces, which no tool prunes, once the gateways are deleted',
        on: (it) => placesOf(it, it.link.ends),
        commands: (it) => deleteTenantNamespaces(it, it.link.ends),
      },
    },
    fields: ({ link }) => ({ link: plainLink(link) }),
  });

/** A link with another kind: hub link, peering or shortcut. */
export const linkKindChanged = changeKind('link-kind-changed')
  .decided({
    ...OF_LINK,
    code: null,
    judge: () => harmless('change', 'tunnel-stays'),
    flows: () => [],
    explains: ({ ends }, context) => [ADDRESSES, ...hubFiles(ends, context)],
  })
  .worded({
    section: 'Links',
    title: (it) => `${both(it)}: a ${LINK_WORDS[it.to]} instead of a ${LINK_WORDS[it.from]}`,
    why: { 'tunnel-stays': 'the tunnel stays as it is; only the reason for it changes' },
    steps: {},
  });

export const roleChanged = changeKind('role-changed')
  .decided({
    ...OF_LINK,
    code: 'plan/gateway-changes',
    // Both kinds of gateway have the same name; a new gateway next to the old one would be a second one for the same
    // remote ID.
    judge: ({ link }, { after: { fleet } }) =>
      breaks(
        'change',
        'roles-swap',
        before(isForwarded(portsOf(link)) ? 'forward-port' : 'open-port'),
        together('replace-gateways'),
        ...(isMadeByLiqo(fleet) ? [after('collect-keys-again')] : []),
      ),
    flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
    explains: ({ ends }, context) =>
      tunnelFiles(ends, context, ['expected', 'gateway-templates', 'kustomization', 'unordered']),
  })
  .worded({
    section: 'Gateways',
    title: (it) =>
      `${both(it)}: ${it.to} serves instead of ${it.from}, which dials ${it.link.address}:${it.link.port} now${newServiceWords(it.link)}`,
    why: { 'roles-swap': 'server and client swap: both gateways must be deleted before the new ones are created' },
    steps: {
      'open-port': { what: OPEN_PORT, on: ({ link }) => openedFor(link) },
      'forward-port': { what: FORWARD_PORT, on: ({ link }) => forwardedFor({ ...link, ports: portsOf(link) }) },
      'replace-gateways': {
        what: 'delete the old gateways at both ends, wait until their Deployments are gone, and let the GitOps tools create the new ones',
        on: both,
        commands: (it) => untilWithoutGateways(it, it.ends),
      },
      'collect-keys-again': { what: COLLECT_KEYS_AGAIN, on: both },
    },
    fields: ({ link }) => ({ link: plainLink(link) }),
  });

export const mtuChanged = changeKind('mtu-changed')
  .decided({
    ...OF_LINK,
    code: 'plan/gateway-changes',
    judge: () => breaks('change', 'both-gateways-restart', together('apply-server-first')),
    flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
    explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
  })
  .worded({
    section: 'Gateways',
    title: (it) => `${both(it)}: MTU ${it.to} instead of ${it.from}`,
    why: {
      'both-gateways-restart':
        'the gateway pods of both ends restart, and while the ends differ large packets are lost',
    },
    steps: { 'apply-server-first': APPLY_SERVER_FIRST },
  });

/** The Service of a new server, if it is another than the plain one behind a node port. */
function newServiceWords({ service }: LinkState): string {
  if (service === null) return '';
  const settings = settingsWords(service);
  return service.type === 'NodePort' && settings === '' ? '' : `, ${service.type} Service${settings}`;
}

const addressesOf = ({ cluster, peer, views }: SideState): string =>
  `${listOf(views.map((it) => it.seenAs))} for ${peer} in ${cluster}`;
