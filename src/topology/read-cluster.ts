import { diagnostic } from '../diagnostics/diagnostic.ts';
import type { Prefix } from '../net/prefix.ts';
import { prefixOf, readAddress } from '../net/text.ts';
import { type AllocatorSetting, allocatorOf } from '../releases/allocators.ts';
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
import { type DocumentNode, type DocumentPath, nodeAt, plainOf } from '../source/document-node.ts';
import { type Located, orDefault, scalarAt, stringMapAt, stringsAt } from '../source/located.ts';
import type { Span } from '../source/source.ts';
import type { CidrRequest, ClusterDeclaration, ClusterGitOps, Gateway, PortRange, Toleration } from './declaration.ts';
import { checkDialAddress, type Report, readCidr, readOwnCidr } from './read-cidr.ts';

/** In the order in which the IPAM tries them. */
const POOLS = DEFAULT_POOLS.map(prefixOf);

/** Enough Service ports for the links of a busy hub, from Liqo's own on. */
const DEFAULT_PORTS = `${DEFAULT_TUNNEL_PORT}-${DEFAULT_TUNNEL_PORT + 999}`;

/** Lowest to highest MTU that is accepted: an IPv4 host must take 576 bytes (RFC 791), a length field has 16 bits. */
export const MTU_BYTES = { lowest: 576, highest: 65535 } as const;

export interface ClusterText {
  readonly name: Located<string>;
  /** The cluster's own keys laid over `defaults`. */
  readonly node: DocumentNode;
  /** The whole topology, for the fleet's settings. */
  readonly root: DocumentNode;
}

/** Reads one cluster. Reports every text that is not what its key takes; `undefined` when a part that others need is missing. */
export function readCluster({ name, node, root }: ClusterText, report: Report): ClusterDeclaration | undefined {
  const of = `of "${name.value}"`;
  const cidrs = (path: DocumentPath, what: string): readonly (Located<Prefix> | undefined)[] =>
    (stringsAt(node, path) ?? []).map((it) => readOwnCidr(it, `${what} ${of}`, report));
  const release = readRelease(
    scalarAt<string>(node, ['liqo', 'version']) ?? scalarAt<string>(root, ['liqo', 'version']),
    report,
  );
  const podCIDRs = required(cidrs(['podCIDR'], 'podCIDR'), 'podCIDR', name, report);
  const serviceCIDRs = required(cidrs(['serviceCIDR'], 'serviceCIDR'), 'serviceCIDR', name, report);
  const external = readCidrRequest(node, 'externalCIDR', prefixOf(DEFAULT_EXTERNAL_CIDR), name, report);
  const internal = readCidrRequest(node, 'internalCIDR', prefixOf(DEFAULT_INTERNAL_CIDR), name, report);
  const reserved = cidrs(['reserved'], 'reserved');
  const pools = readPools(nodeAt(node, ['ipam', 'pools']) ? node : root, `pool ${of}`, report);
  const gateway = readGateway(node, name.value, report);
  const serviceCIDR = serviceCIDRs[0];
  if (!release || !serviceCIDR || !external || !internal || podCIDRs.length === 0) return undefined;
  return {
    name: name.value,
    at: name.at,
    release,
    traits: traitsOf(release.line),
    liqoNamespace: settingOf(node, root, ['liqo', 'namespace'], DEFAULT_LIQO_NAMESPACE),
    image: {
      registry: settingOf(node, root, ['liqo', 'image', 'registry'], DEFAULT_IMAGE_REGISTRY),
      tag: settingOf(node, root, ['liqo', 'image', 'tag'], `v${release.version}`),
    },
    allocator: allocatorOf(scalarAt<AllocatorSetting>(root, ['ipam', 'allocator'])?.value ?? 'liqo', release.line),
    pools,
    podCIDRs,
    serviceCIDR,
    external,
    internal,
    reserved: reserved.filter((it) => it !== undefined),
    labels: stringMapAt(node, ['labels']),
    retired: scalarAt<boolean>(node, ['retired'])?.value ?? false,
    hubs: stringsAt(node, ['hub']) ?? null,
    gateway,
    gitops: readClusterGitOps(node, name.value),
  };
}

function settingOf(node: DocumentNode, root: DocumentNode, path: DocumentPath, otherwise: string): string {
  return (scalarAt<string>(node, path) ?? scalarAt<string>(root, path))?.value ?? otherwise;
}

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
  node: DocumentNode,
  key: 'externalCIDR' | 'internalCIDR',
  byDefault: Prefix,
  name: Located<string>,
  report: Report,
): CidrRequest | undefined {
  const text = scalarAt<string>(node, [key]);
  if (!text) return { kind: 'default', prefix: byDefault, at: name.at };
  if (text.value === 'auto') return { kind: 'auto', at: text.at };
  const read = readOwnCidr(text, `${key} of "${name.value}"`, report);
  return read && { kind: 'explicit', prefix: read.value, at: read.at };
}

/** The pools below `ipam.pools` of a node, or Liqo's. */
export function readPools(node: DocumentNode, what: string, report: Report): readonly Located<Prefix>[] {
  const texts = stringsAt(node, ['ipam', 'pools']);
  if (!texts) return POOLS.map((value) => ({ value, at: node.span }));
  return texts.map((it) => readCidr(it, what, report)).filter((it) => it !== undefined);
}

function readClusterGitOps(node: DocumentNode, name: string): ClusterGitOps {
  return {
    name: scalarAt<string>(node, ['gitops', 'name'])?.value ?? name,
    server: scalarAt<string>(node, ['gitops', 'server'])?.value ?? null,
    kubeConfigSecret: scalarAt<string>(node, ['gitops', 'kubeConfigSecret'])?.value ?? null,
  };
}

function readGateway(cluster: DocumentNode, name: string, report: Report): Gateway {
  const short = scalarAt<string>(cluster, ['gateway']);
  const at = (...path: DocumentPath): DocumentPath => ['gateway', ...path];
  const addresses = short ? [short] : (stringsAt(cluster, at('addresses')) ?? []);
  const dialAddress = scalarAt<string>(cluster, at('dial', 'address')) ?? null;
  const dialPort = scalarAt<number>(cluster, at('dial', 'port')) ?? null;
  const loadBalancerIP = scalarAt<string>(cluster, at('loadBalancerIP'));
  if (loadBalancerIP) checkLoadBalancerIP(loadBalancerIP, name, report);
  if (dialAddress) checkDialAddress(dialAddress, `dial address of "${name}"`, report);
  if (dialPort) checkPort(dialPort, `dial port of "${name}"`, report);
  const listenPort = scalarAt<number>(cluster, at('listenPort'));
  if (listenPort) checkPort(listenPort, `listenPort of "${name}"`, report);
  return {
    addresses: addresses.filter((it) => checkDialAddress(it, `gateway address of "${name}"`, report)),
    service: scalarAt<Gateway['service']>(cluster, at('service'))?.value ?? 'NodePort',
    ports: readRange(orDefault<string | number>(cluster, at('ports'), DEFAULT_PORTS), `ports of "${name}"`, report),
    nodePorts: readRange(
      orDefault<string | number>(cluster, at('nodePorts'), '30000-32767'),
      `nodePorts of "${name}"`,
      report,
    ),
    loadBalancerIP: loadBalancerIP?.value ?? null,
    mtuBytes: checkMtu(orDefault<number>(cluster, at('mtu'), DEFAULT_MTU_BYTES), `mtu of "${name}"`, report),
    replicas: scalarAt<number>(cluster, at('replicas'))?.value ?? 1,
    nodeSelector: stringMapAt(cluster, at('nodeSelector')),
    tolerations: tolerationsAt(cluster, at('tolerations')),
    serviceAnnotations: stringMapAt(cluster, at('serviceAnnotations')),
    dial: { address: dialAddress, port: dialPort },
    server: scalarAt<'never' | 'prefer'>(cluster, at('server'))?.value ?? 'auto',
    listenPort: listenPort?.value ?? null,
    ping: readPing(cluster, at('ping')),
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

function tolerationsAt(node: DocumentNode, path: DocumentPath): readonly Toleration[] {
  const found = nodeAt(node, path);
  return found?.kind === 'list' ? (found.items.map(plainOf) as Toleration[]) : [];
}

function readPing(node: DocumentNode, path: DocumentPath): Ping | null {
  const found = nodeAt(node, path);
  if (found === undefined) return null;
  const ping: Ping = {
    enabled: scalarAt<boolean>(node, found.kind === 'map' ? [...path, 'enabled'] : path)?.value ?? LIQO_PING.enabled,
    lossThreshold: scalarAt<number>(node, [...path, 'lossThreshold'])?.value ?? LIQO_PING.lossThreshold,
    interval: scalarAt<string>(node, [...path, 'interval'])?.value ?? LIQO_PING.interval,
    updateStatusInterval:
      scalarAt<string>(node, [...path, 'updateStatusInterval'])?.value ?? LIQO_PING.updateStatusInterval,
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
