import {
  aboutCluster,
  aboutSide,
  before,
  breaks,
  changeKind,
  changesTrust,
  harmless,
  together,
} from '../change-kind.ts';
import { knowsTemplate } from '../compare-links.ts';
import type { Difference } from '../difference.ts';
import { hubFiles, inFolder } from '../file-claim.ts';
import { type Flows, flowsThatGain, flowsThatLose, flowsThroughTunnel } from '../flows.ts';
import { pairOf } from '../network-state.ts';
import { gatewayText, type PlanContext } from '../plan-context.ts';
import { isPart, peerOf, planFile } from '../plan-file.ts';

export const keyAdded = changeKind('key-added')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  judge: ({ cluster, peer }, { is, unknownKeys }) => {
    // Files do not show whether it is the key in use or one that takes its place.
    if (unknownKeys.was.has(gatewayText(cluster, peer)))
      return breaks('add', 'key-was-unknown', before('compare-with-live'));
    return is.areLinked(cluster, peer)
      ? harmless('add', 'tunnel-had-no-key', together('provide-the-secret'))
      : harmless('add', 'other-end-has-no-key', together('provide-the-secret'));
  },
  flows: ({ cluster, peer }, context) => flowsThatGain([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});

export const keyChanged = changeKind('key-changed')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  // A changed Secret does not restart the pod, which reads its key only when it starts; a changed PublicKey replaces the peer at once.
  judge: () => breaks('change', 'ends-have-different-keys', together('replace-secret'), together('apply-server-first')),
  flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});

export const keyRemoved = changeKind('key-removed')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  judge: () => breaks('remove', 'peer-loses-the-key', before('restore-key')),
  flows: ({ cluster, peer }, context) => flowsThatLose([cluster, peer], context),
  // The peer holds the public key.
  explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
});

export const templateChanged = changeKind('template-changed')({
  identity: ({ cluster, peer }) => [cluster, peer],
  subject: aboutSide,
  code: 'plan/gateway-changes',
  judge: ({ cluster, from, to }, { before: was, after: is }) =>
    knowsTemplate(was, cluster, from) && knowsTemplate(is, cluster, to)
      ? breaks('change', 'made-from-another-template', together('expect-a-late-restart'))
      : changesTrust(
          'change',
          'nobody-knows-its-images',
          before('check-the-template'),
          together('expect-a-late-restart'),
        ),
  flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
  explains: ({ cluster, peer }, context) => [
    ...hubFiles([cluster, peer], context),
    inFolder(cluster, (file) =>
      isPart(file, 'peer') ? peerOf(file) === peer : isPart(file, 'gateway-templates', 'kustomization', 'unordered'),
    ),
  ],
});

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
