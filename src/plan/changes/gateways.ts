import { someOf } from '../../base/core/words.ts';
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
import type { Action, Difference, ValueChange } from '../difference.ts';
import { type Flows, flowsThatGain, flowsThatLose, flowsThroughTunnel } from '../flows.ts';
import { isMadeByLiqo, pairOf } from '../network-state.ts';
import { gatewayText, type PlanContext } from '../plan-context.ts';
import { hubFiles, inFolder, isPart, peerOf, planFile } from '../plan-file.ts';
import {
  APPLY_SERVER_FIRST,
  insteadOf,
  keyStart,
  placeIn,
  REPLACE_SECRET,
  shownValue,
  towards,
} from './plain-words.ts';

export const keyAdded = changeKind('key-added')
  .decided({
    identity: ({ cluster, peer }) => [cluster, peer],
    subject: aboutSide,
    code: 'plan/gateway-changes',
    judge: ({ cluster, peer }, { is, unknownKeys, after: { fleet } }) => {
      // Files do not show whether it is the key in use or one that takes its place.
      if (unknownKeys.was.has(gatewayText(cluster, peer)))
        return breaks('add', 'key-was-unknown', before('compare-with-live'));
      const secret = isMadeByLiqo(fleet) ? [] : [together('provide-the-secret')];
      return is.areLinked(cluster, peer)
        ? harmless('add', 'tunnel-had-no-key', ...secret)
        : harmless('add', 'other-end-has-no-key', ...secret);
    },
    flows: ({ cluster, peer }, context) => flowsThatGain([cluster, peer], context),
    // The peer holds the public key.
    explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
  })
  .worded({
    section: 'Keys',
    title: (it) => `${towards(it)}: its public key is known now, ${keyStart(it.to)}`,
    why: {
      'tunnel-had-no-key': 'without it the tunnel could not come up',
      'key-was-unknown':
        'the gateway has had a key that git did not know: if it is this one, nothing changes; with another one the tunnel is down until both ends have it',
      'other-end-has-no-key': 'the gateway at the other end has no public key yet, so the tunnel stays down',
    },
    steps: {
      'compare-with-live': {
        what: 'see whether this key is in use: from the cluster at the other end, `weft plan` shows no change of it',
        on: towards,
        commands: ({ peer }) => [{ run: 'plan', clusters: [peer] }],
      },
      'provide-the-secret': {
        what: 'provide the Secrets with the private keys',
        on: (it) => placeIn(it, it.cluster, it.peer),
      },
    },
  });

export const keyChanged = changeKind('key-changed')
  .decided({
    identity: ({ cluster, peer }) => [cluster, peer],
    subject: aboutSide,
    code: 'plan/gateway-changes',
    // A changed Secret does not restart the pod, which reads its key only when it starts; a changed PublicKey replaces the peer at once.
    judge: (_, { after: { fleet } }) =>
      isMadeByLiqo(fleet)
        ? changesTrust('change', 'another-key', before('collect-the-key'))
        : changesTrust(
            'change',
            'another-key',
            before('check-the-key'),
            together('replace-secret'),
            together('apply-server-first'),
          ),
    flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
    // The peer holds the public key.
    explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
  })
  .worded({
    section: 'Keys',
    title: (it) => `${towards(it)}: its public key is ${keyStart(it.to)} instead of ${keyStart(it.from)}`,
    why: {
      'another-key':
        'whoever has the private half of the new key is this cluster for its peer; the tunnel is down from the moment one end has the new key until the other has it, too',
    },
    steps: {
      'check-the-key': {
        what: 'make sure that `weft keys generate` made the new key, and that its private half is in the Secret of this gateway alone',
        on: towards,
      },
      'collect-the-key': {
        what: 'make sure that the gateway has made this key: `weft keys collect --check` reads it from its cluster',
        on: towards,
      },
      'replace-secret': {
        what: REPLACE_SECRET,
        on: towards,
      },
      'apply-server-first': {
        ...APPLY_SERVER_FIRST,
        on: ({ cluster, peer, server }) => APPLY_SERVER_FIRST.on({ ends: [cluster, peer], server }),
      },
    },
  });

export const keyRemoved = changeKind('key-removed')
  .decided({
    identity: ({ cluster, peer }) => [cluster, peer],
    subject: aboutSide,
    code: 'plan/gateway-changes',
    judge: () => breaks('remove', 'peer-loses-the-key', before('restore-key')),
    flows: ({ cluster, peer }, context) => flowsThatLose([cluster, peer], context),
    // The peer holds the public key.
    explains: ({ cluster, peer }) => [inFolder(peer, (file) => isPart(file, 'peer') && peerOf(file) === cluster)],
  })
  .worded({
    section: 'Keys',
    title: (it) => `${towards(it)}: its public key is no longer known, ${keyStart(it.from)}`,
    why: { 'peer-loses-the-key': 'the peer no longer has the key, and the tunnel cannot come up again' },
    steps: {
      'restore-key': {
        what: 'restore the key in the keys file, unless the tunnel is to stay down',
        on: towards,
      },
    },
  });

export const templateChanged = changeKind('template-changed')
  .decided({
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
