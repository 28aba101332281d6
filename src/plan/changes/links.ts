import { aboutLink, after, before, breaks, changeKind, harmless, together } from '../change-kind.ts';
import { ADDRESSES, hubFiles, linkFiles, tunnelFiles } from '../file-claim.ts';
import { flowsThatGain, flowsThatLose, flowsThroughTunnel } from '../flows.ts';
import { shareOf } from '../sharing-state.ts';

export const linkAdded = changeKind('link-added')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: null,
  judge: ({ link: { ends, sides } }, { was, is, asked }) => {
    const port = before('open-port');
    const mayDiffer = [...sides.values()].some(
      (it) => asked.ofOthersAgain(it.cluster, it.peer) || asked.takenFromLeavers.has(it.cluster),
    );
    // Views that are requested again at the same time may get other addresses, and so may those of this link.
    const rest = [together('provide-secrets'), ...(mayDiffer ? [after('compare-views')] : [])];
    if (!is.areLinked(...ends))
      return harmless('add', 'carries-nothing-without-keys', before('generate-keys'), port, ...rest);
    return was.reach(...ends)
      ? harmless('add', 'beside-the-way-through-others', port, ...rest)
      : harmless('add', 'unused-so-far', port, ...rest);
  },
  flows: ({ link }, context) => flowsThatGain(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});

export const linkRemoved = changeKind('link-removed')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: 'plan/link-removed',
  judge: ({ link: { ends, sides } }, { was, is, after: { clusters, sharing }, asked, reinstalled }) => {
    // The tenant namespace is never pruned, and if it is deleted first, finalizers never complete. It is still in use
    // when one end continues to lend to the other.
    const isShared = sharing.shares.has(shareOf(...ends)) || sharing.shares.has(shareOf(ends[1], ends[0]));
    const stays = [...sides.values()].filter((it) => clusters.has(it.cluster) && !reinstalled.has(it.cluster));
    const order = stays.some((it) => asked.takenFromLeavers.has(it.cluster))
      ? together('delete-before-applying')
      : stays.some((it) => asked.ofOthers(it.cluster, it.peer))
        ? together('apply-before-pruning')
        : together('prune-gateways-first');
    const steps = [order, ...(isShared ? [] : [after('delete-tenant-namespaces')])];
    return was.areLinked(...ends) && is.reach(...ends)
      ? breaks('remove', 'addresses-stop-working', before('stop-using-its-addresses'), ...steps)
      : breaks('remove', 'tunnel-is-removed', ...steps);
  },
  flows: ({ link }, context) => flowsThatLose(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});

/** A link with another kind: hub link, peering or shortcut. */
export const linkKindChanged = changeKind('link-kind-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: null,
  judge: () => harmless('change', 'tunnel-stays'),
  flows: () => [],
  explains: ({ ends }, context) => [ADDRESSES, ...hubFiles(ends, context)],
});

export const roleChanged = changeKind('role-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  // Both kinds of gateway have the same name; a new gateway next to the old one would be a second one for the same
  // remote ID.
  judge: () => breaks('change', 'roles-swap', before('open-port'), together('replace-gateways')),
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) =>
    tunnelFiles(ends, context, ['expected', 'gateway-templates', 'kustomization', 'unordered']),
});

export const mtuChanged = changeKind('mtu-changed')({
  identity: ({ ends }) => ends,
  subject: ({ ends }) => aboutLink(ends),
  code: 'plan/gateway-changes',
  judge: () => breaks('change', 'both-gateways-restart', together('apply-server-first')),
  flows: ({ ends }, context) => flowsThroughTunnel(ends, context),
  explains: ({ ends }, context) => tunnelFiles(ends, context, ['expected', 'gateway-templates']),
});
