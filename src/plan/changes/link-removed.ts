import { changeKind } from '../change-kind.ts';
import { flowsThatLose } from '../flows-through.ts';
import { linkFiles } from '../link-files.ts';
import { shareOf } from '../sharing-state.ts';
import { aboutLink } from '../subject.ts';
import { after, before, breaks, together } from '../verdict.ts';

export const linkRemoved = changeKind('link-removed')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: 'plan/link-removed',
  judge: ({ link: { ends, sides } }, { was, is, after: { clusters, sharing }, asked, reinstalled }) => {
    // The tenant namespace is never pruned, and if it is deleted first, finalizers never complete. Where one end goes on
    // lending to the other, it is still in use.
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
