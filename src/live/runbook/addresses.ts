import { moveHost } from '../../base/net/prefix.ts';
import { prefixOf, printAddress } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { lowerGatewayRuleset, lowerNodeRuleset } from '../../bundle/nftables/lower-rulesets.ts';
import { printRuleset, type Ruleset } from '../../bundle/nftables/ruleset.ts';
import { type Check, type LinkEnd, onNode, type RunbookStep } from './runbook.ts';
import { tunnelAddress } from './tunnel.ts';

/** The host number of the example address in each network. */
const HOST = 10;

/** Checks the routes of nodes and gateways. */
export const routesStep = (ends: readonly [LinkEnd, LinkEnd]): RunbookStep => ({
  id: 'routes',
  title: 'Routes: on a node, into the tunnel, and out of it',
  checks: [...checksOf(ends[0], ends[1]), ...checksOf(ends[1], ends[0])],
  outcomes: [
    {
      when: 'a RouteConfiguration is missing',
      next: 'the InternalFabric or the Configuration is not ready: go back to the objects',
    },
    {
      when: 'the node sends it to its default gateway',
      next: 'the fabric pod of that node did not apply the routes: see its log (DaemonSet liqo-fabric)',
    },
    {
      when: 'another rule catches it first',
      next: '"ip rule" lists them in order: a node network that overlaps the view must be in `reserved`',
    },
  ],
});

function checksOf(end: LinkEnd, far: LinkEnd): readonly Check[] {
  const { name, names, cluster, peer, kubectl, inGateway } = end;
  const dialled = hostIn(end.views[0]);
  const real = hostIn(far.pods[0]);
  const sender = hostIn(end.pods[0]);
  const seenSource = hostIn(end.views[0]);
  const next = tunnelAddress(peer.role === 'server' ? 'client' : 'server');
  const routes = [`${names.configuration}-gw-ext`, `${end.far}-node-gw`];
  return [
    {
      cluster: name,
      command: kubectl(`get routeconfigurations.networking.liqo.io ${routes.join(' ')}`),
      expect: [{ what: 'RouteConfigurations', value: routes.join(', ') }],
    },
    {
      cluster: name,
      command: kubectl(
        `get internalfabrics.networking.liqo.io ${end.far} -o jsonpath='{.spec.interface}{"\\n"}' && kubectl --context ${name} get internalnodes.networking.liqo.io -o yaml`,
      ),
      expect: [
        {
          what: 'names of the Geneve interfaces: in the first on nodes, in the InternalNodes in gateways (GENEVE)',
          value: 'liqo.*',
        },
      ],
    },
    {
      cluster: name,
      command: onNode(cluster, `ip route get ${dialled}`),
      expect: [{ what: 'via the internal address of the gateway, dev', value: 'liqo.*' }],
    },
    {
      cluster: name,
      command: inGateway(`ip route get ${real} from ${sender} iif GENEVE`),
      expect: [{ what: `via, dev ${TUNNEL_INTERFACE}`, value: next }],
    },
    {
      cluster: name,
      command: inGateway(`ip route get ${sender} from ${seenSource} iif ${TUNNEL_INTERFACE}`),
      expect: [
        { what: 'for the address of a pod that runs: via the internal address of its node, dev', value: 'liqo.*' },
      ],
    },
  ];
}

const hostIn = (network: string | undefined): string => {
  const prefix = prefixOf(network ?? '0.0.0.0/32');
  return printAddress(moveHost(prefix.base + Math.min(HOST, 2 ** (32 - prefix.length) - 1), prefix));
};

/** Checks the rules of gateways and nodes, and their counters. */
export const translationsStep = (ends: readonly LinkEnd[]): RunbookStep => ({
  id: 'translations',
  title: 'Translations: tables and rules of nftables',
  checks: ends.flatMap((it) => [firewallConfigurationsCheck(it), ...tables(it), tracked(it), ...counters(it)]),
  outcomes: [
    {
      when: 'a FirewallConfiguration is missing',
      next: 'its Configuration is not ready: go back to the objects',
    },
    {
      when: 'the FirewallConfiguration is there, and the table is not, or has other networks',
      next: 'the gateway or the fabric pod of that node did not apply it: see the log, and its conditions',
    },
    {
      when: 'you look for counters',
      next: 'rules that translate have none: use conntrack; of Liqo only filter rules count, and those grow with new connections',
    },
    {
      when: 'conntrack has an entry without the translation',
      next: 'it is older than the rules: "conntrack -D -d ADDRESS" in the gateway, or let the sender open a new connection',
    },
  ],
});

function firewallConfigurationsCheck({ name, names, kubectl }: LinkEnd): Check {
  const expected = ['remap-podcidr', 'remap-externalcidr', 'masquerade-bypass'].map(
    (it) => `${names.configuration}-${it}`,
  );
  return {
    cluster: name,
    command: kubectl(`get firewallconfigurations.networking.liqo.io ${expected.join(' ')}`),
    expect: [{ what: 'FirewallConfigurations', value: expected.join(', ') }],
  };
}

function tables(end: LinkEnd): readonly Check[] {
  const { cluster, peer, name, inGateway } = end;
  const gateway = lowerGatewayRuleset(cluster, peer);
  const [bypass] = lowerNodeRuleset(cluster, peer).tables;
  return [
    ...gateway.tables.map((table) => ({
      cluster: name,
      command: inGateway(`nft list table ip ${table.name}`),
      expect: rulesOf({ tables: [table] }),
    })),
    ...(bypass === undefined
      ? []
      : [
          {
            cluster: name,
            command: onNode(cluster, `nft list table ip ${bypass.name}`),
            expect: rulesOf({ tables: [bypass] }),
          },
        ]),
  ];
}

/** The expected rules in the form that `nft` lists. Liqo gives some rules random names, so no name is shown. */
function rulesOf(ruleset: Ruleset): Check['expect'] {
  const rules = printRuleset(ruleset, [])
    .split('\n')
    .filter((it) => / [ds]nat /.test(it))
    .map((it) =>
      it
        .trim()
        .replace(/ comment ".*"$/, '')
        .replace('nat ip prefix to', 'nat prefix to'),
    );
  if (rules.length === 0) return [{ what: 'chains', value: 'both empty, because nothing is remapped' }];
  return rules.map((value) => ({ what: 'rule', value }));
}

const tracked = ({ name, views, inGateway }: LinkEnd): Check => ({
  cluster: name,
  command: inGateway(`conntrack -L -d ${views[0] ?? ''}`),
  expect: [
    {
      what: 'for a connection that is open: answers come from the real network of the peer',
      value: 'src of the second half',
    },
  ],
});

/** Liqo 1.0 has no counters. Source: liqotech/liqo@v1.1.2 pkg/firewall/utils/filterule.go. */
function counters({ cluster, name, inGateway }: LinkEnd): readonly Check[] {
  if (!cluster.traits.clampsSegmentSize) return [];
  return [
    {
      cluster: name,
      command: inGateway('nft list table ip mss-clamping'),
      expect: [
        {
          what: 'a counter that grows with each new TCP connection into the tunnel',
          value: 'tcp option maxseg size set rt mtu',
        },
      ],
    },
    {
      cluster: name,
      command: inGateway('nft list table ip service-nodeport-routing'),
      expect: [{ what: 'counters that grow only with packets that are not from pods', value: 'ct mark set' }],
    },
  ];
}
