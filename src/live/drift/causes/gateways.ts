import { someOf } from '../../../base/core/words.ts';
import type { Json } from '../../dumps/json.ts';
import type { KubernetesObject } from '../../dumps/kubernetes-object.ts';
import { connectionProblem } from '../../problems/link-problems.ts';
import { type ClusterCase, ofKind, type PeerCase } from '../cluster-case.ts';
import { chosenFor } from '../compare-objects.ts';
import {
  byObject,
  type DifferentField,
  type Finding,
  GATEWAY_KINDS,
  objectName,
  type Problem,
  problem,
  valueIn,
  withEffects,
} from '../drift.ts';

/** Explains differences in the gateway of a cluster for a peer, and in its endpoint. */
export function* gateways(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  yield* missingGateway(it, peer);
  yield* mtu(it, peer);
  yield* endpoint(it, peer);
  yield* others(it, peer);
}

function* missingGateway({ cluster, reachedWave }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  const found = pool.take((one) => one.kind === 'missing' && GATEWAY_KINDS.includes(one.object.kind));
  const [first] = found;
  if (first?.kind !== 'missing') return;
  yield problem('drift/missing', {
    peer,
    at,
    message: `"${cluster.name}" has no gateway for "${peer}"`,
    hint: 'apply the bundle',
    isWaiting: first.wave > reachedWave,
    findings: found,
    effects: pool.take((one) => one.object.kind === 'Connection'),
  });
}

function* mtu({ cluster }: ClusterCase, { peer, at, pool, declared }: PeerCase): Iterable<Problem> {
  const found = pool.takeFields(GATEWAY_KINDS, 'spec', 'mtu');
  const [first] = found;
  if (first === undefined) return;
  yield problem('drift/mtu', {
    peer,
    at,
    message: `the gateway of "${cluster.name}" for "${peer}" has an MTU of ${valueIn(first.live)}, and git has ${valueIn(declared?.link.mtuBytes ?? first.promised)}`,
    hint: 'use the same MTU at both ends: set it in the topology, or apply the bundle again; the gateway restarts',
    findings: found,
  });
}

const WORDS: Readonly<Record<string, string>> = {
  nodePort: 'node port',
  port: 'port',
  serviceType: 'type of Service',
  loadBalancerIP: 'address of the load balancer',
  addresses: 'address',
  protocol: 'protocol',
};

function* endpoint({ cluster }: ClusterCase, { peer, at, pool, declared, live: objects }: PeerCase): Iterable<Problem> {
  const found = pool.takeFields(GATEWAY_KINDS, 'spec', 'endpoint');
  if (found.length === 0) return;
  const isServer = declared?.role === 'server';
  const changes = found.map((one) => {
    const there = inUse(one, objects);
    const live = there === undefined ? `no ${wordOf(one)}` : `${wordOf(one)} ${valueIn(there)}`;
    return one.promised === undefined
      ? `${live}, which git does not have`
      : `${live}, and git has ${valueIn(one.promised)}`;
  });
  yield problem('drift/port', {
    peer,
    at,
    message: `the gateway of "${cluster.name}" ${isServer ? `listens for "${peer}" on` : `dials "${peer}" at`} ${changes.join('; ')}`,
    hint: 'if it is meant, change the topology, and the other end follows; otherwise apply the bundle again',
    findings: found,
  });
}

/** Returns the value that a gateway uses, also when Liqo or Kubernetes chose it. */
function inUse(field: DifferentField, objects: readonly KubernetesObject[]): Json | undefined {
  const gateway = ofKind(objects, field.object.kind).find((it) => it.metadata.name === field.object.name);
  return (gateway && chosenFor(gateway, field)) ?? field.live;
}

const wordOf = ({ path }: DifferentField): string => WORDS[path[2] ?? ''] ?? path.slice(2).join('.');

/** Reports its template, its Secret, and all other edited fields. */
function* others({ cluster }: ClusterCase, { peer, at, pool, live }: PeerCase): Iterable<Problem> {
  const found = pool.takeFields(GATEWAY_KINDS, 'spec');
  const [first] = found;
  if (first === undefined) return;
  yield problem('drift/gateway', {
    peer,
    at,
    message: `${objectName(first.object)} in "${cluster.name}" (peer "${peer}") was edited: ${found.map((one) => `${one.path.slice(1).join('.')} is ${valueIn(inUse(one, live))}, and git has ${valueIn(one.promised)}`).join('; ')}`,
    hint: 'apply the bundle again, or change the topology; the gateway restarts',
    findings: found,
  });
}

/** These problems prevent a tunnel, so a missing Connection is an effect of them. */
const SILENCING = new Set([
  ...['drift/missing', 'drift/key', 'drift/key-secret', 'drift/second-key', 'drift/port', 'drift/gateway'],
  ...['drift/second-gateway', 'drift/gateway-role', 'drift/label', 'drift/being-deleted', 'drift/peer-missing'],
  ...['drift/not-there-yet', 'drift/second-namespace', 'drift/second-configuration', 'drift/remote-cidr'],
]);

/**
 * Explains a missing tunnel to a peer, as an effect of another problem or by itself. Runs after all other causes;
 * returns all problems of the peer.
 */
export function connected(it: ClusterCase, peer: PeerCase, problems: readonly Problem[]): readonly Problem[] {
  const found = peer.pool.take((one) => one.object.kind === 'Connection');
  if (found.length === 0) return problems;
  const cause = problems.findIndex((one) => SILENCING.has(one.diagnostic.code));
  if (cause !== -1) return problems.map((one, index) => (index === cause ? withEffects(one, found) : one));
  return [...problems, notConnected(it, peer, found)];
}

const WAITS = { pod: ['the gateway has no running pod yet'], endpoint: ['the gateway has no endpoint yet'] } as const;

function notConnected({ cluster }: ClusterCase, { peer, at, facts }: PeerCase, found: readonly Finding[]): Problem {
  const it = connectionProblem(facts, cluster.name);
  const value = it?.kind === 'not-connected' ? it.value : '';
  const sentence = {
    'no-connection': `the gateway of "${cluster.name}" for "${peer}" has written no Connection yet`,
    'not-connected': `"${cluster.name}" is not connected with "${peer}": its tunnel ${value === '' ? 'has no state yet' : `is ${valueIn(value)}`}`,
    connected: `the Connection of "${cluster.name}" to "${peer}" is not as its gateway writes it`,
  };
  return problem('drift/not-connected', {
    peer,
    at,
    message: sentence[it?.kind ?? 'connected'],
    hint: 'look at both gateways: pods, keys, the address and the port that the client dials, firewalls for UDP',
    details: it === null || it.waitsFor === null || facts.gateways.length === 0 ? [] : WAITS[it.waitsFor],
    isWaiting: it !== null && (value === '' || value === 'Connecting'),
    findings: found,
  });
}

/** The most peers that a sentence names. */
const NAMED = 6;

/** Reports edited gateway templates of weft, with the gateways that use them. */
export function* templates({ cluster, pool, at, peers }: ClusterCase): Iterable<Problem> {
  const found = pool.take(
    (one) => one.kind === 'different' && /^WgGateway(Server|Client)Template$/.test(one.object.kind),
  );
  for (const fields of byObject(found)) {
    const [first] = fields;
    if (first?.kind !== 'different') continue;
    const users = [...peers.values()].filter(({ facts }) =>
      facts.gateways.some((it) => it.template?.name === first.object.name),
    );
    yield problem('drift/template', {
      peer: null,
      at,
      message: `${objectName(first.object)} of "${cluster.name}" was edited: ${first.path.slice(-3).join('.')} is ${valueIn(first.live)}, and git has ${valueIn(first.promised)}`,
      hint: 'apply the bundle again, or change the gateway in the topology; gateways follow when Liqo looks at them the next time',
      details: [
        ...fields
          .slice(1)
          .flatMap((one) => (one.kind === 'different' ? [`${one.path.slice(-3).join('.')} as well`] : [])),
        users.length === 0
          ? 'no gateway uses it'
          : `the gateways for ${someOf(
              users.map((it) => it.peer),
              NAMED,
            )} are made of it`,
      ],
      findings: fields,
    });
  }
}
