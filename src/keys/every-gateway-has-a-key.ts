import { firstOf } from '../core/words.ts';
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
  const clusters = [...new Set(missing.map((it) => it.cluster))];
  const shown = clusters.slice(0, SHOWN).map((name) => describe(name, missing));
  const left = clusters.length - shown.length;
  const more = left > 0 ? `; and in ${left} more ${left === 1 ? 'cluster' : 'clusters'}` : '';
  const [have, them] = missing.length === 1 ? ['has', 'it'] : ['have', 'them'];
  const warning = diagnostic(
    'keys/missing',
    model.fleet.at,
    `${missing.length} of ${2 * model.links.length} gateways ${have} no public key, so no PublicKey is written for ${them}: ${shown.join('; ')}${more}`,
    { hint: 'run "weft keys generate" to make the key pairs and record the public keys' },
  );
  return outcome(model, [warning]);
}

function describe(cluster: string, missing: readonly GatewayName[]): string {
  const peers = missing.filter((it) => it.cluster === cluster).map((it) => it.peer);
  return `"${cluster}" towards ${firstOf(peers, SHOWN)}`;
}
