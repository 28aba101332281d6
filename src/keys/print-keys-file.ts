import { by } from '../core/order.ts';
import { render } from '../text/render.ts';
import type { PublicKeys } from './gateway.ts';

/** The keys file: sorted, one line a key, so that two pull requests rarely conflict. */
export function printKeysFile(keys: PublicKeys): string {
  const clusters = sorted(keys)
    .filter(([, byPeer]) => byPeer.size > 0)
    .map(([cluster, byPeer]) => ({
      cluster: JSON.stringify(cluster),
      keys: sorted(byPeer).map(([peer, key]) => ({ peer: JSON.stringify(peer), key: JSON.stringify(key) })),
    }));
  return render('keys/keys-file', { clusters, none: clusters.length === 0 });
}

const sorted = <T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...map].sort(by(([name]) => name));
