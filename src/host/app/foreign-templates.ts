import type { Compiled } from '../../compile.ts';
import { compareObjects } from '../../live/drift/compare-objects.ts';
import { promisedObjects } from '../../live/drift/promised-objects.ts';
import { objectKey } from '../../live/dumps/kubernetes-object.ts';
import { hasOwnTemplates } from '../../live/import/templates-of.ts';
import type { ObservedCluster } from '../../live/observed/observed-cluster.ts';

/** The clusters with a gateway template of weft's names that weft, compiling what was read from it, writes otherwise. */
export function foreignTemplates(observed: readonly ObservedCluster[], { bundle }: Compiled): ReadonlySet<string> {
  const differs = (it: ObservedCluster): boolean => {
    return [...promisedObjects(it.cluster, { bundle, root: 'out' }).values()].some(({ object }) => {
      if (!TEMPLATES.includes(object.kind)) return false;
      const found = it.templates.get(objectKey(object));
      if (found === undefined) return true;
      return [...compareObjects(object, found, { isRenewed: false })].some(({ path }) => path[0] === 'spec');
    });
  };
  return new Set(observed.filter((it) => hasOwnTemplates(it) && differs(it)).map((it) => it.cluster));
}

const TEMPLATES = ['WgGatewayServerTemplate', 'WgGatewayClientTemplate'];
