import { describe, expect, it } from 'vitest';
import { oncePer } from '../../../src/base/core/once.ts';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import { placeAt, type Source } from '../../../src/base/source/source.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { compileLive } from '../../../src/host/app/compile-live.ts';
import { filesOf } from '../../../src/host/app/find-topology.ts';
import { appliedObjects } from '../../bundle/gitops/applied-objects.ts';
import { keysOf } from '../../support/keys-of.ts';
import { simulateLiqoctl } from '../simulated/simulate-liqoctl.ts';
import { liveOf } from './live-of.ts';

/** A plain object of a dump, to be edited. */
type Plain = { [key: string]: unknown } & {
  kind: string;
  metadata: {
    name: string;
    namespace: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
    [key: string]: unknown;
  };
  spec: Record<string, unknown>;
  status: Record<string, unknown>;
};
type Dumps = Map<string, Plain[]>;

const made = simulateLiqoctl({
  clusters: {
    hub: { podCIDR: '10.200.0.0/16', serviceCIDR: '10.61.0.0/16' },
    milan: { podCIDR: '10.201.0.0/16', serviceCIDR: '10.96.0.0/12' },
    rome: { podCIDR: '10.201.0.0/16', serviceCIDR: '10.96.0.0/12' },
  },
  peerings: [
    { client: 'milan', server: 'hub', service: 'NodePort' },
    { client: 'rome', server: 'hub', service: 'NodePort' },
  ],
});

const dumps = (): Dumps =>
  new Map([...made].map(([id, list]) => [id, structuredClone(list.items) as unknown as Plain[]]));

function find(all: Dumps, cluster: string, kind: string, name: string): Plain {
  const found = all.get(cluster)?.find((it) => it.kind === kind && it.metadata.name === name);
  if (found === undefined) throw new Error(`${cluster} has no ${kind} ${name}`);
  return found;
}

function drop(all: Dumps, cluster: string, isDropped: (it: Plain) => boolean): void {
  all.set(cluster, all.get(cluster)?.filter((it) => !isDropped(it)) ?? []);
}

/** A broken Network of rome, before the IPAM has given anything. */
function setCIDR(all: Dumps, name: string, cidr: string | undefined): void {
  const network = find(all, 'rome', 'Network', name);
  network.spec = cidr === undefined ? {} : { cidr };
  network.status = {};
}

function copy(all: Dumps, cluster: string, kind: string, name: string): Plain {
  const object = structuredClone(find(all, cluster, kind, name));
  object.metadata.name = `${name}-2`;
  all.get(cluster)?.push(object);
  return object;
}

const isAbout = (remote: string) => (it: Plain) => it.metadata.labels?.['liqo.io/remote-cluster-id'] === remote;

interface Case {
  readonly code: Code;
  readonly edit: (all: Dumps) => void;
  readonly message: RegExp;
}

const CASES: readonly Case[] = [
  {
    code: 'import/no-networks',
    edit: (all) => {
      drop(all, 'rome', (it) => it.kind === 'Network' && it.metadata.name.startsWith('pod-cidr'));
      drop(all, 'hub', (it) => it.kind === 'Configuration' && it.metadata.name === 'rome');
    },
    message: /^the dumps of "rome" have no usable Network of its own pods.* and no dump of a peer shows its networks$/,
  },
  {
    code: 'import/networks-inferred',
    edit: (all) => drop(all, 'rome', (it) => it.kind === 'Network'),
    message:
      /^the dumps of "rome" have no usable Network for its pod, service, external CIDR; .* what the Configurations of "hub" have of it and an assumed service CIDR$/,
  },
  {
    code: 'import/networks-inferred',
    edit: (all) => drop(all, 'rome', (it) => it.metadata.name === 'service-cidr'),
    message:
      /^the dumps of "rome" have no usable Network for its service CIDR; the topology has an assumed service CIDR$/,
  },
  ...['10.70.0.1/16', 'fd00::/64', 'text', '10.70.0.0', '127.0.0.0/8', undefined].map(
    (cidr): Case => ({
      code: 'import/networks-inferred',
      edit: (all) => setCIDR(all, 'external-cidr', cidr),
      message:
        /^the dumps of "rome" have no usable Network for its external CIDR; .* Configurations of "hub" have of it$/,
    }),
  ),
  {
    code: 'import/not-expressible',
    edit: (all) => setCIDR(all, 'external-cidr', undefined),
    message: /^Network "external-cidr" of "rome" has no CIDR in its spec$/,
  },
  {
    code: 'import/not-expressible',
    edit: (all) => setCIDR(all, 'internal-cidr', '10.80.0.1/16'),
    message: /^Network "internal-cidr" of "rome" is 10\.80\.0\.1\/16: no network that Liqo can use$/,
  },
  {
    code: 'import/not-dumped',
    edit: (all) => drop(all, 'hub', (it) => it.kind === 'Configuration'),
    message: /^the dumps of "hub" have no Configuration for any peer, so how "hub" sees its peers is not known$/,
  },
  {
    code: 'import/no-dump',
    edit: (all) => all.delete('rome'),
    message: /^there is no dump of "rome": .* what "hub" has of it/,
  },
  {
    code: 'import/own-peer',
    edit: (all) => {
      copy(all, 'rome', 'Configuration', 'hub').metadata.labels['liqo.io/remote-cluster-id'] = 'rome';
    },
    message: /^"rome" has objects for a remote cluster "rome"/,
  },
  {
    code: 'import/release-unknown',
    edit: (all) => {
      for (const it of all.get('rome') ?? []) delete it.metadata.labels?.['helm.sh/chart'];
    },
    message: /^no object of "rome" shows its release of Liqo; its objects look like 1\.2$/,
  },
  {
    code: 'import/unsupported-release',
    edit: (all) => {
      for (const it of all.get('rome') ?? [])
        if (it.metadata.labels?.['helm.sh/chart'] !== undefined)
          Object.assign(it.metadata.labels, {
            'helm.sh/chart': 'liqo-v1.4.0',
            'app.kubernetes.io/version': 'v1.4.0',
          });
    },
    message: /^"rome" runs Liqo 1\.4\.0, which weft does not support; the topology has 1\.2$/,
  },
  {
    code: 'import/pools-unknown',
    edit: (all) => drop(all, 'rome', (it) => it.metadata.name === 'liqo-ipam'),
    message: /^the IPAM pools of 1 cluster are not in the dumps \("rome"\)/,
  },
  {
    code: 'import/one-side-missing',
    edit: (all) => drop(all, 'rome', isAbout('hub')),
    message: /^"hub" has objects for "rome", and "rome" has none for "hub"$/,
  },
  {
    code: 'import/missing-object',
    edit: (all) => drop(all, 'rome', (it) => it.kind === 'PublicKey'),
    message: /^"rome" has no PublicKey for "hub" in what was read$/,
  },
  {
    code: 'import/several-objects',
    edit: (all) => copy(all, 'rome', 'GatewayClient', 'hub'),
    message:
      /^"rome" has 2 gateways for "hub", .*: GatewayClient liqo-tenant-hub\/hub, GatewayClient liqo-tenant-hub\/hub-2$/,
  },
  {
    code: 'import/several-objects',
    edit: (all) => copy(all, 'rome', 'Secret', 'gw-hub'),
    message:
      /^"rome" has 2 Secrets with keys for "hub", .*: Secret liqo-tenant-hub\/gw-hub, Secret liqo-tenant-hub\/gw-hub-2$/,
  },
  {
    code: 'import/several-objects',
    edit: (all) => copy(all, 'rome', 'Namespace', 'liqo-tenant-hub'),
    message: /^"rome" has 2 tenant namespaces for "hub"/,
  },
  {
    code: 'import/link-left-out',
    edit: (all) => {
      drop(all, 'rome', (it) => it.kind === 'GatewayClient');
      drop(all, 'hub', (it) => it.kind === 'GatewayServer' && it.metadata.name === 'rome');
    },
    message: /^the topology leaves out the link between "hub" and "rome"/,
  },
  {
    // The remainder of a peering that was removed in the other cluster, which is gone.
    code: 'import/link-left-out',
    edit: (all) => {
      all.delete('rome');
      drop(all, 'hub', (it) => it.kind === 'Configuration' && it.metadata.name === 'rome');
    },
    message: /between "hub" and "rome": there is no dump of "rome", and no Configuration shows its networks$/,
  },
  {
    code: 'import/same-role',
    edit: (all) => {
      const server = find(all, 'hub', 'GatewayServer', 'rome');
      server.kind = 'GatewayClient';
      server.spec['endpoint'] = { addresses: ['203.0.113.99'], port: 30001, protocol: 'UDP' };
    },
    message: /^both ends of the link between "hub" and "rome" are GatewayClients/,
  },
  {
    code: 'import/mtu-differs',
    edit: (all) => {
      find(all, 'rome', 'GatewayClient', 'hub').spec['mtu'] = 1420;
    },
    message:
      /^the link between "hub" and "rome" has two MTUs: 1340 in GatewayServer \S+ of "hub", 1420 in GatewayClient \S+ of "rome"$/,
  },
  {
    code: 'import/dials-elsewhere',
    edit: (all) => {
      Object.assign(find(all, 'rome', 'GatewayClient', 'hub').spec['endpoint'] as object, { port: 4500 });
    },
    message:
      /^GatewayClient liqo-tenant-hub\/hub of "rome" dials 203\.0\.113\.11:4500, and GatewayServer \S+ of "hub" listens at port \d+$/,
  },
  {
    code: 'import/stale-view',
    edit: (all) => {
      const network = find(all, 'rome', 'Network', 'pod-cidr');
      network.spec['cidr'] = '10.204.0.0/16';
      network.status['cidr'] = '10.204.0.0/16';
    },
    message:
      /^Configuration liqo-tenant-rome\/rome of "hub" has 10\.201\.0\.0\/16 as pod CIDR of "rome", which has 10\.204\.0\.0\/16$/,
  },
  {
    code: 'import/stale-local',
    edit: (all) => {
      find(all, 'rome', 'Configuration', 'hub').spec['local'] = {
        cidr: { pod: ['10.9.0.0/16'], external: ['10.70.0.0/16'] },
      };
    },
    message:
      /^Configuration liqo-tenant-hub\/hub of "rome" has 10\.9\.0\.0\/16 as pod CIDR of its own cluster, which has 10\.201/,
  },
  {
    code: 'import/not-ready',
    edit: (all) => {
      find(all, 'rome', 'Configuration', 'hub').status = {};
    },
    message: /^Configuration liqo-tenant-hub\/hub of "rome" is not ready: its status does not have a network/,
  },
  {
    code: 'import/not-ready',
    edit: (all) => {
      const { status } = find(all, 'rome', 'Configuration', 'hub');
      status['conditions'] = [{ type: 'NetworkCIDRsConfigured', status: 'False' }];
    },
    message:
      /^Configuration liqo-tenant-hub\/hub of "rome" is not ready: Liqo has not confirmed its networks for "hub"$/,
  },
  {
    code: 'import/not-ready',
    edit: (all) => {
      delete find(all, 'rome', 'Configuration', 'hub').status['conditions'];
    },
    message: /^Configuration liqo-tenant-hub\/hub of "rome" is not ready: Liqo has not confirmed/,
  },
  {
    code: 'import/other-view',
    edit: (all) => {
      find(all, 'hub', 'Network', 'rome-pod-10-201-0-0-16').status['cidr'] = '10.99.0.0/16';
    },
    message:
      /^Network liqo-tenant-rome\/rome-pod-10-201-0-0-16 of "hub" is 10\.99\.0\.0\/16, and Configuration \S+ has 10\./,
  },
  {
    code: 'import/unusable-key',
    edit: (all) => {
      find(all, 'hub', 'PublicKey', 'rome').spec['publicKey'] = 'c2hvcnQ=';
    },
    message: /^PublicKey liqo-tenant-rome\/rome of "hub", for the gateway of "rome", is not 32 bytes in base64$/,
  },
  {
    code: 'import/unusable-key',
    edit: (all) => {
      const { spec } = find(all, 'hub', 'PublicKey', 'milan');
      find(all, 'hub', 'PublicKey', 'rome').spec['publicKey'] = spec['publicKey'];
    },
    message: /is the key of another gateway as well$/,
  },
  {
    code: 'import/not-expressible',
    edit: (all) => {
      find(all, 'hub', 'GatewayServer', 'rome').spec['serviceLabels'] = { team: 'network' };
    },
    message: /^GatewayServer liqo-tenant-rome\/rome of "hub" has labels for its Service/,
  },
  {
    code: 'import/not-expressible',
    edit: (all) => {
      find(all, 'rome', 'Network', 'pod-cidr').metadata.name = 'pod-cidr-10-201-0-0-16';
    },
    message: /^the Network of the pod CIDR of "rome" is called "pod-cidr-10-201-0-0-16"/,
  },
  {
    code: 'import/shortcut-connection',
    edit: (all) => {
      all.get('hub')?.push({
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'ForeignClusterConnection',
        metadata: { name: 'mine', namespace: 'default', labels: {} },
        spec: { foreignClusterA: 'rome', foreignClusterB: 'milan' },
        status: {},
      });
    },
    message: /^ForeignClusterConnection default\/mine of "hub"/,
  },
  {
    code: 'import/kept-by-gitops',
    edit: (all) => {
      find(all, 'rome', 'Configuration', 'hub').metadata.annotations = {
        'argocd.argoproj.io/tracking-id': 'peerings:networking.liqo.io/Configuration:liqo-tenant-hub/hub',
      };
    },
    message: /^Argo CD "peerings" applies 1 object of "rome", for instance Configuration liqo-tenant-hub\/hub$/,
  },
  {
    code: 'import/kept-by-another-tool',
    edit: (all) => {
      find(all, 'rome', 'Configuration', 'hub').metadata.labels['app.kubernetes.io/managed-by'] = 'Terraform';
    },
    message: /^Terraform keeps 1 object of "rome"/,
  },
];

const files = filesOf('topologies/fleet.yaml', undefined, false);

const importOf = (all: Dumps) =>
  compileLive(
    [...all].map(([id, items]) => liveOf(id, items)),
    { name: 'fleet', files },
  );

const importFindings = (all: Dumps) => importOf(all).diagnostics.filter((it) => it.code.startsWith('import/'));

/** The import after the edit of a case, which several tests look at. */
const importAfter = oncePer(({ edit }: Case) => {
  const all = dumps();
  edit(all);
  return importOf(all).diagnostics;
});

/** Without these nothing can be written that is true. */
const UNKNOWN: readonly Code[] = ['import/no-networks', 'import/not-dumped'];

describe('what is broken in live clusters', () => {
  it('is nothing in a fleet that liqoctl has just made', () => {
    expect(importFindings(dumps()).map((it) => it.message)).toEqual([]);
  });

  it.each(CASES.map((it, index) => [`${it.code} ${index}`, it] as const))('is found and named: %s', (_, it) => {
    const found = importAfter(it).filter((one) => one.code === it.code);
    expect(found.map((one) => one.message)).toEqual([expect.stringMatching(it.message)]);
    expect(found[0]?.hint).toMatch(/^[a-z]/);
  });

  it('is not reported again as missing in a topology that is not written', () => {
    const all = dumps();
    for (const it of all.keys()) drop(all, it, ({ kind }) => kind === 'Network' || kind === 'Configuration');
    const { diagnostics } = importOf(all);
    expect([...new Set(diagnostics.map((it) => it.code))].sort()).toEqual([...UNKNOWN]);
    expect(diagnostics[0]?.span.source.path).toBe('topologies/fleet.yaml (not written)');
  });

  it('has no effect on the networks where peers or the IPAM show them', () => {
    const text = (all: Dumps): string => {
      const fleet = importOf(all);
      return fleet.ok ? fleet.value.sources.topology.text : '';
    };
    const whole = text(dumps());
    expect(whole).not.toBe('');
    const fromPeers = dumps();
    drop(fromPeers, 'rome', (it) => it.kind === 'Network' && /^(pod|service|external)-cidr/.test(it.metadata.name));
    expect(text(fromPeers)).toBe(whole);
    const fromStatus = dumps();
    find(fromStatus, 'rome', 'Network', 'service-cidr').spec['cidr'] = '10.96.0.1/12';
    expect(text(fromStatus)).toBe(whole);
  });

  it('leaves a topology wherever one can be written', () => {
    for (const it of CASES.filter((one) => !UNKNOWN.includes(one.code))) {
      const errors = importAfter(it).filter((one) => one.severity === 'error');
      expect([it.code, errors.map((one) => one.message)]).toEqual([it.code, []]);
    }
  });

  it('is a comment where a cluster was not dumped', () => {
    const all = dumps();
    all.delete('rome');
    const fleet = importOf(all);
    const lines = fleet.ok ? fleet.value.sources.topology.text.split('\n') : [];
    const at = lines.findIndex((it) => it.startsWith('  rome:'));
    expect(lines[at - 1]).toMatch(/^ {2}# Not dumped: /);
    expect(lines[at]).toBe('  rome: { podCIDR: 10.201.0.0/16 }');
    expect(lines).toContain('defaults: { serviceCIDR: 10.96.0.0/12 }');
  });

  it('does not ask for new keys where a cluster that has them was not dumped', () => {
    const all = dumps();
    all.delete('hub');
    const [missing] = importOf(all).diagnostics.filter((it) => it.code === 'keys/missing');
    expect(missing?.hint).toMatch(
      /^dump "hub", whose PublicKeys have these keys, and take them from the keys file that "weft import" with another --topology writes; /,
    );
  });

  it('asks for a new key where the cluster that should have it has no PublicKey, so that nothing uses the old one', () => {
    const all = dumps();
    drop(all, 'hub', (it) => it.kind === 'PublicKey' && it.metadata.name === 'rome');
    const [missing, ...others] = importOf(all).diagnostics.filter((it) => it.code === 'keys/missing');
    expect(missing?.message).toMatch(/^1 of \d+ gateways has no public key, .*: "rome" towards hub$/);
    expect(others).toEqual([]);
  });

  it('asks for no new key of a cluster that was not dumped, whoever lacks its PublicKey', () => {
    const all = dumps();
    all.delete('rome');
    drop(all, 'hub', (it) => it.kind === 'PublicKey' && it.metadata.name === 'rome');
    const { diagnostics } = importOf(all);
    const missing = diagnostics.filter((it) => it.code === 'keys/missing');
    expect(missing.map((it) => it.message)).toEqual([
      expect.stringMatching(/have keys that git does not know, .*"rome" towards hub/),
    ]);
    const [object] = diagnostics.filter((it) => it.code === 'import/missing-object');
    expect(object?.message).toBe('"hub" has no PublicKey for "rome"');
    expect(object?.hint).toMatch(/^dump "rome" as well and import again with another --topology, or remove /);
  });

  it('has the line of the cluster that it is about', () => {
    const all = dumps();
    find(all, 'rome', 'GatewayClient', 'hub').spec['mtu'] = 1420;
    find(all, 'rome', 'Configuration', 'hub').status = {};
    const [found] = importFindings(all).filter((it) => it.code === 'import/not-ready');
    const { source, start } = found?.span ?? { source: { path: '', text: '' }, start: 0 };
    expect(source.text.split('\n')[placeAt(source, start).line - 1]).toMatch(/^ {2}rome:/);
  });
});

/** A hint, and the acts of a person who follows it. */
interface Followed {
  readonly code: Code;
  /** Words of the hint. */
  readonly says: string;
  /** The edit that is reported, if it is not that of the first case of the code. */
  readonly edit?: (all: Dumps) => void;
  readonly follow: (all: Dumps, imported: () => Imported) => void;
}

/** The import that a person reads, whose topology can be edited before it is compiled and applied. */
interface Imported {
  readonly topology: Source;
  apply(cluster: string, edited?: { readonly topology?: string; readonly keys?: Source | undefined }): void;
}

function importedFrom(all: Dumps): Imported {
  const fleet = importOf(all);
  if (!fleet.ok) throw new Error('nothing was imported');
  const { sources } = fleet.value;
  return {
    topology: sources.topology,
    apply(cluster, { topology = sources.topology.text, keys = sources.keys } = {}) {
      const edited = { ...sources, topology: { ...sources.topology, text: topology }, keys };
      const compiled = compile(edited, { relock: [], only: null });
      if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('; '));
      applyObjects(all, compiled.value, cluster);
    },
  };
}

/** Makes and changes objects like `kubectl apply`, and deletes none. */
function applyObjects(all: Dumps, compiled: Compiled, cluster: string): void {
  const items = all.get(cluster) ?? [];
  for (const { object } of appliedObjects(compiled, cluster)) {
    const applied = structuredClone(object) as unknown as Plain;
    const { name, namespace, labels } = applied.metadata;
    const found = items.find(
      (it) => it.kind === applied.kind && it.metadata.name === name && it.metadata.namespace === namespace,
    );
    if (found === undefined) items.push(applied);
    else {
      found.metadata.labels = { ...found.metadata.labels, ...labels };
      found.spec = { ...found.spec, ...applied.spec };
    }
  }
}

/** The dump of a cluster is made again, with everything. */
const dumpAgain =
  (...clusters: readonly string[]) =>
  (all: Dumps): void => {
    for (const it of clusters) all.set(it, dumps().get(it) ?? []);
  };

const apply =
  (...clusters: readonly string[]): Followed['follow'] =>
  (_, imported) => {
    const read = imported();
    for (const it of clusters) read.apply(it);
  };

const deleteCopies =
  (cluster: string): Followed['follow'] =>
  (all) =>
    drop(all, cluster, (it) => it.metadata.name.endsWith('-2'));

const withoutLabel = (all: Dumps): void => {
  delete find(all, 'rome', 'Namespace', 'liqo-tenant-hub-2').metadata.labels['liqo.io/tenant-namespace'];
};

const FOLLOWED: readonly Followed[] = [
  { code: 'import/no-networks', says: 'dump the Networks of all namespaces', follow: dumpAgain('rome', 'hub') },
  { code: 'import/networks-inferred', says: 'dump the Networks of all namespaces', follow: dumpAgain('rome') },
  { code: 'import/not-dumped', says: 'dump them from all namespaces', follow: dumpAgain('hub') },
  { code: 'import/not-dumped', says: 'leave out "hub"', follow: (all) => all.delete('hub') },
  {
    code: 'import/no-dump',
    says: 'dump "rome" as well and import again with another --topology',
    follow: dumpAgain('rome'),
  },
  {
    code: 'import/release-unknown',
    says: 'dump the Deployments of the namespace of Liqo',
    follow: dumpAgain('rome'),
  },
  {
    code: 'import/unsupported-release',
    says: 'change to a release that weft supports',
    follow: (all) => {
      for (const it of all.get('rome') ?? [])
        if (it.metadata.labels?.['helm.sh/chart'] !== undefined)
          Object.assign(it.metadata.labels, { 'helm.sh/chart': 'liqo-v1.2.0', 'app.kubernetes.io/version': 'v1.2.0' });
    },
  },
  { code: 'import/pools-unknown', says: 'dump the Deployment liqo-ipam as well', follow: dumpAgain('rome') },
  {
    code: 'import/one-side-missing',
    says: 'remove what "hub" has left of a former peering',
    follow: (all) => drop(all, 'hub', isAbout('rome')),
  },
  { code: 'import/one-side-missing', says: 'apply the bundle of "rome"', follow: apply('rome') },
  { code: 'import/missing-object', says: 'dump them as well', follow: dumpAgain('rome') },
  {
    code: 'import/missing-object',
    edit: (all) => drop(all, 'hub', (it) => it.kind === 'Configuration' && it.metadata.name === 'rome'),
    says: 'apply the bundle of "hub", which has it',
    follow: apply('hub'),
  },
  {
    code: 'import/missing-object',
    edit: (all) => drop(all, 'hub', (it) => it.kind === 'GatewayServer' && it.metadata.name === 'rome'),
    says: 'apply the bundle of "hub", which has it',
    follow: apply('hub'),
  },
  {
    code: 'import/missing-object',
    edit: (all) => drop(all, 'hub', (it) => it.kind === 'PublicKey' && it.metadata.name === 'rome'),
    says: 'run "weft keys generate", which makes a new pair for the gateway of "rome", and apply the bundle of "hub"',
    follow: (_, imported) => {
      const { topology, apply } = imported();
      apply('hub', { keys: keysOf(topology) });
    },
  },
  {
    code: 'import/missing-object',
    edit: (all) => {
      drop(all, 'rome', (it) => /^(Gateway|Configuration)/.test(it.kind) && isAbout('hub')(it));
      drop(all, 'hub', (it) => it.kind === 'GatewayServer' && isAbout('rome')(it));
    },
    says: 'remove what is left of a former peering',
    follow: (all) => {
      drop(all, 'rome', isAbout('hub'));
      drop(all, 'hub', isAbout('rome'));
    },
  },
  {
    code: 'import/one-side-missing',
    edit: (all) => {
      drop(all, 'rome', isAbout('hub'));
      drop(all, 'hub', (it) => /^Gateway/.test(it.kind) && isAbout('rome')(it));
    },
    says: 'remove what "hub" has left of a former peering',
    follow: (all) => drop(all, 'hub', isAbout('rome')),
  },
  {
    code: 'import/several-objects',
    says: 'delete those that are not in use; the topology describes',
    follow: deleteCopies('rome'),
  },
  {
    code: 'import/several-objects',
    edit: (all) => copy(all, 'rome', 'Secret', 'gw-hub'),
    says: 'delete those that are not in use',
    follow: deleteCopies('rome'),
  },
  {
    code: 'import/several-objects',
    edit: (all) => copy(all, 'rome', 'Namespace', 'liqo-tenant-hub'),
    says: 'remove the label "liqo.io/tenant-namespace"',
    follow: withoutLabel,
  },
  {
    code: 'import/link-left-out',
    says: 'connect the two with "liqoctl network connect"',
    follow: dumpAgain('rome', 'hub'),
  },
  {
    code: 'import/link-left-out',
    says: 'add the link to the topology',
    follow: (_, imported) => {
      const { topology, apply } = imported();
      const linked = topology.text.replace('peerings:\n', 'peerings:\n  - [rome, hub]\n');
      apply('rome', { topology: linked });
      apply('hub', { topology: linked });
    },
  },
  {
    code: 'import/link-left-out',
    edit: (all) => {
      all.delete('rome');
      drop(all, 'hub', (it) => it.kind === 'Configuration' && it.metadata.name === 'rome');
    },
    says: 'remove what "hub" has left of a former peering',
    follow: (all) => drop(all, 'hub', isAbout('rome')),
  },
  {
    code: 'import/same-role',
    says: 'delete the one that is wrong; the topology has "hub" as the server',
    follow: (all, imported) => {
      const { apply } = imported();
      drop(all, 'hub', (it) => it.kind === 'GatewayClient' && it.metadata.name === 'rome');
      apply('hub');
    },
  },
  { code: 'import/mtu-differs', says: 'when the bundle is applied', follow: apply('hub', 'rome') },
  {
    code: 'import/dials-elsewhere',
    says: 'correct `port` in the topology',
    follow: (all, imported) => {
      const { topology, apply } = imported();
      const { port } = find(all, 'hub', 'GatewayServer', 'rome').status['endpoint'] as { readonly port: number };
      apply('rome', { topology: topology.text.replace('port: 4500', `port: ${port}`) });
    },
  },
  {
    code: 'import/stale-view',
    says: 'delete the Configuration and apply the bundle of "hub"',
    follow: (all, imported) => {
      const { apply } = imported();
      drop(all, 'hub', (it) => it.kind === 'Configuration' && it.metadata.name === 'rome');
      apply('hub');
    },
  },
  {
    code: 'import/stale-local',
    says: 'remove `spec.local` from it and restart the controller manager',
    follow: (all) => {
      const own = dumps();
      find(all, 'rome', 'Configuration', 'hub').spec['local'] = find(own, 'rome', 'Configuration', 'hub').spec['local'];
    },
  },
  { code: 'import/not-ready', says: 'read the log of the controller manager', follow: dumpAgain('rome') },
  {
    code: 'import/not-ready',
    edit: (all) => {
      delete find(all, 'rome', 'Configuration', 'hub').status['conditions'];
    },
    says: 'wait and import again with another --topology',
    follow: dumpAgain('rome'),
  },
  {
    code: 'import/other-view',
    says: 'restart the controller manager of Liqo and import again with another --topology',
    follow: (all) => {
      const { status } = find(all, 'hub', 'Configuration', 'rome');
      Object.assign((status['remote'] as { readonly cidr: object }).cidr, { pod: ['10.99.0.0/16'] });
    },
  },
  {
    code: 'import/unusable-key',
    says: 'give the gateway of "rome" a key pair of its own',
    follow: (all) => {
      find(all, 'hub', 'PublicKey', 'rome').spec['publicKey'] = Buffer.alloc(32, 9).toString('base64');
    },
  },
  {
    code: 'import/kept-by-gitops',
    says: 'before these objects leave it',
    follow: (all) => {
      find(all, 'rome', 'Configuration', 'hub').metadata.annotations = {};
    },
  },
  {
    code: 'import/kept-by-another-tool',
    says: 'take these objects out of it',
    follow: (all) => {
      delete find(all, 'rome', 'Configuration', 'hub').metadata.labels['app.kubernetes.io/managed-by'];
    },
  },
];

/** Hints after which nothing is to be changed, or where a person looks for the cause. */
const BY_HAND: Readonly<Partial<Record<Code, string>>> = {
  'import/own-peer': 'whether the name of the cluster is right, only its people know',
  'import/not-expressible': 'it is decided before the bundle is applied, and applying the bundle changes it',
  'import/shortcut-connection': 'it is kept',
};

describe('a hint about live clusters that is followed', () => {
  it('exists for every code', () => {
    const followed = new Set([...FOLLOWED.map((it) => it.code), ...(Object.keys(BY_HAND) as readonly Code[])]);
    expect([...followed].sort()).toEqual([...new Set(CASES.map((it) => it.code))].sort());
  });

  it.each(FOLLOWED.map((it) => [it.code, it.says, it] as const))('resolves %s: %s', (code, says, it) => {
    const all = dumps();
    (it.edit ?? CASES.find((one) => one.code === code)?.edit)?.(all);
    const before = importFindings(all).filter((one) => one.code === code);
    expect(before.map((one) => one.hint)).toContainEqual(expect.stringContaining(says));
    it.follow(all, () => importedFrom(all));
    const after = importOf(all).diagnostics;
    expect(after.filter((one) => one.code === code || one.severity === 'error')).toEqual([]);
  });
});
