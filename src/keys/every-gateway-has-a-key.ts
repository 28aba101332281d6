import { groupBy } from '../core/group-by.ts';
import { countOf, firstLines, firstOf, quoted } from '../core/words.ts';
import { diagnostic } from '../diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../diagnostics/outcome.ts';
import type { NetworkModel } from '../model/network-model.ts';
import type { GatewayName } from './gateway.ts';
import { missingKeys } from './missing-keys.ts';

/** How many clusters, and how many peers of each, the warning names. */
const SHOWN = 3;

/** One warning for all of them, because a fleet without keys is one state and not a mistake per gateway. */
export function everyGatewayHasAKey<M extends NetworkModel>(model: M): Outcome<M> {
  const missing = missingKeys(model, null);
  if (missing.length === 0) return outcome(model);
  const byCluster = [...groupBy(missing, (it) => [it.cluster])].map(describe);
  const clusters = firstLines(byCluster, SHOWN, (left) => `and in ${countOf(left, 'more cluster')}`);
  const [have, them] = missing.length === 1 ? ['has', 'it'] : ['have', 'them'];
  const warning = diagnostic(
    'keys/missing',
    model.fleet.at,
    `${missing.length} of ${2 * model.links.length} gateways ${have} no public key, so no PublicKey is written for ${them}: ${clusters.join('; ')}`,
    {
      about: missing.map((it) => [it.cluster, it.peer]),
      hint: 'run "weft keys generate" to make the key pairs and record the public keys',
    },
  );
  return outcome(model, [warning]);
}

const describe = ([cluster, missing]: readonly [string, readonly GatewayName[]]): string =>
  `${quoted(cluster)} towards ${firstOf(
    missing.map((it) => it.peer),
    SHOWN,
  )}`;
