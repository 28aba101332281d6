import { countOf, someOf } from '../../base/core/words.ts';
import { aboutCluster, after, breaks, changeKind, follows, harmless } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder, isPart } from '../plan-file.ts';

export const boundaryChanged = changeKind('boundary-changed')
  .decided({
    identity: ({ cluster }) => [cluster],
    subject: ({ cluster }) => aboutCluster(cluster),
    code: 'plan/breaks-flows',
    judge: ({ opened, closed }) => {
      if (closed.length > 0) return breaks('change', 'refuses-connections', after('look-for-refused'));
      return opened.length > 0 ? harmless('change', 'lets-more-in') : follows('change', 'follows-the-views');
    },
    flows: () => [],
    explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'boundaries', 'kustomization')), ENTRY_POINTS],
  })
  .worded({
    section: 'Boundaries',
    title: ({ cluster, opened, closed, policies }) =>
      [
        ...(opened.length > 0 ? [`${cluster} lets through ${someOf(opened, NAMED, '; ')}`] : []),
        ...(closed.length > 0 ? [`${cluster} refuses ${someOf(closed, NAMED, '; ')}`] : []),
        ...(opened.length + closed.length === 0 ? [`${countOf(policies, 'policy', 'policies')} of ${cluster}`] : []),
      ].join('; '),
    why: {
      'refuses-connections':
        'new connections that no entry of `boundaries` lists fail; whether open ones go on depends on the network plugin',
      'lets-more-in': 'nothing that passes today is refused',
      'follows-the-views': 'the same connections may cross, under the addresses that the cluster sees from now on',
    },
    steps: {
      'look-for-refused': {
        what: 'look for connections that are refused now, and add what is missing to `boundaries`',
        on: ({ cluster }) => cluster,
      },
    },
  });

/** The number of connections named in a title. */
const NAMED = 4;
