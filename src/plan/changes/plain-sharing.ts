import { groupBy } from '../../base/core/collections.ts';
import { listOf, someOf } from '../../base/core/words.ts';
import type { RemoteNamespace } from '../difference.ts';
import type { Endpoint, SharePair } from '../sharing-state.ts';

/** The number of names in one line; a consumer can have hundreds. */
const MOST_NAMES = 6;

/** All names, `milan, turin and oslo`, or the first ones of a long list. */
export const names = (list: readonly string[]): string =>
  list.length <= MOST_NAMES ? listOf(list) : someOf(list, MOST_NAMES);

/** The list for a step whose items contain more than one name. */
export const places = (list: readonly string[]): string => someOf(list, MOST_NAMES, '; ');

/** Words for remote namespaces: `demo-rome in milan and turin`. */
function namespacesIn(deleted: readonly RemoteNamespace[]): string {
  const byName = groupBy(deleted, (it) => [it.name]);
  return places([...byName].map(([name, all]) => `${name} in ${listOf(all.map((it) => it.provider))}`));
}

/** The end of a sentence: `, which deletes demo-rome in milan, volumes included`; empty when nothing is deleted. */
export const andDeletes = (deleted: readonly RemoteNamespace[]): string =>
  deleted.length === 0 ? '' : `, which deletes ${namespacesIn(deleted)}, volumes included`;

export const loan = ({ consumer, provider }: SharePair): string => `${consumer} from ${provider}`;

/** The API server, with its proxy if there is one: `https://milan.example:6443`. */
export const server = ({ apiServer, proxyURL }: Endpoint): string =>
  proxyURL === null ? apiServer : `${apiServer} through ${proxyURL}`;

/** Words for a namespace: `namespace demo of rome`. */
export const namespaceOf = ({ cluster, namespace }: { readonly cluster: string; readonly namespace: string }): string =>
  `namespace ${namespace} of ${cluster}`;

export const DELETES_NAMESPACES =
  'Liqo deletes these namespaces in the provider with everything in them, also their volumes: nothing brings them back';

export const SAVE_THE_VOLUMES = {
  what: 'copy everything of value out of these namespaces, above all out of their volumes',
  on: ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }): string => namespacesIn(deleted),
} as const;

export const WITHDRAW = {
  what: 'withdraw these namespaces from the provider in a change of its own before this one, and wait until it has deleted them',
  on: ({ deleted }: { readonly deleted: readonly RemoteNamespace[] }): string => namespacesIn(deleted),
} as const;

export const CHECK_THE_ENDPOINT =
  'compare API server and CA with those of the provider itself: what offloaded pods are given goes there, also their Secrets';

export const COLLECT_IDENTITIES =
  'run `weft identities collect`, and merge what it writes: the provider has signed by then';

export const CREATE_PODS_AGAIN = 'create the pods again that are to move: Liqo looks at a pod only when it is created';

export const GENERATE_KEYS = 'run `weft keys generate`, and commit the keys file';
