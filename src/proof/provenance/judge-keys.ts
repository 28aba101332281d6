import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { KeysDocument } from '../../fleet/topology/keys-document.ts';

interface KeysTexts {
  readonly head: KeysDocument | undefined;
  /** `undefined` for a base without readable keys. */
  readonly base: KeysDocument | undefined;
  /** Whether the topology links two clusters; then a plan shows the keys of their gateways. */
  readonly isLinked: (cluster: string, peer: string) => boolean;
}

/** A key that is new or another one has an effect on a link, which the plan shows. */
export function judgeKeys({ head, base, isLinked }: KeysTexts): readonly Diagnostic[] {
  const before = new Map(keysIn(base).map((it) => [it.id, it.key]));
  return keysIn(head).flatMap(({ cluster, peer, id, key, at }) => {
    if (before.get(id) === key || isLinked(cluster, peer)) return [];
    const message = `this key changes nothing: ${quoted(cluster)} and ${quoted(peer)} have no link`;
    return [
      diagnostic('provenance/key-without-effect', at, message, { hint: 'remove it, or add the link to the topology' }),
    ];
  });
}

const keysIn = (document: KeysDocument | undefined) =>
  (document?.reading.at('keys').entries() ?? []).flatMap(({ name: cluster, value: peers }) =>
    [...peers.scalars()].map(({ name: peer, value: key }) => ({
      cluster: cluster.value,
      peer: peer.value,
      id: `${cluster.value}/${peer.value}`,
      key: key.value,
      at: peer.at,
    })),
  );
