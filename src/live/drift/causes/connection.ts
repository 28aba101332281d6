import { jsonAt, textAt } from '../../dumps/json.ts';
import { type ClusterCase, ofKind, type PeerCase } from '../cluster-case.ts';
import type { Finding } from '../drift.ts';
import { valueIn } from '../object-words.ts';
import { type Problem, problem, withEffects } from '../problem.ts';

/** Without these the gateways cannot find or accept each other, so a Connection that is not there follows from them. */
const SILENCING = new Set([
  ...['drift/missing', 'drift/key', 'drift/key-secret', 'drift/second-key', 'drift/port', 'drift/gateway'],
  ...['drift/second-gateway', 'drift/gateway-role', 'drift/label', 'drift/being-deleted', 'drift/peer-missing'],
  ...['drift/not-there-yet', 'drift/second-namespace', 'drift/second-configuration', 'drift/remote-cidr'],
]);

/**
 * The tunnel to a peer, after everything else was looked at: it is named with its cause, or for itself. Returns all problems
 * of the peer.
 */
export function connected(it: ClusterCase, peer: PeerCase, problems: readonly Problem[]): readonly Problem[] {
  const found = peer.pool.take((one) => one.object.kind === 'Connection');
  if (found.length === 0) return problems;
  const cause = problems.findIndex((one) => SILENCING.has(one.diagnostic.code));
  if (cause !== -1) return problems.map((one, index) => (index === cause ? withEffects(one, found) : one));
  return [...problems, notConnected(it, peer, found)];
}

function notConnected({ cluster }: ClusterCase, { peer, at, live }: PeerCase, found: readonly Finding[]): Problem {
  const [connection] = ofKind(live, 'Connection');
  const value = textAt(connection?.['status'], 'value') ?? '';
  return problem('drift/not-connected', {
    peer,
    at,
    message:
      connection === undefined
        ? `the gateway of "${cluster.name}" for "${peer}" has written no Connection yet`
        : value === 'Connected'
          ? `the Connection of "${cluster.name}" to "${peer}" is not as its gateway writes it`
          : `"${cluster.name}" is not connected with "${peer}": its tunnel ${value === '' ? 'has no state yet' : `is ${valueIn(value)}`}`,
    hint: 'look at both gateways: pods, keys, the address and the port that the client dials, firewalls for UDP',
    details: gatewaySentences(live),
    isWaiting: value === '' || value === 'Connecting',
    findings: found,
  });
}

function gatewaySentences(live: PeerCase['live']): readonly string[] {
  const [gateway] = ofKind(live, 'GatewayServer', 'GatewayClient');
  const status = gateway?.['status'];
  if (gateway === undefined) return [];
  const isServer = gateway.kind === 'GatewayServer';
  if (jsonAt(status, 'internalEndpoint') === undefined) return ['the gateway has no running pod yet'];
  if (isServer && jsonAt(status, 'endpoint') === undefined) return ['the gateway has no endpoint yet'];
  return [];
}
