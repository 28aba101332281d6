import { diagnostic } from '../diagnostics/diagnostic.ts';
import type { Prefix } from '../net/prefix.ts';
import { prefixOf, readAddress } from '../net/text.ts';
import { allocatorOf } from '../releases/allocators.ts';
import {
  DEFAULT_EXTERNAL_CIDR,
  DEFAULT_IMAGE_REGISTRY,
  DEFAULT_INTERNAL_CIDR,
  DEFAULT_LIQO_NAMESPACE,
  DEFAULT_MTU_BYTES,
  DEFAULT_POOLS,
} from '../releases/install-defaults.ts';
import { LIQO_PING, type Ping } from '../releases/ping.ts';
import { DEFAULT_TUNNEL_PORT } from '../releases/ports.ts';
import {
  DEFAULT_RELEASE,
  isNewerThanChecked,
  NEWEST_PATCH,
  type Release,
  releaseOf,
  translatesSourcesWrongly,
} from '../releases/release.ts';
import { traitsOf } from '../releases/traits.ts';
import type { Located } from '../source/located.ts';
import type { Reading } from '../source/reading.ts';
import type { Span } from '../source/source.ts';
import type { CidrRequest, ClusterDeclaration, ClusterGitOps, Gateway, PortRange } from './declaration.ts';
import { checkDialAddress, type Report, readCidr, readOwnCidr } from './read-cidr.ts';
import type { ClusterSpec, GatewaySpec, Topology } from './schema-types.ts';

/** In the order in which the IPAM tries them. */
const POOLS = DEFAULT_POOLS.map(prefixOf);

/** Enough Service ports for the links of a busy hub, from Liqo's own on. */
const DEFAULT_PORTS = `${DEFAULT_TUNNEL_PORT}-${DEFAULT_TUNNEL_PORT + 999}`;

/** Lowest to highest MTU that is accepted: an IPv4 host must take 576 bytes (RFC 791), a length field has 16 bits. */
export const MTU_BYTES = { lowest: 576, highest: 65535 } as const;

export interface ClusterText {
  readonly name: Located<string>;
  /** The cluster's own keys laid over `defaults`. */
  readonly cluster: Reading<ClusterSpec>;
  /** The whole topology, for the fleet's settings. */
  readonly topology: Reading<Topology>;
}

/** Reads one cluster. Reports every text that is not what its key takes; `undefined` when a part that others need is missing. */
export function readCluster({ name, cluster, topology }: ClusterText, report: Report): ClusterDeclaration | undefined {
  const of = `of "${name.value}"`;
  const cidrs = (key: 'podCIDR' | 'serviceCIDR' | 'reserved'): readonly (Located<Prefix> | undefined)[] =>
    (cluster.at(key).texts() ?? []).map((it) => readOwnCidr(it, `${key} ${of}`, report));
  const [liqo, fleetLiqo] = [cluster.at('liqo'), topology.at('liqo')];
  const release = readRelease(liqo.at('version').scalar() ?? fleetLiqo.at('version').scalar(), report);
  const podCIDRs = required(cidrs('podCIDR'), 'podCIDR', name, report);
  const serviceCIDRs = required(cidrs('serviceCIDR'), 'serviceCIDR', name, report);
  const external = readCidrRequest(cluster, 'externalCIDR', prefixOf(DEFAULT_EXTERNAL_CIDR), name, report);
  const internal = readCidrRequest(cluster, 'internalCIDR', prefixOf(DEFAULT_INTERNAL_CIDR), name, report);
  const reserved = cidrs('reserved');
  const ownPools = cluster.at('ipam').at('pools');
  const pools = readPools(
    ownPools.isPresent
      ? { pools: ownPools, otherwiseAt: cluster.span, what: `pool ${of}` }
      : { pools: topology.at('ipam').at('pools'), otherwiseAt: topology.span, what: `pool ${of}` },
    report,
  );
  const gateway = readGateway(cluster.at('gateway'), name.value, report);
  const serviceCIDR = serviceCIDRs[0];
  if (!release || !serviceCIDR || !external || !internal || podCIDRs.length === 0) return undefined;
  return {
    name: name.value,
    at: name.at,
    release,
    traits: traitsOf(release.line),
    liqoNamespace: settingOf(liqo.at('namespace'), fleetLiqo.at('namespace'), DEFAULT_LIQO_NAMESPACE),
    image: {
      registry: settingOf(
        liqo.at('image').at('registry'),
        fleetLiqo.at('image').at('registry'),
        DEFAULT_IMAGE_REGISTRY,
      ),
      tag: settingOf(liqo.at('image').at('tag'), fleetLiqo.at('image').at('tag'), `v${release.version}`),
    },
    allocator: allocatorOf(topology.at('ipam').at('allocator').orDefault('liqo').value, release.line),
    pools,
    podCIDRs,
    serviceCIDR,
    external,
    internal,
    reserved: reserved.filter((it) => it !== undefined),
    labels: cluster.at('labels').textMap(),
    retired: cluster.at('retired').orDefault(false).value,
    hubs: cluster.at('hub').texts() ?? null,
    gateway,
    gitops: readClusterGitOps(cluster, name.value),
  };
}

/** What the cluster sets itself, else what the fleet sets, else a default. */
const settingOf = (own: Reading<string>, fleets: Reading<string>, otherwise: string): string =>
  (own.scalar() ?? fleets.scalar())?.value ?? otherwise;

function readRelease(text: Located<string> | undefined, report: Report): Release | undefined {
  if (!text) return DEFAULT_RELEASE;
  const release = releaseOf(text.value);
  if (!release) {
    report(
      diagnostic('topology/unknown-release', text.at, `weft does not know Liqo "${text.value}"`, {
        hint: releaseOf(text.value.replace(/^v/, ''))
          ? `write it without the "v": "${text.value.slice(1)}"`
          : `known are ${Object.entries(NEWEST_PATCH)
              .map(([line, newest]) => `"${line}" (newest ${newest})`)
              .join(', ')}`,
      }),
    );
    return undefined;
  }
  if (translatesSourcesWrongly(release)) {
    report(
      diagnostic('topology/release-1.0.0', text.at, 'Liqo 1.0.0 translates sources with a wrong rule, fixed in 1.0.1', {
        hint: `upgrade, and write "1.0" (${NEWEST_PATCH['1.0']})`,
      }),
    );
  }
  const newest = NEWEST_PATCH[release.line];
  if (isNewerThanChecked(release)) {
    report(
      diagnostic(
        'topology/unknown-patch',
        text.at,
        `Liqo ${release.version} is newer than what weft was checked against (${newest})`,
        {
          hint: `weft compiles for it as for ${newest}; read Liqo's release notes for changes of addresses or objects`,
        },
      ),
    );
  }
  return release;
}

/** All of a required list, or nothing (reported): one bad entry already makes the cluster unreadable. */
function required(
  read: readonly (Located<Prefix> | undefined)[],
  key: string,
  name: Located<string>,
  report: Report,
): readonly Located<Prefix>[] {
  if (read.length === 0) {
    report(
      diagnostic('topology/missing-key', name.at, `"${name.value}" has no ${key}`, {
        hint: `add \`${key}: \` with the cluster's own network to "${name.value}" or to \`defaults\``,
      }),
    );
  }
  const good = read.filter((it) => it !== undefined);
  return good.length === read.length ? good : [];
}

function readCidrRequest(
  cluster: Reading<ClusterSpec>,
  key: 'externalCIDR' | 'internalCIDR',
  byDefault: Prefix,
  name: Located<string>,
  report: Report,
): CidrRequest | undefined {
  const text = cluster.at(key).scalar();
  if (!text) return { kind: 'default', prefix: byDefault, at: name.at };
  if (text.value === 'auto') return { kind: 'auto', at: text.at };
  const read = readOwnCidr(text, `${key} of "${name.value}"`, report);
  return read && { kind: 'explicit', prefix: read.value, at: read.at };
}

export interface PoolsText {
  readonly pools: Reading<string[]>;
  /** What a default points at. */
  readonly otherwiseAt: Span;
  readonly what: string;
}

/** The pools that the topology lists, or Liqo's. */
export function readPools({ pools, otherwiseAt, what }: PoolsText, report: Report): readonly Located<Prefix>[] {
  const texts = pools.texts();
  if (!texts) return POOLS.map((value) => ({ value, at: otherwiseAt }));
  return texts.map((it) => readCidr(it, what, report)).filter((it) => it !== undefined);
}

function readClusterGitOps(cluster: Reading<ClusterSpec>, name: string): ClusterGitOps {
  const gitops = cluster.at('gitops');
  return {
    name: gitops.at('name').orDefault(name).value,
    server: gitops.at('server').scalar()?.value ?? null,
    kubeConfigSecret: gitops.at('kubeConfigSecret').scalar()?.value ?? null,
  };
}

function readGateway(gateway: Reading<GatewaySpec>, name: string, report: Report): Gateway {
  const short = gateway.scalar();
  const addresses = short ? [short] : (gateway.at('addresses').texts() ?? []);
  const dialAddress = gateway.at('dial').at('address').scalar() ?? null;
  const dialPort = gateway.at('dial').at('port').scalar() ?? null;
  const loadBalancerIP = gateway.at('loadBalancerIP').scalar();
  if (loadBalancerIP) checkLoadBalancerIP(loadBalancerIP, name, report);
  if (dialAddress) checkDialAddress(dialAddress, `dial address of "${name}"`, report);
  if (dialPort) checkPort(dialPort, `dial port of "${name}"`, report);
  const listenPort = gateway.at('listenPort').scalar();
  if (listenPort) checkPort(listenPort, `listenPort of "${name}"`, report);
  return {
    addresses: addresses.filter((it) => checkDialAddress(it, `gateway address of "${name}"`, report)),
    service: gateway.at('service').orDefault('NodePort').value,
    ports: readRange(gateway.at('ports').orDefault(DEFAULT_PORTS), `ports of "${name}"`, report),
    nodePorts: readRange(gateway.at('nodePorts').orDefault('30000-32767'), `nodePorts of "${name}"`, report),
    loadBalancerIP: loadBalancerIP?.value ?? null,
    mtuBytes: checkMtu(gateway.at('mtu').orDefault(DEFAULT_MTU_BYTES), `mtu of "${name}"`, report),
    replicas: gateway.at('replicas').orDefault(1).value,
    nodeSelector: gateway.at('nodeSelector').textMap(),
    tolerations: gateway.at('tolerations').plain() ?? [],
    serviceAnnotations: gateway.at('serviceAnnotations').textMap(),
    dial: { address: dialAddress, port: dialPort },
    server: gateway.at('server').scalar()?.value ?? 'auto',
    listenPort: listenPort?.value ?? null,
    ping: readPing(gateway.at('ping')),
  };
}

function checkLoadBalancerIP(text: Located<string>, name: string, report: Report): void {
  if (readAddress(text.value) !== undefined) return;
  report(
    diagnostic('topology/bad-address', text.at, `loadBalancerIP of "${name}" is not an IPv4 address: "${text.value}"`, {
      hint: 'a DNS name goes into `addresses` or `dial.address`',
    }),
  );
}

type PingSpec = NonNullable<Exclude<GatewaySpec, string>['ping']>;

function readPing(written: Reading<PingSpec>): Ping | null {
  if (!written.isPresent) return null;
  const ping: Ping = {
    enabled: (written.scalar() ?? written.at('enabled').orDefault(LIQO_PING.enabled)).value,
    lossThreshold: written.at('lossThreshold').orDefault(LIQO_PING.lossThreshold).value,
    interval: written.at('interval').orDefault(LIQO_PING.interval).value,
    updateStatusInterval: written.at('updateStatusInterval').orDefault(LIQO_PING.updateStatusInterval).value,
  };
  // Asking for what Liqo does anyway asks for nothing, so no template is written for it.
  return JSON.stringify(ping) === JSON.stringify(LIQO_PING) ? null : ping;
}

/** Reports an MTU that no tunnel can have; gives it back unchanged. */
export function checkMtu(mtu: Located<number>, what: string, report: Report): Located<number> {
  if (mtu.value >= MTU_BYTES.lowest && mtu.value <= MTU_BYTES.highest) return mtu;
  report(
    diagnostic(
      'topology/mtu-out-of-range',
      mtu.at,
      `${what} is ${mtu.value} bytes, outside ${MTU_BYTES.lowest} to ${MTU_BYTES.highest}`,
      {
        hint: `Liqo's default is ${DEFAULT_MTU_BYTES}; take the MTU of the link between the gateways minus 60 (IPv4)`,
      },
    ),
  );
  return mtu;
}

/** Reports a port outside 1 to 65535. */
export function checkPort(port: Located<number>, what: string, report: Report): void {
  if (port.value >= 1 && port.value <= 65535) return;
  report(diagnostic('topology/bad-range', port.at, `${what} is ${port.value}, outside 1 to 65535`));
}

function readRange(text: Located<string | number>, what: string, report: Report): PortRange {
  const match = /^(\d{1,5})(?:\s*-\s*(\d{1,5}))?$/.exec(String(text.value));
  const first = Number(match?.[1]);
  const last = Number(match?.[2] ?? match?.[1]);
  if (match && first >= 1 && last <= 65535 && first <= last) return { first, last, at: text.at };
  report(
    diagnostic('topology/bad-range', text.at, `${what} is not a range of ports: "${text.value}"`, {
      hint:
        match && first > last
          ? `the smaller port goes first: "${last}-${first}"`
          : 'like "30000-32767", from 1 to 65535',
    }),
  );
  return unreadRange(text.at);
}

/** Stands for a range that was reported; nothing is compiled from it. */
const unreadRange = (at: Span): PortRange => ({ first: 1, last: 65535, at });
