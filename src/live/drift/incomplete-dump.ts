import { sortedUnique } from '../../base/core/order.ts';
import { listOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../base/source/source.ts';
import { groupOf, type KubernetesObject, kindKey } from '../dumps/kubernetes-object.ts';
import type { LiveCluster } from '../dumps/live-cluster.ts';
import { COMPARED_KINDS } from './compared-kinds.ts';
import type { PromisedObjects } from './promised-objects.ts';

/** Without these nothing is known about the links of a cluster: what packets need, and what each cluster decides. */
const NEEDED = [
  'Configuration.networking.liqo.io',
  'GatewayServer.networking.liqo.io',
  'GatewayClient.networking.liqo.io',
  'Network.ipam.liqo.io',
];

interface Asked {
  /** Of the cluster; asked for only where a kind is absent. */
  readonly promised: () => PromisedObjects;
  /** Of the dump. */
  readonly path: string;
}

/**
 * Whether too little of a cluster is known for an answer: it promises objects of a needed kind, and its dump has none. They may
 * be missing in the cluster, or in the dump alone. Where their namespaces are known to be missing, so are they.
 */
export function incompleteDump(live: LiveCluster, { promised, path }: Asked): Diagnostic | undefined {
  if (NEEDED.every((it) => live.listed.has(it))) return undefined;
  const objects = [...promised().values()].map((it) => it.object);
  const unknown = objects.filter((it) => !live.listed.has(keyOfKind(it)));
  const isNothing = objects.length > 0 && unknown.length === objects.length;
  const absent = unknown.filter((it) => isNothing || (NEEDED.includes(keyOfKind(it)) && !lacksItsNamespace(it, live)));
  if (absent.length === 0) return undefined;
  const keys = new Set(absent.map(keyOfKind));
  const isForbidden = [...keys].every((it) => live.forbidden.has(it));
  const kinds = sortedUnique(COMPARED_KINDS.filter((it) => keys.has(it.key)).map((it) => it.resource));
  const what = `${listOf(kinds)} of "${live.cluster}"`;
  const promise = 'its bundle promises some, so it is not known whether they are there';
  return diagnostic(
    'live/incomplete',
    startOf({ path, text: '' }),
    isForbidden ? `the user of the context may not list ${what}; ${promise}` : `the dump has no ${what}; ${promise}`,
    {
      hint: isForbidden
        ? 'let the user list them: "weft import --print-commands" prints the role'
        : `dump these kinds, in all namespaces: kubectl get ${kinds.join(',')} -A -o json; if there are none, use --context, which shows that`,
    },
  );
}

const lacksItsNamespace = ({ metadata }: KubernetesObject, { listed, objects }: LiveCluster): boolean =>
  metadata.namespace !== undefined && listed.has('Namespace') && !objects.has(`Namespace /${metadata.namespace}`);

const keyOfKind = ({ apiVersion, kind }: KubernetesObject): string => kindKey(groupOf(apiVersion), kind);
