import { publicKeyFor } from '../../support/keys-of.ts';
import { all, copied, type Edit, edited, isOf, peerOf, without } from './edits.ts';
import { type Item, objectIn, setAt } from './recorded-fleet.ts';
import type { FleetName } from './six-fleets.ts';

/** One thing that happened to a live fleet at night. */
export interface OneCause {
  readonly what: string;
  readonly edit: Edit;
  /** The problems that drift names, the cause first: cluster, code, and the object that differs. */
  readonly finds: readonly string[];
  /** The pair of `weft trace`. */
  readonly pair: readonly [from: string, to: string];
  /** True when packets between them still arrive. */
  readonly arrives: boolean;
}

type Row = readonly [what: string, edit: Edit, finds: readonly string[], pair: string, arrives?: 'arrives'];

const KEY = publicKeyFor('somebody', 'else');
const DELETED = '2026-11-22T00:00:00Z';

const inNamespace =
  (namespace: string) =>
  (it: Item): boolean =>
    it.metadata.namespace === namespace || (it.kind === 'Namespace' && it.metadata.name === namespace);

const isGatewayTo =
  (peer: string) =>
  (it: Item): boolean =>
    /^(Gateway(Server|Client)|Connection)$/.test(it.kind) && peerOf(it) === peer;

/** A cluster that sees the pods of a peer at another network than before, with all that Liqo makes of it. */
const moved =
  (cluster: string, peer: string, from: string, to: string): Edit =>
  (dumps) => {
    const isOfPeer = (it: Item) =>
      it.metadata.namespace === `liqo-tenant-${peer}` || it.metadata.name.endsWith('-extcidr');
    const replaced = (part: unknown): unknown => JSON.parse(JSON.stringify(part ?? null).replaceAll(from, to));
    for (const it of dumps[cluster]?.filter(isOfPeer) ?? [])
      for (const part of ['spec', 'status']) if (it[part] !== undefined) it[part] = replaced(it[part]);
  };

const tunnel = (a: string, b: string, value: string): Edit =>
  all(
    edited(a, 'Connection', `gw-${b}`, 'status/value', value),
    edited(b, 'Connection', `gw-${a}`, 'status/value', value),
  );

const conditionIs =
  (cluster: string, kind: string, name: string, type: string, status: string): Edit =>
  (dumps) => {
    const it = objectIn(dumps[cluster] ?? [], kind, name);
    const { conditions } = it['status'] as { readonly conditions: readonly { readonly type: string }[] };
    const changed = conditions.map((one) => (one.type === type ? { ...one, status, reason: 'ByHand' } : one));
    setAt(it, 'status/conditions', changed);
  };

const ROWS: Readonly<Record<FleetName, readonly Row[]>> = {
  example: [
    [
      'rome has another key for milan',
      all(edited('rome', 'PublicKey', 'milan', 'spec/publicKey', KEY), tunnel('rome', 'milan', 'Connecting')),
      ['rome drift/key PublicKey milan', 'milan drift/not-connected Connection gw-rome'],
      'rome milan',
    ],
    [
      'the PublicKey of milan in rome is deleted',
      all(without('rome', isOf('PublicKey', 'milan')), tunnel('rome', 'milan', 'Error')),
      ['rome drift/key PublicKey milan', 'milan drift/not-connected Connection gw-rome'],
      'rome milan',
    ],
    [
      'the Secret with the key of the gateway of rome for milan is deleted',
      without('rome', isOf('Secret', 'gw-keys', 'liqo-tenant-milan')),
      ['rome drift/key-secret Secret gw-keys'],
      'rome milan',
      'arrives',
    ],
    [
      'rome dials another port of milan',
      all(edited('rome', 'GatewayClient', 'milan', 'spec/endpoint/port', 31999), tunnel('rome', 'milan', 'Connecting')),
      ['rome drift/port GatewayClient milan', 'milan drift/not-connected Connection gw-rome'],
      'rome milan',
    ],
    [
      'rome dials another address of europe',
      all(
        edited('rome', 'GatewayClient', 'europe', 'spec/endpoint/addresses', ['203.0.113.99']),
        tunnel('rome', 'europe', 'Connecting'),
      ),
      ['rome drift/port GatewayClient europe', 'europe drift/not-connected Connection gw-rome'],
      'rome europe',
    ],
    [
      'the gateway of milan for rome is deleted',
      all(without('milan', isGatewayTo('rome')), edited('rome', 'Connection', 'gw-milan', 'status/value', 'Error')),
      ['milan drift/missing GatewayServer rome', 'rome drift/not-connected Connection gw-milan'],
      'rome milan',
    ],
    [
      'rome has a second tenant namespace for milan',
      copied('rome', 'Namespace', 'liqo-tenant-milan', 'milan-by-hand'),
      ['rome drift/second-namespace Namespace milan-by-hand'],
      'rome milan',
      'arrives',
    ],
    [
      'the Configuration of milan in rome has another network',
      all(
        edited('rome', 'Configuration', 'milan', 'spec/remote/cidr/pod', ['10.99.0.0/16']),
        edited('rome', 'Configuration', 'milan', 'status/remote/cidr/pod', ['10.99.0.0/16']),
      ),
      ['rome drift/remote-cidr Configuration milan'],
      'rome milan',
    ],
    [
      'rome sees milan at another network',
      moved('rome', 'milan', '10.81.0.0/16', '10.68.0.0/16'),
      ['rome drift/other-view Configuration milan'],
      'rome milan',
      'arrives',
    ],
    [
      'the namespace of europe in rome is deleted',
      without('rome', inNamespace('liqo-tenant-europe')),
      ['rome drift/peer-missing Namespace liqo-tenant-europe'],
      'rome europe',
    ],
    [
      'milan has a smaller MTU than rome',
      edited('milan', 'GatewayServer', 'rome', 'spec/mtu', 1280),
      ['milan drift/mtu GatewayServer rome'],
      'rome milan',
      'arrives',
    ],
  ],
  overlap: [
    [
      'the views of two peers are exchanged',
      all(
        moved('hub', 'a', '10.68.0.0/16', '10.99.0.0/16'),
        moved('hub', 'd', '10.66.0.0/16', '10.68.0.0/16'),
        moved('hub', 'a', '10.99.0.0/16', '10.66.0.0/16'),
      ),
      ['hub drift/other-view Configuration a', 'hub drift/other-view Configuration d'],
      'hub a',
      'arrives',
    ],
    [
      'the Configuration of b in a is deleted',
      without('a', (it) => /^(Configuration|Network)$/.test(it.kind) && peerOf(it) === 'b'),
      ['a drift/missing Configuration b'],
      'a b',
    ],
    [
      'a has a second Configuration for b',
      copied('a', 'Configuration', 'b', 'by-hand'),
      ['a drift/second-configuration Configuration by-hand'],
      'a b',
    ],
    [
      'c records old networks as its own towards e',
      edited('c', 'Configuration', 'e', 'spec/local/cidr/pod', ['10.99.0.0/16']),
      ['c drift/stale-local Configuration e'],
      'c e',
      'arrives',
    ],
    [
      'the label of the Configuration of c in d is gone',
      edited('d', 'Configuration', 'c', 'metadata/labels', {}),
      ['d drift/label Configuration c'],
      'd c',
    ],
    [
      'a rule of the gateway of hub for f is edited',
      edited(
        'hub',
        'FirewallConfiguration',
        'f-remap-podcidr',
        'spec/table/chains/0/rules/natRules/0/to',
        '10.123.0.0/16',
      ),
      ['hub drift/nat-rules FirewallConfiguration f-remap-podcidr'],
      'hub f',
    ],
    [
      'the routes of e to the gateway for c are deleted',
      without('e', isOf('RouteConfiguration', 'c-node-gw')),
      ['e drift/routes RouteConfiguration c-node-gw'],
      'e c',
    ],
    [
      'hub forwards nothing: its routes to nodes are deleted',
      without('hub', (it) => it.kind === 'RouteConfiguration' && it.metadata.name.endsWith('-extcidr')),
      ['hub drift/routes'],
      'f b',
    ],
    [
      'a reserved network of hub is gone',
      without('hub', isOf('Network', 'reserved-2')),
      ['hub drift/own-network Network reserved-2'],
      'hub b',
      'arrives',
    ],
    [
      'a has a peering with a cluster that git does not have',
      (dumps) => {
        const ours = (dumps['a'] ?? []).filter(inNamespace('liqo-tenant-b'));
        const text = JSON.stringify(ours)
          .replaceAll('"b"', '"paris"')
          .replaceAll('-b"', '-paris"')
          .replaceAll('31761', '31999')
          .replaceAll(/10\.(6|7)/g, '10.1$1');
        dumps['a']?.push(...(JSON.parse(text) as Item[]));
      },
      ['a drift/extra-peer Namespace liqo-tenant-paris'],
      'a paris',
    ],
  ],
  customised: [
    [
      'the template of the gateways of hub is edited',
      edited(
        'hub',
        'WgGatewayServerTemplate',
        'weft-wireguard-server',
        'spec/template/spec/deployment/spec/replicas',
        1,
      ),
      ['hub drift/template WgGatewayServerTemplate weft-wireguard-server'],
      'hub edge',
      'arrives',
    ],
    [
      'the template of the gateways of quiet is deleted',
      without('quiet', isOf('WgGatewayClientTemplate', 'weft-wireguard-client')),
      ['quiet drift/missing WgGatewayClientTemplate weft-wireguard-client'],
      'quiet hub',
      'arrives',
    ],
    [
      'the gateway of leaf uses another template',
      edited('leaf', 'GatewayClient', 'hub', 'spec/clientTemplateRef/name', 'by-hand'),
      ['leaf drift/gateway GatewayClient hub'],
      'leaf hub',
      'arrives',
    ],
    [
      'quiet offers another node port to leaf',
      all(
        edited('quiet', 'GatewayServer', 'leaf', 'spec/endpoint/nodePort', 30999),
        tunnel('leaf', 'quiet', 'Connecting'),
      ),
      ['quiet drift/port GatewayServer leaf', 'leaf drift/not-connected Connection gw-quiet'],
      'leaf quiet',
    ],
    [
      'the load balancer of hub for edge has another address',
      edited('hub', 'GatewayServer', 'edge', 'spec/endpoint/loadBalancerIP', '203.0.113.77'),
      ['hub drift/port GatewayServer edge'],
      'edge hub',
      'arrives',
    ],
    [
      'leaf has a gateway of the other role for quiet',
      (dumps) => setAt(objectIn(dumps['leaf'] ?? [], 'GatewayClient', 'quiet'), 'kind', 'GatewayServer'),
      ['leaf drift/gateway-role GatewayClient quiet'],
      'leaf quiet',
    ],
    [
      'the peering of edge with hub is being deleted',
      edited('edge', 'Namespace', 'liqo-tenant-hub', 'metadata/deletionTimestamp', DELETED),
      ['edge drift/being-deleted Namespace liqo-tenant-hub'],
      'edge hub',
      'arrives',
    ],
    [
      'the tunnel of leaf and hub is in error',
      tunnel('leaf', 'hub', 'Error'),
      ['hub drift/not-connected Connection gw-leaf', 'leaf drift/not-connected Connection gw-hub'],
      'leaf hub',
    ],
    [
      'the label of the Configuration of hub in edge names another cluster',
      edited('edge', 'Configuration', 'hub', 'metadata/labels', {
        'liqo.io/remote-cluster-id': 'leaf',
        'configuration.liqo.io/configured': 'true',
      }),
      ['edge drift/label Configuration hub'],
      'edge hub',
    ],
    [
      'routes of hub into the tunnel to quiet lead nowhere',
      edited('hub', 'RouteConfiguration', 'quiet-gw-ext', 'spec/table/rules/0/routes/0/gw', '169.254.18.9'),
      ['hub drift/routes RouteConfiguration quiet-gw-ext'],
      'hub quiet',
    ],
  ],
  lends: [
    [
      'the Tenant of core in edge1 is drained',
      all(
        edited('edge1', 'Tenant', 'core', 'spec/tenantCondition', 'Drained'),
        edited('edge1', 'Namespace', 'shop-core', 'metadata/deletionTimestamp', DELETED),
        without('edge1', isOf('Namespace', 'remote-lab')),
      ),
      ['edge1 drift/tenant-condition Tenant core'],
      'core edge1',
      'arrives',
    ],
    [
      'the Tenant of core in edge2 is deleted',
      without('edge2', isOf('Tenant', 'core')),
      ['edge2 drift/missing Tenant core'],
      'core edge2',
      'arrives',
    ],
    [
      'a ResourceSlice of core is denied by edge1',
      conditionIs('core', 'ResourceSlice', 'edge1-slice', 'Resources', 'Denied'),
      ['core drift/other-status ResourceSlice edge1-slice'],
      'core edge1',
      'arrives',
    ],
    [
      'the VirtualNode of edge2 has less memory',
      edited('core', 'VirtualNode', 'edge2-slice', 'spec/resourceQuota/hard/memory', '1Gi'),
      ['core drift/other-spec VirtualNode edge2-slice'],
      'core edge2',
      'arrives',
    ],
    [
      'the offloading of shop is deleted',
      without('core', isOf('NamespaceOffloading', 'offloading', 'shop')),
      ['core drift/offloading NamespaceOffloading offloading'],
      'core edge1',
      'arrives',
    ],
    [
      'the kubeconfig of the virtual node of edge1 is deleted',
      without('core', isOf('Secret', 'kubeconfig-resourceslice-edge1-slice')),
      ['core drift/missing Secret kubeconfig-resourceslice-edge1-slice'],
      'core edge1',
      'arrives',
    ],
    [
      'the rules of core for pods of edge2 are edited',
      edited(
        'core',
        'FirewallConfiguration',
        'edge2-remap-podcidr',
        'spec/table/chains/0/rules/natRules/0/to',
        '10.123.0.0/16',
      ),
      ['core drift/nat-rules FirewallConfiguration edge2-remap-podcidr'],
      'core edge2',
    ],
    [
      'the keys of two peers are exchanged in core',
      (dumps) => {
        const [a, b] = ['edge1', 'edge2'].map((it) => objectIn(dumps['core'] ?? [], 'PublicKey', it));
        if (a === undefined || b === undefined) throw new Error('there are no keys');
        [a['spec'], b['spec']] = [b['spec'], a['spec']];
      },
      ['core drift/key PublicKey edge1', 'core drift/key PublicKey edge2'],
      'core edge1',
    ],
    [
      'core forwards nothing to edge2',
      edited('core', 'RouteConfiguration', 'core-node1-extcidr', 'spec/table/rules/0/dst', '10.99.0.0/16'),
      ['core drift/routes'],
      'edge1 edge2',
    ],
    [
      'the Tenant of core in edge1 is cordoned, and the namespace of shop there is gone',
      all(
        edited('edge1', 'Tenant', 'core', 'spec/tenantCondition', 'Cordoned'),
        without('edge1', isOf('Namespace', 'shop-core')),
      ),
      ['edge1 drift/tenant-condition Tenant core', 'edge1 drift/offloading Namespace shop-core'],
      'core edge1',
      'arrives',
    ],
    [
      'the Tenant of core in edge1 is cordoned, and its namespace is being deleted',
      all(
        edited('edge1', 'Tenant', 'core', 'spec/tenantCondition', 'Cordoned'),
        edited('edge1', 'Namespace', 'liqo-tenant-core', 'metadata/deletionTimestamp', DELETED),
      ),
      ['edge1 drift/being-deleted Namespace liqo-tenant-core'],
      'core edge1',
      'arrives',
    ],
    [
      'the Tenant of core in edge1 is cordoned, and its Configuration is being deleted',
      all(
        edited('edge1', 'Tenant', 'core', 'spec/tenantCondition', 'Cordoned'),
        edited('edge1', 'Configuration', 'core', 'metadata/deletionTimestamp', DELETED),
      ),
      ['edge1 drift/tenant-condition Tenant core', 'edge1 drift/being-deleted Configuration core'],
      'core edge1',
      'arrives',
    ],
    [
      'the namespace of shop in edge1 is being deleted',
      edited('edge1', 'Namespace', 'shop-core', 'metadata/deletionTimestamp', DELETED),
      ['edge1 drift/offloading Namespace shop-core'],
      'core edge1',
      'arrives',
    ],
  ],
  spokes: [
    [
      'the Tenant of rome in milan is cordoned',
      edited('milan', 'Tenant', 'rome', 'spec/tenantCondition', 'Cordoned'),
      ['milan drift/tenant-condition Tenant rome'],
      'rome milan',
      'arrives',
    ],
    [
      'the authentication of a ResourceSlice is denied',
      conditionIs('milan', 'ResourceSlice', 'milan-slice', 'Authentication', 'Denied'),
      ['milan drift/other-status ResourceSlice milan-slice'],
      'rome milan',
      'arrives',
    ],
    [
      'the VirtualNode of turin is deleted',
      without('rome', isOf('VirtualNode', 'turin-slice')),
      ['rome drift/missing VirtualNode turin-slice'],
      'rome turin',
      'arrives',
    ],
    [
      'the offloading of batch selects milan, too',
      edited(
        'rome',
        'NamespaceOffloading',
        'batch/offloading',
        'spec/clusterSelector/nodeSelectorTerms/0/matchExpressions/0/values',
        ['milan', 'turin'],
      ),
      ['rome drift/offloading NamespaceOffloading offloading'],
      'rome milan',
      'arrives',
    ],
    [
      'the namespace of batch in turin is deleted',
      without('turin', inNamespace('batch')),
      ['turin drift/offloading Namespace batch'],
      'rome turin',
      'arrives',
    ],
    [
      'a RoleBinding of the loan in milan is deleted',
      without('milan', isOf('RoleBinding', 'liqo-binding-liqo-remote-controlplane')),
      ['milan drift/missing RoleBinding liqo-binding-liqo-remote-controlplane'],
      'rome milan',
      'arrives',
    ],
    [
      'the quota of the slice in turin is deleted',
      without('turin', (it) => it.kind === 'Quota'),
      ['turin drift/missing Quota turin-slice-a8a4c692b93b'],
      'rome turin',
      'arrives',
    ],
    [
      'the gateway of milan is deleted',
      all(without('milan', isGatewayTo('rome')), edited('rome', 'Connection', 'gw-milan', 'status/value', 'Error')),
      ['milan drift/missing GatewayClient rome', 'rome drift/not-connected Connection gw-milan'],
      'milan rome',
    ],
    [
      'rome has two gateways for turin',
      all(copied('rome', 'GatewayServer', 'turin', 'by-hand'), copied('rome', 'Connection', 'gw-turin', 'gw-by-hand')),
      ['rome drift/second-gateway GatewayServer by-hand'],
      'rome turin',
    ],
    [
      'the routes of rome into the tunnel to turin are deleted',
      without('rome', isOf('RouteConfiguration', 'turin-gw-ext')),
      ['rome drift/routes RouteConfiguration turin-gw-ext'],
      'milan turin',
    ],
  ],
  mixed: [
    [
      'the Identity of turin in rome is deleted',
      without('rome', isOf('Identity', 'controlplane-turin')),
      ['rome drift/missing Identity controlplane-turin'],
      'rome turin',
      'arrives',
    ],
    [
      'a slice of oslo has other resources',
      edited('rome', 'ResourceSlice', 'oslo-slice', 'spec/resources/cpu', '9'),
      ['rome drift/other-spec ResourceSlice oslo-slice'],
      'rome oslo',
    ],
    [
      'the nonce of milan is gone',
      without('milan', isOf('Secret', 'liqo-nonce')),
      ['milan drift/missing Secret liqo-nonce'],
      'rome milan',
      'arrives',
    ],
    [
      'the virtual kubelet of turin is deleted',
      without('rome', isOf('Deployment', 'vk-turin-slice')),
      ['rome drift/missing Deployment vk-turin-slice'],
      'rome turin',
      'arrives',
    ],
    [
      'the map of namespaces of oslo is another',
      edited('rome', 'NamespaceMap', 'oslo', 'spec/desiredMapping', { demo: 'elsewhere' }),
      ['rome drift/other-spec NamespaceMap oslo'],
      'rome oslo',
    ],
    [
      'turin has another certificate to sign for rome',
      edited('turin', 'Tenant', 'rome', 'spec/csr', 'bm90IHRoaXMgb25l'),
      ['turin drift/other-spec Tenant rome'],
      'rome turin',
      'arrives',
    ],
    [
      'Liqo in turin is of another release',
      (dumps) => {
        for (const it of dumps['turin'] ?? [])
          if (it.metadata.labels?.['app.kubernetes.io/version'] !== undefined)
            it.metadata.labels['app.kubernetes.io/version'] = 'v1.0.3';
      },
      ['turin drift/release'],
      'rome turin',
      'arrives',
    ],
    [
      'rome sees milan at another network',
      moved('rome', 'milan', '10.81.0.0/16', '10.68.0.0/16'),
      ['rome drift/other-view Configuration milan'],
      'rome milan',
      'arrives',
    ],
    [
      'the rules of milan for rome are deleted',
      without('milan', isOf('FirewallConfiguration', 'rome-remap-podcidr')),
      ['milan drift/nat-rules FirewallConfiguration rome-remap-podcidr'],
      'rome milan',
    ],
    [
      'the tenant namespace of milan in rome has another name',
      (dumps) => {
        for (const it of dumps['rome'] ?? []) {
          if (isOf('Namespace', 'liqo-tenant-milan')(it)) it.metadata.name = 'milan-by-hand';
          if (it.metadata.namespace === 'liqo-tenant-milan') it.metadata.namespace = 'milan-by-hand';
        }
      },
      ['rome drift/namespace Namespace liqo-tenant-milan'],
      'rome milan',
      'arrives',
    ],
  ],
};

/** The disturbances of each fleet. */
export const CAUSES: ReadonlyMap<FleetName, readonly OneCause[]> = new Map(
  (Object.entries(ROWS) as [FleetName, readonly Row[]][]).map(([fleet, rows]) => [
    fleet,
    rows.map(([what, edit, finds, pair, arrives]) => {
      const [from = '', to = ''] = pair.split(' ');
      return { what, edit, finds, pair: [from, to], arrives: arrives !== undefined };
    }),
  ]),
);
