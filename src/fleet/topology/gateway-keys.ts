import { firstPair, type RecordedPair } from '../../base/core/key-pair.ts';
import type { Located, Span } from '../../base/source/source.ts';
import type { KeysDocument } from './parse-recorded.ts';

interface WrittenPair {
  readonly cluster: Located<string>;
  readonly peer: Located<string>;
  readonly pair: RecordedPair;
  /** The places of the key, and of the next one. */
  readonly at: Span;
  readonly nextAt: Span | null;
}

/** The entries of gateways in a keys file, in source order. A text is a key of the first generation. */
export function* gatewayKeysIn(document: KeysDocument | undefined): Iterable<WrittenPair> {
  for (const { name: cluster, value: peers } of document?.reading.at('keys').entries() ?? []) {
    for (const { name: peer, value } of peers.entries()) {
      const text = value.scalar();
      if (text !== undefined) {
        yield { cluster, peer, pair: firstPair(text.value), at: text.at, nextAt: null };
        continue;
      }
      const [key, next] = [value.at('key').orDefault(''), value.at('next')];
      const nextKey = next.at('key').scalar();
      const pair = {
        key: key.value,
        generation: value.at('generation').orDefault(1).value,
        since: value.at('since').scalar()?.value ?? null,
        next: nextKey === undefined ? null : { key: nextKey.value, since: next.at('since').scalar()?.value ?? null },
      };
      yield { cluster, peer, pair, at: key.at, nextAt: nextKey?.at ?? null };
    }
  }
}
