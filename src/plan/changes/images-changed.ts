import { changeKind } from '../change-kind.ts';
import { inFolder } from '../file-claim.ts';
import { isPart } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { before, changesTrust } from '../verdict.ts';

/** A gateway has the private key of its tunnels and NET_ADMIN. Which flows its restart breaks is said of its template. */
export const imagesChanged = changeKind('images-changed')({
  identity: ({ cluster }) => [cluster],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/changes-trust',
  judge: () => changesTrust('change', 'gateways-run-them', before('check-the-images')),
  flows: () => [],
  explains: ({ cluster }) => [inFolder(cluster, (file) => isPart(file, 'gateway-templates', 'kustomization'))],
});
