import type { Json } from '../../dumps/json.ts';
import type { KubernetesObject } from '../../dumps/kubernetes-object.ts';
import { chosenFor } from '../chosen-for.ts';
import { type ClusterCase, ofKind, type PeerCase } from '../cluster-case.ts';
import type { DifferentField } from '../drift.ts';
import { named, valueIn } from '../object-words.ts';
import { type Problem, problem } from '../problem.ts';

const GATEWAYS = ['GatewayServer', 'GatewayClient'];

/** What the gateway of a cluster for a peer is, and what it listens on or dials. */
export function* gateways(it: ClusterCase, peer: PeerCase): Iterable<Problem> {
  yield* missing(it, peer);
  yield* mtu(it, peer);
  yield* endpoint(it, peer);
  yield* others(it, peer);
}

function* missing({ cluster, reachedWave }: ClusterCase, { peer, at, pool }: PeerCase): Iterable<Problem> {
  const found = pool.take((one) => one.kind === 'missing' && GATEWAYS.includes(one.object.kind));
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
  const found = pool.takeFields(GATEWAYS, 'spec', 'mtu');
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
  const found = pool.takeFields(GATEWAYS, 'spec', 'endpoint');
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

/** The value that a gateway uses, whoever chose it. */
function inUse(field: DifferentField, objects: readonly KubernetesObject[]): Json | undefined {
  const gateway = ofKind(objects, field.object.kind).find((it) => it.metadata.name === field.object.name);
  return (gateway && chosenFor(gateway, field)) ?? field.live;
}

const wordOf = ({ path }: DifferentField): string => WORDS[path[2] ?? ''] ?? path.slice(2).join('.');

/** Its template, its Secret, and all else that was edited. */
function* others({ cluster }: ClusterCase, { peer, at, pool, live }: PeerCase): Iterable<Problem> {
  const found = pool.takeFields(GATEWAYS, 'spec');
  const [first] = found;
  if (first === undefined) return;
  yield problem('drift/gateway', {
    peer,
    at,
    message: `${named(first.object)} in "${cluster.name}" (peer "${peer}") was edited: ${found.map((one) => `${one.path.slice(1).join('.')} is ${valueIn(inUse(one, live))}, and git has ${valueIn(one.promised)}`).join('; ')}`,
    hint: 'apply the bundle again, or change the topology; the gateway restarts',
    findings: found,
  });
}
