import { changeKind } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { inFolder } from '../file-claim.ts';
import type { Flows } from '../flows.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { pairOf } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { isPart, planFile } from '../plan-file.ts';
import { aboutCluster } from '../subject.ts';
import { breaks, harmless } from '../verdict.ts';

export const templateEdited = changeKind('template-edited')({
  identity: ({ cluster, action }) => [cluster, action],
  subject: ({ cluster }) => aboutCluster(cluster),
  code: 'plan/gateway-changes',
  judge: ({ action }) => {
    switch (action) {
      case 'add':
        return harmless('add', 'there-before-its-gateways');
      case 'remove':
        return harmless('remove', 'unused-from-now-on');
      case 'change':
        return breaks('change', 'its-gateways-restart');
    }
  },
  flows: (it, context) => (it.action === 'change' ? flowsOf(it, context) : []),
  explains: ({ cluster }) => [
    inFolder(cluster, (file) => isPart(file, 'gateway-templates', 'kustomization', 'unordered')),
  ],
});

/** Traffic through the gateways that are made from these templates. Some templates are for one link alone. */
function flowsOf({ cluster, paths }: Difference<'template-edited'>, context: PlanContext): readonly Flows[] {
  const edited = new Set(paths.flatMap((it) => nameOf(it)));
  const peers = context.after.clusters.get(cluster)?.peers ?? [];
  return peers.flatMap((peer) => {
    const template = context.after.links.get(pairOf(cluster, peer))?.sides.get(cluster)?.template;
    const name = template?.slice(template.indexOf('/') + 1);
    return name !== undefined && edited.has(name) ? flowsThroughTunnel([cluster, peer], context) : [];
  });
}

function nameOf(path: string): readonly string[] {
  const { place } = planFile(path);
  return place?.part === 'gateway-templates' ? [place.name] : [];
}
