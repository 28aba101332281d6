import {
  ABOUT_FLEET,
  aboutCluster,
  before,
  breaks,
  changeKind,
  changesTrust,
  follows,
  harmless,
} from '../change-kind.ts';
import { demandId, isStronger } from '../demand.ts';
import { anywhere, inFolder } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';

export const deliveryChanged = changeKind('delivery-changed')({
  identity: ({ tool, cluster, setting }) => [tool, cluster ?? '*', setting],
  subject: ({ cluster }) => (cluster === null ? ABOUT_FLEET : aboutCluster(cluster)),
  code: 'plan/changes-trust',
  judge: ({ setting }) => {
    switch (setting) {
      case 'destination':
        return changesTrust('change', 'another-destination', before('check-the-destination'));
      case 'namespace':
      case 'project':
        return changesTrust('change', 'other-permissions', before('check-the-permissions'));
      default:
        return changesTrust('change', 'another-source', before('check-the-source'));
    }
  },
  flows: () => [],
  explains: ({ tool }) => [
    anywhere((file) =>
      tool === 'Argo CD' ? isPart(file, 'argocd') : isPart(file, 'flux', 'flux-source', 'flux-cluster'),
    ),
  ],
});

/**
 * New images of gateways. A gateway has the private key of its tunnels and NET_ADMIN. The difference of its template
 * reports the flows that its restart breaks.
 */
export const imagesChanged = changeKind('images-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/changes-trust',
  judge: () => changesTrust('change', 'gateways-run-them', before('check-the-images')),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'gateway-templates', 'kustomization'))],
});

export const assertionChanged = changeKind('assertion-changed')({
  identity: ({ from, to }) => [demandId(from), demandId(to)],
  subject: ({ from, to, spared }) => {
    const [first, ...others] = new Set([from, to].flatMap((it) => it?.named ?? []).concat(spared));
    return first === undefined ? ABOUT_FLEET : aboutCluster(first, others);
  },
  code: 'plan/demands-less',
  judge: ({ from, to, spared, isImplied }, { after }) => {
    if (from === null) return harmless('add', 'holds-already');
    if (to !== null && spared.length === 0 && isStronger(from, to)) return harmless('change', 'demands-more');
    const action = to === null ? 'remove' : 'change';
    if (isImplied) return harmless(action, 'another-demands-it');
    // A side with only a Service selects no clusters.
    const hasLeft = (side: readonly string[]): boolean =>
      side.length > 0 && side.every((it) => after.clusters.get(it)?.retired !== false);
    if (to === null && from.applies.some(hasLeft)) return follows('remove', 'its-clusters-leave');
    return breaks(action, 'nobody-notices', before('ask-who-relies-on-it'));
  },
  flows: () => [],
  explains: () => [],
});
