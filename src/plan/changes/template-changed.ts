import { changeKind } from '../change-kind.ts';
import { knowsTemplate } from '../compare-links.ts';
import { hubFiles, inFolder } from '../file-claim.ts';
import { flowsThroughTunnel } from '../flows-through.ts';
import { isPart, peerOf } from '../plan-file.ts';
import { aboutSide } from '../subject.ts';
import { before, breaks, changesTrust, together } from '../verdict.ts';

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
