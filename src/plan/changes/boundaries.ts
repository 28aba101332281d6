import { countOf, someOf } from '../../base/core/words.ts';
import { after, before, breaks, changeKind, follows, harmless, OF_CLUSTER } from '../change-kind.ts';
import { ENTRY_POINTS, inFolder, isPart } from '../plan-file.ts';

export const boundaryChanged = changeKind('boundary-changed')
  .decided({
    ...OF_CLUSTER,
    code: 'plan/breaks-flows',
    judge: ({ opened, closed, closedFromTheStart, policies, stale, gone, come }) => {
      const aside = [
        ...(come.length > 0 ? ([before('namespaces-first')] as const) : []),
        ...(gone.length > 0 ? ([after('look-for-policies')] as const) : []),
      ];
      if (stale.length > 0) return breaks('change', 'stays-in-force', before('empty-the-fence'), ...aside);
      if (closed.length > 0) return breaks('change', 'refuses-connections', after('look-for-refused'), ...aside);
      if (opened.length > 0) return harmless('change', 'lets-more-in', ...aside);
      if (closedFromTheStart.length > 0) return harmless('change', 'closed-from-the-start', ...aside);
      return policies > 0
        ? follows('change', 'follows-the-views', ...aside)
        : harmless('change', 'changes-no-rule', ...aside);
    },
    flows: () => [],
    explains: ({ cluster, paths }) => [
      inFolder(cluster, (file) => isPart(file, 'boundaries', 'kustomization') || paths.includes(file.path)),
      ENTRY_POINTS,
    ],
  })
  .worded({
    section: 'Boundaries',
    title: ({ cluster, opened, closed, closedFromTheStart, policies }) => {
      const refused = [...closed, ...closedFromTheStart];
      const changed = [
        ...(opened.length > 0 ? [`${cluster} lets through ${someOf(opened, NAMED, '; ')}`] : []),
        ...(refused.length > 0 ? [`${cluster} refuses ${someOf(refused, NAMED, '; ')}`] : []),
      ];
      if (changed.length > 0) return changed.join('; ');
      return policies > 0
        ? `${cluster} changes ${countOf(policies, 'policy', 'policies')} for other addresses`
        : `${cluster} changes fences that refuse nothing`;
    },
    why: {
      'stays-in-force': 'a fence that is deleted stays in force until the pod of its gateway restarts',
      'refuses-connections':
        'new connections that no entry of `boundaries` lists fail; a fence keeps open ones, and a policy may not',
      'lets-more-in': 'nothing that passes today is refused',
      'closed-from-the-start': 'the links are new, so nothing passed there before',
      'changes-no-rule': 'every connection may cross, before and after',
      'follows-the-views': 'the same connections may cross, under the addresses that are in use from now on',
    },
    steps: {
      'empty-the-fence': {
        what: 'set `boundary: open` first, and remove the key in a later change: that empties the fences, and a deleted one stays loaded',
        on: ({ cluster, stale }) => `${cluster} towards ${someOf(stale, NAMED)}`,
      },
      'look-for-refused': {
        what: 'look for connections that are refused now, and add what is missing to `boundaries`',
        on: ({ cluster }) => cluster,
      },
      'namespaces-first': {
        what: 'make sure that these namespaces exist when it is applied: Argo CD fails at the policy of a missing one, and Flux applies no policy of the cluster',
        on: ({ cluster, come }) => `${someOf(come, NAMED)} in ${cluster}`,
      },
      'look-for-policies': {
        what: 'delete the policies that are still there: Argo CD prunes nothing in a namespace that its project no longer allows',
        on: ({ cluster, gone }) => `${someOf(gone, NAMED)} in ${cluster}`,
        commands: ({ cluster, gone }) =>
          gone.map((namespace) => ({ run: 'delete-policies', cluster, namespace }) as const),
      },
    },
  });

/** The number of connections named in a title. */
const NAMED = 4;
