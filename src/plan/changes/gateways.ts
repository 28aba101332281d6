import { someOf } from '../../base/core/words.ts';
import { aboutCluster, before, breaks, changeKind, changesTrust, harmless, OF_SIDE, together } from '../change-kind.ts';
import { knowsTemplate } from '../compare-links.ts';
import type { Action, Difference, ValueChange } from '../difference.ts';
import { type Flows, flowsThroughTunnel } from '../flows.ts';
import { pairOf } from '../network-state.ts';
import type { PlanContext } from '../plan-context.ts';
import { hubFiles, inFolder, isPart, peerOf, planFile } from '../plan-file.ts';
import { insteadOf, shownValue, towards } from './plain-words.ts';

export const templateChanged = changeKind('template-changed')
  .decided({
    ...OF_SIDE,
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
  })
  .worded({
    section: 'Gateways',
    title: (it) => `${towards(it)}: made from template ${it.to} instead of ${it.from}`,
    why: {
      'made-from-another-template': 'the gateway is made from another template: its pods restart',
      'nobody-knows-its-images':
        'the gateway is made from a template that is not in the bundle: its pods restart with whatever images and permissions that has, or had',
    },
    steps: {
      'check-the-template': { what: 'look at the images of both templates', on: towards },
      'expect-a-late-restart': {
        what: 'expect a delay: Liqo reads templates only when it reconciles the gateway',
        on: towards,
      },
    },
  });

export const templateEdited = changeKind('template-edited')
  .decided({
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
  })
  .worded({
    section: 'Gateways',
    title: ({ cluster, action, values }) => {
      const all = values.map((it) => valueWords(it, action));
      const what = all.length === 0 ? '' : `: ${someOf(all, NAMED_VALUES, '; ')}`;
      switch (action) {
        case 'add':
          return `${cluster} gets its own gateway template${what}`;
        case 'change':
          return `the gateway template of ${cluster} changes${what}`;
        case 'remove':
          return `${cluster} no longer has its own gateway template${what}`;
      }
    },
    why: {
      'there-before-its-gateways': 'it exists before the gateways that use it',
      'unused-from-now-on': 'no gateway uses it any more',
      'its-gateways-restart': 'all gateways made from it restart when Liqo next reconciles them',
    },
    steps: {},
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

/** The number of values named in one line; values that decide where the pods run come first. */
const NAMED_VALUES = 20;

const valueWords = ({ what, from, to }: ValueChange, action: Action): string =>
  `${what} ${action === 'change' ? insteadOf({ from, to }, 'none') : shownValue(from ?? to ?? '')}`;
