import { afterAll, describe, expect, it } from 'vitest';
import { containsAddress, type Prefix } from '../../../src/base/net/prefix.ts';
import { printPrefix, readAddress } from '../../../src/base/net/text.ts';
import { gatewayArguments, geneveArguments, wireguardArguments } from '../../../src/bundle/liqo/gateway-settings.ts';
import type { Compiled } from '../../../src/compile.ts';
import { type AddressedCluster, type Peer, viewsOf } from '../../../src/fleet/ipam/addressed-model.ts';
import { renderGatewayTemplate, type TemplateData } from '../../bundle/liqo/render-gateway-template.ts';
import { filesBelow, objectsIn } from '../../support/bundle-files.ts';
import { type Comparing, differences } from './differences.ts';
import { type Chains, liveChains, printedChains } from './firewall-rules.ts';
import { labRoutes, liveRoutes, liveTransit } from './lab-routes.ts';
import {
  keyOf,
  type LaterCluster,
  type LiveCluster,
  type LiveObject,
  type Recording,
  recordings,
} from './recordings.ts';

const all = recordings();
const named = all.map((it) => [it.name, it] as const);

/** The number of compared parts by recording, for the table at the end. */
const counted = new Map<string, Map<string, number>>();

function count(recording: Recording, what: string, number = 1): void {
  const row = counted.get(recording.name) ?? new Map<string, number>();
  counted.set(recording.name, row);
  row.set(what, (row.get(what) ?? 0) + number);
}

const COLUMNS = [
  'applied',
  'expected',
  'chains',
  'rules',
  'routes',
  'gateways',
  'connections',
  'history',
  'reordered',
  'moved',
];

afterAll(() => {
  if (counted.size === 0) return;
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((it, i) => (i === 0 ? String(it).padEnd(45) : String(it).padStart(12))).join('');
  const rows = [...counted]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, row]) => line([name, ...COLUMNS.map((it) => row.get(it) ?? 0)]));
  console.info(['', line(['recording', ...COLUMNS]), ...rows].join('\n'));
});

/** A cluster of a recording with its compiled counterpart. The recorded fleets were rolled out once, from nothing. */
interface Side {
  readonly recording: Recording;
  readonly live: LiveCluster;
  readonly cluster: AddressedCluster;
}

const sidesOf = (recording: Recording): readonly Side[] =>
  recording.clusters.map((live) => {
    const cluster = recording.rebuilt.model.clusters.get(live.name);
    if (cluster === undefined) throw new Error(`${recording.name} has no cluster "${live.name}"`);
    return { recording, live, cluster };
  });

const part = (object: object, name: string): unknown => (object as Readonly<Record<string, unknown>>)[name];

/** Every part of an applied object is as it was applied; to that controllers add a status, `spec.local` and labels. */
function appliedDifferences({ live, recording }: Side, object: LiveObject): readonly string[] {
  const path = `${live.name} ${keyOf(object)}`;
  const found = live.objects.get(keyOf(object));
  if (found === undefined) return [`${path}: not there`];
  count(recording, 'applied');
  return ['metadata', 'spec', 'data']
    .filter((it) => it in object)
    .flatMap((it) => differences(`${path}.${it}`, part(object, it), part(found, it), { open: [path] }));
}

/**
 * Compares an object with its file in `expected/`: its labels and annotations are among those of the live one, the rest
 * is equal.
 */
function expectedDifferences(
  live: LiveCluster,
  object: LiveObject,
  { without = [] as readonly string[] } = {},
): readonly string[] {
  const path = `${live.name} ${keyOf(object)}`;
  const found = live.objects.get(keyOf(object));
  if (found === undefined) return [`${path}: not there`];
  const comparing: Comparing = {
    open: [`${path}.metadata`],
    // A controller reads its own Networks in another order after each start.
    sets: [`${path}.spec.local.cidr.pod`],
  };
  return ['metadata', 'spec', 'status'].flatMap((it) =>
    differences(
      `${path}.${it}`,
      without.includes(it) ? undefined : part(object, it),
      without.includes(it) ? undefined : withoutTimes(part(found, it)),
      comparing,
    ),
  );
}

/** Conditions have times, which cannot be expected. */
function withoutTimes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { conditions: _, ...rest } = value as Readonly<Record<string, unknown>>;
  return rest;
}

const expectedObjects = ({ recording, cluster }: Side, file: string): readonly LiveObject[] =>
  objectsIn(recording.rebuilt.bundle.get(`${cluster.name}/expected/${file}.yaml`) ?? '');

const namespaceOf = (peer: Peer): string => `liqo-tenant-${peer.name}`;

/** By `cluster peer cidr`. */
function viewTexts({ model }: Compiled): ReadonlyMap<string, { readonly seenAs: string; readonly isHistory: boolean }> {
  const rows = [...model.clusters.values()].flatMap(({ name, peers }) =>
    [...peers.values()].flatMap((peer) =>
      viewsOf(peer).map((view) => {
        const key = `${name} ${peer.name} ${printPrefix(view.cidr)}`;
        return [key, { seenAs: printPrefix(view.seenAs), isHistory: view.history }] as const;
      }),
    ),
  );
  return new Map(rows);
}

function chainDifferences(where: string, printed: Chains, live: Chains, isSet: boolean): readonly string[] {
  const inOrder = (lines: readonly string[] = []): readonly string[] => (isSet ? [...lines].sort() : lines);
  return [...new Set([...printed.keys(), ...live.keys()])].flatMap((it) =>
    differences(`${where} ${it}`, inOrder(printed.get(it)), inOrder(live.get(it))),
  );
}

function ruleDifferences(side: Side, peer: Peer): readonly string[] {
  const { recording, live, cluster } = side;
  const file = (path: string): Chains =>
    printedChains(recording.rebuilt.bundle.get(`${cluster.name}/nftables/${path}`) ?? '');
  const configured = (name: string): Chains => {
    const found = live.objects.get(`FirewallConfiguration ${namespaceOf(peer)}/${peer.name}-${name}`);
    return found === undefined ? new Map() : liveChains(found);
  };
  const gateway = new Map([...configured('remap-podcidr'), ...configured('remap-externalcidr')]);
  const nodes = configured('masquerade-bypass');
  for (const it of [...gateway.values(), ...nodes.values()]) {
    count(recording, 'chains');
    count(recording, 'rules', it.length - 1);
  }
  const where = `${live.name} for ${peer.name}`;
  // With several pod CIDRs of its own a cluster writes the rules of its nodes in another order after each start.
  const isSet = cluster.podCIDRs.length > 1;
  return [
    ...chainDifferences(where, file(`${peer.name}.nft`), gateway, false),
    ...chainDifferences(where, file(`nodes/${peer.name}.nft`), nodes, isSet),
  ];
}

function routeDifferences({ recording, live, cluster }: Side, peer: Peer): readonly string[] {
  const [found, planned] = [liveRoutes(live, peer.name), labRoutes(recording.rebuilt, cluster.name, peer.name)];
  count(recording, 'routes', found.intoTunnel.size + found.toGateway.size);
  const parts = isRunning(live, peer) ? (['intoTunnel', 'toGateway'] as const) : (['intoTunnel'] as const);
  return parts.flatMap((it) =>
    differences(`${live.name} ${it} ${peer.name}`, [...planned[it]].sort(), [...found[it]].sort()),
  );
}

/** Nodes get routes to a gateway that runs: not without the Secret of its keys, nor from a template that is not there. */
function isRunning({ objects }: LiveCluster, peer: Peer): boolean {
  if (objects.has(`InternalFabric ${namespaceOf(peer)}/${peer.name}`)) return true;
  const { template } = ownEnd(peer);
  expect(template !== null || !objects.has(`Secret ${namespaceOf(peer)}/gw-keys`), `a gateway to ${peer.name}`).toBe(
    true,
  );
  return false;
}

interface Container {
  readonly name: string;
  readonly args: readonly string[];
}

interface GatewaySpec {
  readonly deployment: {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
  };
}

/**
 * The compared parts of a gateway that Liqo renders: from a template of weft every part of it, from the chart's the
 * arguments of its containers.
 */
function gatewayDifferences({ recording, live, cluster }: Side, peer: Peer): readonly string[] {
  const kind = peer.role === 'server' ? 'GatewayServer' : 'GatewayClient';
  const gateway = live.objects.get(`${kind} ${namespaceOf(peer)}/${peer.name}`);
  const found = live.objects.get(`Wg${kind} ${namespaceOf(peer)}/${peer.name}`);
  const where = `${live.name} Wg${kind} ${peer.name}`;
  // A template that the topology only names is foreign, and was not there.
  if (ownEnd(peer).template !== null) return found === undefined ? [] : [`${where}: rendered from nothing`];
  if (gateway === undefined || found === undefined) return [`${where}: not there`];
  count(recording, 'gateways');
  const data = templateData(gateway, peer);
  const template = templateFor(recording, cluster, kind);
  if (template) {
    return differences(
      where,
      renderGatewayTemplate(template, data),
      { metadata: found.metadata, spec: found.spec },
      { open: [where] },
    );
  }
  const { containers } = (found.spec as GatewaySpec).deployment.spec.template.spec;
  const wanted = {
    gateway: gatewayArguments(cluster, peer.role),
    wireguard: wireguardArguments(cluster, peer.role),
    geneve: geneveArguments(cluster),
  };
  const rendered = renderGatewayTemplate(wanted, data, true);
  // The charts list the arguments in another order from release to release, which means nothing.
  const sets = Object.keys(wanted).map((it) => `${where}.${it}`);
  return differences(where, rendered, Object.fromEntries(containers.map((it) => [it.name, it.args])), { sets });
}

function templateFor({ rebuilt }: Recording, cluster: AddressedCluster, kind: string): unknown {
  const texts = [...rebuilt.bundle].filter(([path]) => path.startsWith(`${cluster.name}/gateway-templates/wireguard-`));
  const objects = texts.flatMap(([, text]) => objectsIn(text));
  return objects.find((it) => it.kind === `Wg${kind}Template`)?.spec['template'];
}

function templateData({ metadata, spec }: LiveObject, peer: Peer): TemplateData {
  const { mtu, secretRef, endpoint } = spec as {
    readonly mtu: number;
    readonly secretRef: { readonly name: string };
    readonly endpoint: Readonly<Record<string, string | number | readonly string[]>>;
  };
  // Go's names of the fields.
  const goName = (it: string): string =>
    it.replace(/^loadBalancerIP$/, 'LoadBalancerIP').replace(/^./, (a) => a.toUpperCase());
  return {
    Name: metadata.name,
    Namespace: metadata.namespace ?? '',
    ClusterID: peer.name,
    GatewayUID: metadata.uid ?? '',
    SecretName: secretRef.name,
    Spec: {
      MTU: mtu,
      SecretRef: { Name: secretRef.name },
      // Go has an empty value for a field that is not set.
      Endpoint: {
        NodePort: 0,
        LoadBalancerIP: '',
        ...Object.fromEntries(Object.entries(endpoint).map(([key, it]) => [goName(key), it])),
      },
    },
  };
}

/** The objects, applied in another order than that of the waves. */
const isReordered = ({ what }: LaterCluster): boolean => /^(reverse|atonce|shuffle-\d+)$/.test(what);

/** The views in the status of a Configuration: pods in list order, then external. */
function statusOf(configuration: LiveObject | undefined): string {
  const { remote } = (configuration?.status ?? {}) as {
    readonly remote?: { readonly cidr: { readonly pod: readonly string[]; readonly external: readonly string[] } };
  };
  return [...(remote?.cidr.pod ?? []), ...(remote?.cidr.external ?? [])].join(' ');
}

const ownEnd = ({ link, role }: Peer) => link[role];

describe('a fleet as the controllers of Liqo left it', () => {
  it('is recorded more than twenty times, on every release', () => {
    expect(all.length).toBeGreaterThan(20);
    expect([...new Set(all.map((it) => it.name.split(' ')[1]))].sort()).toEqual(['1.0', '1.1', '1.2']);
  });

  it.each(named)('has every object of the bundle, as it was applied: %s', (_, recording) => {
    for (const side of sidesOf(recording)) {
      const { bundle } = recording.rebuilt;
      const applied = filesBelow(bundle, side.cluster.name).flatMap((it) => objectsIn(bundle.get(it) ?? ''));
      // The kind of the fork's operator was not installed where these were recorded.
      const known = applied.filter((it) => it.kind !== 'ForeignClusterConnection');
      expect(known.flatMap((it) => appliedDifferences(side, it))).toEqual([]);
    }
  });

  it.each(named)('has the Networks and Configurations of `expected/`, each part of them: %s', (_, recording) => {
    for (const side of sidesOf(recording)) {
      const objects = [...expectedObjects(side, 'networks'), ...expectedObjects(side, 'configurations')];
      count(recording, 'expected', objects.length);
      expect(objects.flatMap((it) => expectedDifferences(side.live, it))).toEqual([]);
      const wanted = new Set(objects.map(keyOf));
      const extra = [...side.live.objects.values()]
        .filter((it) => ['Network', 'Configuration'].includes(it.kind))
        .map(keyOf);
      expect(extra.filter((it) => !wanted.has(it))).toEqual([]);
    }
  });

  it.each(named)('has the views that weft promises, except those marked as history: %s', (_, recording) => {
    const [promised, rebuilt] = [viewTexts(recording.compiled), viewTexts(recording.rebuilt)];
    const history = [...promised].filter(([, it]) => it.isHistory);
    count(recording, 'history', history.length);
    for (const [key, { seenAs, isHistory }] of promised) {
      expect([key, rebuilt.get(key)?.seenAs === seenAs]).toEqual([key, !isHistory]);
    }
  });

  it.each(named)('has the rules of `nftables/`, in their order where it has a meaning: %s', (_, recording) => {
    for (const side of sidesOf(recording)) {
      expect([...side.cluster.peers.values()].flatMap((it) => ruleDifferences(side, it))).toEqual([]);
    }
  });

  it.each(named)('has the gateways that the templates render to: %s', (_, recording) => {
    for (const side of sidesOf(recording)) {
      expect([...side.cluster.peers.values()].flatMap((it) => gatewayDifferences(side, it))).toEqual([]);
    }
  });

  it.each(named)('has the routes that the lab builds: %s', (_, recording) => {
    for (const side of sidesOf(recording)) {
      expect([...side.cluster.peers.values()].flatMap((it) => routeDifferences(side, it))).toEqual([]);
      const views = [...side.cluster.peers.values()].flatMap((it) =>
        it.podViews.map((view) => printPrefix(view.seenAs)),
      );
      for (const it of liveTransit(side.live)) expect([...it].sort()).toEqual(views.sort());
    }
  });

  it.each(named.filter(([, it]) => it.after.some(isReordered)))(
    'has another view after another order of applying only where weft says so: %s',
    (_, recording) => {
      for (const later of recording.after.filter(isReordered)) {
        const cluster = recording.rebuilt.model.clusters.get(later.name);
        const seen = (peer: Peer) => statusOf(later.objects.get(`Configuration ${namespaceOf(peer)}/${peer.name}`));
        const peers = [...(cluster?.peers.values() ?? [])];
        const moved = peers.filter(
          (it) =>
            seen(it) !==
            viewsOf(it)
              .map((view) => printPrefix(view.seenAs))
              .join(' '),
        );
        count(recording, 'reordered', peers.length);
        count(recording, 'moved', moved.length);
        expect(moved.filter((it) => !it.orderDependent).map((it) => `${later.what}: ${it.name}`)).toEqual([]);
      }
    },
  );

  // So drift compares none of them: names, identifiers and addresses are of run time, inside of the internal CIDR, which is
  // compared with the cluster's own Networks; the views of an InternalFabric are in its routes.
  it.each(named)(
    'has nothing in the objects of its overlay that follows from git alone: %s',
    (_, { rebuilt, clusters }) => {
      for (const live of clusters) {
        const cluster = rebuilt.model.clusters.get(live.name);
        const inside = (network: Prefix | undefined) => (value: unknown) =>
          network !== undefined && containsAddress(network, readAddress(String(value)) ?? -1);
        const views = new Set(
          [...(cluster?.peers.values() ?? [])].flatMap((it) => viewsOf(it).map((view) => printPrefix(view.seenAs))),
        );
        const isName = (value: unknown): boolean => /^liqo\.[a-z0-9]{10}$/.test(String(value));
        const isNumber = (value: unknown): boolean => Number.isInteger(value);
        const names = new Set(
          [...live.objects.values()].flatMap(({ metadata: { name, namespace = '' } }) => [name, namespace]),
        );
        const isReference = (value: unknown): boolean => names.has(String(value));
        const isInternal = inside(cluster?.internalCIDR);
        const allowed: Readonly<Record<string, (value: unknown) => boolean>> = {
          'GeneveTunnel id': isNumber,
          'GeneveTunnel internalFabricRef.name': isReference,
          'GeneveTunnel internalFabricRef.namespace': isReference,
          'GeneveTunnel internalNodeRef.name': isReference,
          'InternalNode interface.gateway.name': isName,
          'InternalNode interface.node.ip': isInternal,
          // The address of the gateway's pod.
          'InternalFabric gatewayIP': (value) => readAddress(String(value)) !== undefined,
          'InternalFabric interface.gateway.ip': isInternal,
          'InternalFabric interface.node.name': isName,
          'InternalFabric mtu': isNumber,
          'InternalFabric remoteCIDRs': (value) => (value as readonly string[]).every((it) => views.has(it)),
        };
        for (const { kind, metadata, spec } of live.objects.values()) {
          if (!['GeneveTunnel', 'InternalNode', 'InternalFabric'].includes(kind)) continue;
          for (const [path, value] of leavesOf(spec))
            expect([metadata.name, path, value, allowed[`${kind} ${path}`]?.(value)]).toEqual([
              metadata.name,
              path,
              value,
              true,
            ]);
        }
      }
    },
  );

  it.each(named.filter(([, it]) => it.after.some(({ what }) => what === 'conn')))(
    'has the Connections of `expected/`: %s',
    (_, recording) => {
      for (const live of recording.after.filter((it) => it.what === 'conn')) {
        const side = sidesOf(recording).find((it) => it.live.name === live.name);
        const objects = side ? expectedObjects(side, 'connections') : [];
        expect(objects.length).toBeGreaterThan(0);
        count(recording, 'connections', objects.length);
        // There was no tunnel to be connected; the uid of the gateway is known at run time only.
        const known = objects.map((it) => withUid(it, live));
        expect(known.flatMap((it) => expectedDifferences(live, it, { without: ['status'] }))).toEqual([]);
      }
    },
  );
});

/** Each value of an object with the path of its keys. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([key, it]) => leavesOf(it, [...path, key]));
}

function withUid(connection: LiveObject, live: LiveCluster): LiveObject {
  const { gatewayRef, ...spec } = connection.spec as { readonly gatewayRef: Readonly<Record<string, string>> };
  const kind = gatewayRef['kind']?.replace(/^Wg/, '');
  const gateway = live.objects.get(`${kind} ${gatewayRef['namespace']}/${gatewayRef['name']}`);
  return { ...connection, spec: { ...spec, gatewayRef: { ...gatewayRef, uid: gateway?.metadata.uid } } };
}
