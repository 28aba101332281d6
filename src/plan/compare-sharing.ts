import { compareAuthentication } from './compare-authentication.ts';
import { compareOffloadings } from './compare-offloadings.ts';
import { compareShares } from './compare-shares.ts';
import type { Difference, RemoteNamespace } from './difference.ts';
import { remoteNamespaces } from './remote-namespaces.ts';
import type { SharingState } from './sharing-state.ts';

/** What differs in shared resources: namespaces before shares, since that is the order in which they have to be removed. */
export function* compareSharing(before: SharingState, after: SharingState): Iterable<Difference> {
  const left = new Set(remoteNamespaces(after).map(identityOf));
  const gone = remoteNamespaces(before).filter((it) => !left.has(identityOf(it)));
  yield* compareOffloadings(before, after, gone);
  yield* compareShares(before, after, gone);
  yield* compareAuthentication(before, after);
}

const identityOf = ({ cluster, namespace, provider, name }: RemoteNamespace): string =>
  [cluster, namespace, provider, name].join('/');
