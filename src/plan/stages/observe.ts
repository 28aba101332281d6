import { tenantNamespace } from '../../base/releases/labels.ts';
import type { Change } from '../change.ts';
import { type LinkState, type NetworkState, pairOf, type SideState } from '../network-state.ts';
import type { Plan } from '../plan-changes.ts';
import type { FieldValue, StepCommand } from '../step-command.ts';

/** A field of a live object that has to have a value before the next state is applied. */
export interface Observation extends FieldValue {
  /** Before this state is applied, or before the next one. */
  readonly when: 'before' | 'after';
}

/** Advice for a value that does not come. */
interface Remedy {
  readonly what: string;
  readonly commands: readonly StepCommand[];
}

/** The fields to observe for a plan, in addition to everything that `weft drift` compares; equal ones once. */
export function observationsOf({ changes, networks: { after } }: Plan): readonly Observation[] {
  const all = changes.flatMap((it) => [...observed(it, after)]);
  return [...new Map(all.map((it) => [JSON.stringify(it), it])).values()];
}

function* observed(change: Change, after: NetworkState): Iterable<Observation> {
  switch (change.kind) {
    case 'announced-changed': {
      const side = sideIn(after, change.cluster, change.peer);
      if (side === undefined) return;
      for (const [i, { seenAs }] of change.to.entries())
        yield {
          ...place(side),
          object: `configurations.networking.liqo.io/${side.names.configuration ?? side.peer}`,
          field: change.cidr === 'pod' ? `.status.remote.cidr.pod[${i}]` : `.status.remote.cidr.external[${i}]`,
          value: seenAs,
          when: 'after',
        };
      return;
    }
    case 'key-rotated': {
      const link = after.links.get(pairOf(change.cluster, change.peer));
      const side = link?.sides.get(change.cluster);
      if (link === undefined || side === undefined) return;
      // It has to exist before a gateway names it.
      yield {
        ...place(side),
        object: `secrets/${change.secret.to}`,
        field: '.metadata.name',
        value: change.secret.to,
        when: 'before',
      };
      const kind = link.server === change.cluster ? 'gatewayservers' : 'gatewayclients';
      yield {
        ...place(side),
        object: `${kind}.networking.liqo.io/${gatewayOf(side)}`,
        field: '.status.secretRef.name',
        value: change.secret.to,
        when: 'after',
      };
      yield* connected(link);
      return;
    }
    case 'release-changed':
      if (change.asksAgain) yield crdWithConditions(change.cluster);
      return;
    case 'link-added':
      yield* connected(change.link);
      return;
    case 'mtu-changed':
    case 'port-changed':
    case 'address-changed':
    case 'service-changed':
    case 'role-changed': {
      const link = after.links.get(pairOf(...change.ends));
      if (link !== undefined) yield* connected(link);
    }
  }
}

/** Without this field in the CRD, which `helm upgrade` does not change, no Configuration of Liqo 1.2 becomes ready. */
const crdWithConditions = (cluster: string): Observation => ({
  cluster,
  namespace: null,
  object: 'customresourcedefinitions.apiextensions.k8s.io/configurations.networking.liqo.io',
  field: '.spec.versions[0].schema.openAPIV3Schema.properties.status.properties.conditions.type',
  value: 'array',
  when: 'before',
});

/** Both ends of a link that has keys. */
function* connected({ sides }: LinkState): Iterable<Observation> {
  const ends = [...sides.values()];
  if (ends.some((it) => it.keyOfPeer === null)) return;
  for (const side of ends)
    yield {
      ...place(side),
      object: `connections.networking.liqo.io/gw-${gatewayOf(side)}`,
      field: '.status.value',
      value: 'Connected',
      when: 'after',
    };
}

const gatewayOf = ({ names, peer }: SideState): string => names.gateway ?? peer;

const place = ({ cluster, names, peer }: SideState) => ({
  cluster,
  namespace: names.namespace ?? tenantNamespace(peer),
});

const sideIn = ({ links }: NetworkState, cluster: string, peer: string): SideState | undefined =>
  links.get(pairOf(cluster, peer))?.sides.get(cluster);

/** Advice for the case that the observed values do not come, by what is missing. */
export function remediesOf({ changes, networks: { after } }: Plan): readonly Remedy[] {
  const remedies = changes.flatMap((change): readonly Remedy[] => {
    switch (change.kind) {
      case 'key-rotated':
      case 'mtu-changed':
      case 'port-changed': {
        const ends = 'ends' in change ? change.ends : ([change.cluster, change.peer] as const);
        const link = after.links.get(pairOf(...ends));
        const client = link?.sides.get(link.client);
        if (client === undefined) return [];
        const object = `publickeies.networking.liqo.io/${client.names.publicKey ?? client.peer}`;
        return [{ what: NUDGE, commands: [{ run: 'touch', ...place(client), object }] }];
      }
      case 'announced-changed':
        return [{ what: NO_VIEW, commands: [] }];
      case 'release-changed':
        return change.asksAgain ? [{ what: LOST_ROUTE, commands: [] }] : [];
      default:
        return [];
    }
  });
  const byWhat = new Map<string, StepCommand[]>();
  for (const { what, commands } of remedies) {
    const known = byWhat.get(what) ?? [];
    byWhat.set(what, known);
    for (const it of commands) if (!known.some((one) => JSON.stringify(one) === JSON.stringify(it))) known.push(it);
  }
  return [...byWhat].map(([what, commands]) => ({ what, commands }));
}

/** Any change of its metadata makes the gateway try at once. At a server before Liqo 1.2 it would forget its client. */
const NUDGE =
  'if a link is not connected after ten seconds, touch the PublicKey in the cluster that dials, which tries again at once; never that of the server before Liqo 1.2';

const NO_VIEW =
  'if a view stays empty, the IPAM of that cluster has refused it, and the log of its pod shows why; views that exist stay';

const LOST_ROUTE =
  'if `weft drift` names a route without the network of a peer, which an upgrade from 1.1 to 1.2 can lose, touch the Configuration of that peer, and Liqo writes it again';
