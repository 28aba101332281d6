import { aboutShare, idOfShare } from '../about-share.ts';
import { changeKind } from '../change-kind.ts';
import { ENTRY_POINTS } from '../file-claim.ts';
import { shareAndNamespaceFiles } from '../share-files.ts';
import { after, before, harmless, together } from '../verdict.ts';

export const shareAdded = changeKind('share-added')({
  identity: idOfShare,
  subject: aboutShare,
  code: null,
  judge: ({ policy, endpoint, consumer }, { unknownKeys }) => {
    if (policy === 'TolerateNoHandshake')
      return harmless('add', 'comes-with-credentials', together('provide-kubeconfig'));
    if (policy === null && unknownKeys.is.has(consumer)) return harmless('add', 'key-is-not-known');
    if (policy === null)
      return harmless('add', 'consumer-has-no-key', before('generate-keys'), after('collect-identity'));
    return endpoint === null
      ? harmless('add', 'provider-has-not-answered', after('collect-identity'))
      : harmless('add', 'both-halves-are-known', before('check-the-endpoint'));
  },
  flows: () => [],
  explains: (it) => [...shareAndNamespaceFiles(it), ENTRY_POINTS],
});
