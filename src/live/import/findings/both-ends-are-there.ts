import { listOf } from '../../../base/core/words.ts';
import type { LiveEnd } from '../live-link.ts';
import { endsOf, type FindingRule } from './finding-rule.ts';

/** Each end of a link has a Configuration, a gateway and the key of the other one. */
export const bothEndsAreThere: FindingRule = function* (live) {
  const keyed = new Set(
    [...live.clusters.values()].flatMap(({ cluster, peers }) =>
      [...peers.values()].some((it) => it.publicKeys.length > 0) ? [cluster] : [],
    ),
  );
  for (const end of endsOf(live)) {
    const { cluster, remote } = end;
    if (end.peer === null) {
      yield {
        code: 'import/one-side-missing',
        cluster,
        message: `"${remote}" has objects for "${cluster}", and "${cluster}" has none for "${remote}"`,
        hint: `remove what "${remote}" has left of a former peering, or apply the bundle of "${cluster}"`,
      };
      continue;
    }
    const missing = missingIn(end);
    if (missing.length === 0) continue;
    yield {
      code: 'import/missing-object',
      cluster,
      message: `"${cluster}" has no ${listOf(missing)} for "${remote}"`,
      hint:
        missing.join() === KEY && !keyed.has(cluster)
          ? `dump them as well, if there are any: kubectl get publickeies.networking.liqo.io -A -o json`
          : `apply the bundle of "${cluster}", which has it, or remove what is left of a former peering`,
    };
  }
};

const KEY = 'PublicKey';

const missingIn = ({ peer, configuration, gateway }: LiveEnd): readonly string[] => [
  ...((peer?.namespaces.length ?? 0) > 0 ? [] : ['tenant namespace']),
  ...(configuration === null ? ['Configuration'] : []),
  ...(gateway === null ? ['gateway'] : []),
  ...((peer?.publicKeys.length ?? 0) > 0 ? [] : [KEY]),
];
