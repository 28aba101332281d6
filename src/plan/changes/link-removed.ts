import { changeKind } from '../change-kind.ts';
import { flowsThatLose } from '../flows-through.ts';
import { linkFiles } from '../link-files.ts';
import { aboutLink } from '../subject.ts';
import { after, before, breaks, together } from '../verdict.ts';

export const linkRemoved = changeKind('link-removed')({
  identity: ({ link }) => link.ends,
  subject: ({ link }) => aboutLink(link.ends),
  code: 'plan/link-removed',
  // The tenant namespace is never pruned, and if it is deleted first, finalizers never complete.
  judge: ({ link: { ends } }, { was, is }) =>
    was.areLinked(...ends) && is.reach(...ends)
      ? breaks(
          'remove',
          'addresses-stop-working',
          before('stop-using-its-addresses'),
          together('prune-gateways-first'),
          after('delete-tenant-namespaces'),
        )
      : breaks('remove', 'tunnel-is-removed', together('prune-gateways-first'), after('delete-tenant-namespaces')),
  flows: ({ link }, context) => flowsThatLose(link.ends, context),
  explains: ({ link }) => linkFiles(link),
});
