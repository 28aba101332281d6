import { groupBy } from '../../base/core/group-by.ts';
import { readUnknownKeys } from '../../base/core/unknown-key.ts';
import { countOf, firstLines, firstOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import type { NetworkModel } from '../model/network-model.ts';
import type { GatewayName } from './gateway.ts';
import { missingKeys, unknownKeys } from './missing-keys.ts';

/** How many clusters, and how many peers of each, the warning names. */
const SHOWN = 3;

/** One warning for all of them, because a fleet without keys is one state and not a mistake per gateway. */
export function everyGatewayHasAKey<M extends NetworkModel>(model: M): Outcome<M> {
  const [missing, unknown] = [missingKeys(model, null), unknownKeys(model, null)];
  return outcome(model, [
    ...warning(model, missing, {
      state: (one) => `${one ? 'has' : 'have'} no public key`,
      hint: 'run "weft keys generate" to make the key pairs and record the public keys',
    }),
    ...warning(model, unknown, {
      state: (one) => `${one ? 'has a key' : 'have keys'} that git does not know`,
      hint: readUnknownKeys(unknown),
    }),
  ]);
}

interface State {
  readonly state: (one: boolean) => string;
  readonly hint: string;
}

function warning(
  { fleet, links }: NetworkModel,
  gateways: readonly GatewayName[],
  { state, hint }: State,
): readonly Diagnostic[] {
  if (gateways.length === 0) return [];
  const one = gateways.length === 1;
  const byCluster = [...groupBy(gateways, (it) => [it.cluster])].map(describe);
  const clusters = firstLines(byCluster, SHOWN, (left) => `and in ${countOf(left, 'more cluster')}`);
  const message = `${gateways.length} of ${2 * links.length} gateways ${state(one)}, so no PublicKey is written for ${one ? 'it' : 'them'}: ${clusters.join('; ')}`;
  return [diagnostic('keys/missing', fleet.at, message, { about: gateways.map((it) => [it.cluster, it.peer]), hint })];
}

const describe = ([cluster, gateways]: readonly [string, readonly GatewayName[]]): string =>
  `${quoted(cluster)} towards ${firstOf(
    gateways.map((it) => it.peer),
    SHOWN,
  )}`;
