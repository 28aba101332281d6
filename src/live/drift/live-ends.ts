import { type Json, jsonAt, textAt } from '../dumps/json.ts';
import { type ClusterCase, ofKind } from './cluster-case.ts';

/** The gateway of a cluster for a peer, as it runs. */
export interface LiveEnd {
  readonly role: 'server' | 'client';
  readonly mtuBytes: number | null;
  /** What a server offers, or a client dials. */
  readonly port: number | null;
  /** What the cluster accepts as the key of the other end. */
  readonly acceptedKey: string | null;
  readonly connection: string | null;
}

/** By peer; without peers that have no gateway. */
export function endsHere({ peers }: ClusterCase): ReadonlyMap<string, LiveEnd> {
  const ends = [...peers.values()].flatMap(({ peer, live }) => {
    const [gateway] = ofKind(live, 'GatewayServer', 'GatewayClient');
    if (gateway === undefined) return [];
    const spec = gateway['spec'];
    const end: LiveEnd = {
      role: gateway.kind === 'GatewayServer' ? 'server' : 'client',
      mtuBytes: numberIn(jsonAt(spec, 'mtu')),
      port: portOf(gateway),
      acceptedKey: textAt(ofKind(live, 'PublicKey')[0]?.['spec'], 'publicKey') ?? null,
      connection: textAt(ofKind(live, 'Connection')[0]?.['status'], 'value') ?? null,
    };
    return [[peer, end] as const];
  });
  return new Map(ends);
}

/** The API server chooses a node port where none is asked for; Liqo writes it into the status. */
function portOf({ spec, status }: Partial<Readonly<Record<string, Json>>>): number | null {
  const asked = numberIn(jsonAt(spec, 'endpoint', 'nodePort')) || null;
  const isNodePort = jsonAt(spec, 'endpoint', 'serviceType') === 'NodePort';
  const chosen = isNodePort ? numberIn(jsonAt(status, 'endpoint', 'port')) : null;
  return asked ?? chosen ?? numberIn(jsonAt(spec, 'endpoint', 'port'));
}

const numberIn = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
