import { tenantNamespace } from '../../base/releases/labels.ts';
import { after, before, breaks, changeKind, changesTrust, harmless, OF_SIDE, together } from '../change-kind.ts';
import type { Difference } from '../difference.ts';
import { flowsThatGain, flowsThatLose, flowsThroughTunnel } from '../flows.ts';
import { isMadeByLiqo } from '../network-state.ts';
import { gatewayText } from '../plan-context.ts';
import { inFolder, isPart, peerOf } from '../plan-file.ts';
import { APPLY_SERVER_FIRST, keyStart, placeIn, REPLACE_SECRET, towards } from './plain-words.ts';

export const keyAdded = changeKind('key-added')
  .decided({
    ...OF_SIDE,
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
    ...OF_SIDE,
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
    ...OF_SIDE,
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

type Rotated = Difference<'key-rotated'>;

const tenantOf = ({ namespace, peer }: Rotated): string => namespace ?? tenantNamespace(peer);

export const keyRotated = changeKind('key-rotated')
  .decided({
    ...OF_SIDE,
    code: 'plan/gateway-changes',
    // With both labelled, Liqo returns an error before it touches the Deployment: the old pod goes on with the old key. An
    // operator puts labels back, and removes the Secret together with its source.
    judge: (_, { after: { fleet } }) =>
      changesTrust(
        'change',
        'next-generation',
        before('next-secret-is-there'),
        ...(fleet.keySource === 'external' ? [] : [before('take-the-label-off'), after('delete-the-former-secret')]),
        together('apply-server-first'),
      ),
    flows: ({ cluster, peer }, context) => flowsThroughTunnel([cluster, peer], context),
    // The peer holds the public key, and the gateway names the Secret.
    explains: ({ cluster, peer }) =>
      [[peer, cluster] as const, [cluster, peer] as const].map(([folder, other]) =>
        inFolder(folder, (file) => isPart(file, 'peer') && peerOf(file) === other),
      ),
  })
  .worded({
    section: 'Keys',
    title: (it) =>
      `${towards(it)}: its key is ${keyStart(it.to)} in ${it.secret.to} instead of ${keyStart(it.from)} in ${it.secret.from}`,
    why: {
      'next-generation':
        'the gateway starts again with the other Secret; the tunnel is down from the moment one end has its new key until the other has it, too',
    },
    steps: {
      'next-secret-is-there': {
        what: 'make sure that the Secret with the next key is in its cluster',
        on: (it) => `${it.secret.to} in ${tenantOf(it)} in ${it.cluster}`,
      },
      'take-the-label-off': {
        what: "just before, take Liqo's label off the Secret in use: the running gateway keeps its key, and Liqo then finds only the next one",
        on: towards,
        commands: (it) => [
          { run: 'unlabel-secret', cluster: it.cluster, namespace: tenantOf(it), secret: it.secret.from },
        ],
      },
      'apply-server-first': {
        ...APPLY_SERVER_FIRST,
        on: ({ cluster, peer, server }) => APPLY_SERVER_FIRST.on({ ends: [cluster, peer], server }),
      },
      'delete-the-former-secret': {
        what: 'delete the former Secret once both ends are connected again',
        on: towards,
        commands: (it) => [
          { run: 'delete-secret', cluster: it.cluster, namespace: tenantOf(it), secret: it.secret.from },
        ],
      },
    },
  });

export const nextKeyChanged = changeKind('next-key-changed')
  .decided({
    ...OF_SIDE,
    code: null,
    judge: ({ from, to }) => harmless(to === null ? 'remove' : from === null ? 'add' : 'change', 'no-gateway-uses-it'),
    flows: () => [],
    explains: ({ cluster, peer }) => [inFolder(cluster, (file) => isPart(file, 'peer') && peerOf(file) === peer)],
  })
  .worded({
    section: 'Keys',
    title: (it) =>
      it.to === null
        ? `${towards(it)}: the Secret ${it.from ?? ''} with its next key is not made any more`
        : `${towards(it)}: the Secret ${it.to} with its next key is made from the store`,
    why: { 'no-gateway-uses-it': 'no gateway uses it yet, and Liqo does not find it' },
    steps: {},
  });
