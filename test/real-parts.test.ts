import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { inFolders } from '../src/base/core/folder-files.ts';
import { printLinkId } from '../src/base/core/lock-key.ts';
import { overlaps } from '../src/base/net/prefix.ts';
import { prefixOf } from '../src/base/net/text.ts';
import type { Bundle } from '../src/bundle/emit/bundle.ts';
import { sharingOf } from '../src/fleet/sharing/shared-model.ts';
import {
  canonical,
  documentsOf,
  fileKind,
  filesBelow,
  type KubernetesObject,
  kustomizationRoots,
  kustomizedFolders,
  objectsIn,
  resourcesBelow,
  writeBundle,
} from './support/bundle-files.ts';
import { checkManifest } from './support/crd.ts';
import { drawn, RUNS_ALL } from './support/drawn.ts';
import { withEndNames } from './support/end-names.ts';
import { checkEntryPoint, entryPointSchemasMissing } from './support/entry-point-schemas.ts';
import { compiledFleets } from './support/fleets.ts';
import { kubectlAvailable, kustomizeAll } from './support/kubectl.ts';
import { nftAvailable, nftProblems } from './support/nft.ts';

/** In CI a missing tool is a failure and no reason to skip. */
const inCI = process.env['CI'] !== undefined && process.env['CI'] !== '';

const fleets = compiledFleets();
const counted = { objects: 0, bundles: 0, rulesets: 0 };
const folders: string[] = [];
afterAll(() => {
  for (const it of folders) rmSync(it, { recursive: true, force: true });
  console.info(
    `real parts: ${fleets.length} fleets, ${counted.objects} objects checked, ${counted.bundles} folders built, ${counted.rulesets} rulesets checked`,
  );
});

const isBefore12 = (version: string): boolean => version < '1.2';

/** Every YAML file of a fleet with its release, if it lies in the folder of a cluster. */
const yamlFiles = fleets.flatMap((fleet) =>
  [...fleet.compiled.bundle]
    .filter(([path]) => path.endsWith('.yaml'))
    .map(([path, text]) => {
      const cluster = fleet.compiled.model.clusters.get(path.split('/')[0] ?? '');
      return {
        fleet: fleet.name,
        where: `${fleet.name}: ${path}`,
        path,
        text,
        release: cluster?.release.version ?? null,
      };
    }),
);

const ofKind = (kind: ReturnType<typeof fileKind>) => yamlFiles.filter((it) => fileKind(it.path) === kind);

/** Kinds of the network that Liqo always gives a status; those of sharing get one once both halves of the handshake are there. */
const WITH_STATUS = new Set(['Configuration', 'Connection', 'ForeignClusterConnection', 'Network']);

/** An expected object has only the promised fields. */
const isExpected = (where: string): boolean => where.includes('/expected/');

const lacksStatus = (path: string, { kind }: KubernetesObject): boolean =>
  path.includes('/expected/') && WITH_STATUS.has(kind);

/** Objects of Liqo, or a namespace or a nonce, which the CRDs are tested with. */
const isOfLiqo = ({ apiVersion, kind }: KubernetesObject): boolean =>
  apiVersion.includes('.liqo.io/') || kind === 'Namespace' || kind === 'Secret';

describe('every object', () => {
  it('passes the CRD of its cluster’s release, unknown fields forbidden', () => {
    const wrong = ofKind('object').flatMap(({ where, text, release }) =>
      objectsIn(text)
        .filter(isOfLiqo)
        .flatMap((it) => {
          counted.objects++;
          return checkManifest(it, release ?? 'unknown').map((problem) => `${where}: ${problem}`);
        }),
    );
    expect(wrong).toEqual([]);
    expect(counted.objects).toBeGreaterThan(500);
  });

  it.skipIf(entryPointSchemasMissing)(
    'of another operator, and for accounts and rights, passes the schema of its kind (skipped without their packages)',
    () => {
      const others = ofKind('object').flatMap(({ where, text }) =>
        objectsIn(text)
          .filter((it) => !isOfLiqo(it))
          .map((it) => ({ where, object: it })),
      );
      const wrong = others.flatMap(({ where, object }) => {
        counted.objects++;
        const problems = checkEntryPoint(object).filter((it) => !(isExpected(where) && /required property/.test(it)));
        return problems.map((problem) => `${where}: ${problem}`);
      });
      expect(wrong).toEqual([]);
      const kinds = new Set(others.map((it) => it.object.kind));
      expect([...kinds].sort()).toEqual(expect.arrayContaining(['ExternalSecret', 'PrometheusRule', 'RoleBinding']));
    },
  );

  it.skipIf(entryPointSchemasMissing)(
    'of Argo CD and Flux passes the schema of its kind, unknown fields forbidden (skipped without their packages)',
    () => {
      const wrong = ofKind('entry-point').flatMap(({ where, text }) =>
        objectsIn(text).flatMap((it) => {
          counted.objects++;
          return checkEntryPoint(it).map((problem) => `${where}: ${problem}`);
        }),
      );
      expect(wrong).toEqual([]);
      expect(ofKind('entry-point').length).toBeGreaterThan(10);
    },
  );

  it('has a status where Liqo is expected to write one, and never where it is applied', () => {
    const wrong = ofKind('object').flatMap(({ where, path, text }) =>
      objectsIn(text)
        .filter((it) => ('status' in it ? !path.includes('/expected/') : lacksStatus(path, it)))
        .map((it) => `${where}: ${it.kind} ${it.metadata.name}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('files that hold no object of Liqo', () => {
  it('kustomizations have sorted resources that exist, and nothing else', () => {
    for (const fleet of fleets) {
      for (const folder of kustomizedFolders(fleet.compiled.bundle)) {
        const where = `${fleet.name}: ${folder}`;
        const [read] = documentsOf(fleet.compiled.bundle.get(`${folder}/kustomization.yaml`) ?? '');
        const { resources, sortOptions, ...rest } = read as {
          readonly resources: readonly string[];
          readonly sortOptions?: object;
        };
        expect(rest, where).toEqual({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' });
        // In a cluster with ordered links the list is in apply order, which kustomize has to keep.
        const peers = [...(fleet.compiled.model.clusters.get(folder)?.peers.values() ?? [])];
        const isOrdered = peers.some((it) => it.remapped);
        expect(sortOptions, where).toEqual(isOrdered ? { order: 'fifo' } : undefined);
        if (isOrdered) {
          const listed = resources.filter((it) => it.startsWith('peers/'));
          expect(listed, where).toEqual(peers.map((it) => `peers/${it.name}`));
        } else expect(resources, where).toEqual([...resources].sort());
        for (const it of filesBelow(fleet.compiled.bundle, folder))
          expect(fleet.compiled.bundle.has(it), `${where} names ${it}`).toBe(true);
      }
    }
  });

  it('values for the chart name the cluster and its pod CIDRs, as its release takes them', () => {
    const files = ofKind('values');
    expect(files.length).toBeGreaterThan(50);
    for (const { where, text, release } of files) {
      const [values] = documentsOf(text) as [
        { readonly discovery: unknown; readonly ipam: Readonly<Record<string, unknown>> },
      ];
      const { podCIDR, podCIDRs } = values.ipam;
      expect(values.discovery, where).toMatchObject({ config: { clusterID: expect.stringMatching(/^[a-z0-9-]+$/) } });
      expect([podCIDR, podCIDRs].filter((it) => it !== undefined).length, where).toBe(1);
      if (isBefore12(release ?? '')) expect(typeof podCIDR, where).toBe('string');
    }
  });

  it('the health checks are a ConfigMap of texts', () => {
    const files = ofKind('health-checks');
    expect(files.length).toBeGreaterThan(0);
    for (const { where, text } of files) {
      const [{ data, metadata, ...rest }] = objectsIn(text) as unknown as [
        { data: Readonly<Record<string, unknown>>; metadata: { name: string } },
      ];
      expect(rest, where).toEqual({ apiVersion: 'v1', kind: 'ConfigMap' });
      expect(metadata.name, where).toBe('argocd-cm');
      expect([...new Set(Object.values(data).map((it) => typeof it))], where).toEqual(['string']);
    }
  });
});

/** On a push, files with a line that is like none before it: lines are alike that differ in their indentation and in digits but 0. */
function withNewLines<File extends { readonly text: string }>(files: readonly File[]): readonly File[] {
  const seen = new Set<string>();
  return files.filter(({ text }) => {
    const before = seen.size;
    for (const line of text.replace(/[1-9]/g, '9').split('\n')) seen.add(line.trimStart());
    return RUNS_ALL || seen.size > before;
  });
}

describe('every YAML file', () => {
  it('reads back equal in YAML 1.1 and in YAML 1.2', () => {
    const locks = fleets.map((it) => ({ where: `${it.name}: lock`, text: it.compiled.lock }));
    for (const { where, text } of withNewLines([...yamlFiles, ...locks]))
      expect(canonical(documentsOf(text, '1.1')), where).toBe(canonical(documentsOf(text, '1.2')));
  });
});

/** The files that a kustomization may use: all that is in the folder of its cluster or tool. */
function aroundOf({ bundle, folder }: { readonly bundle: Bundle; readonly folder: string }): Bundle {
  const top = `${folder.split('/')[0]}/`;
  return inFolders(new Map([...bundle].filter(([path]) => path.startsWith(top))));
}

describe.skipIf(!inCI && !kubectlAvailable())('kubectl kustomize (skipped without kubectl)', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'weft-real-'));
  folders.push(scratch);

  it('builds every folder, each object as it is in its source, none more and none less', () => {
    const roots = fleets.flatMap(({ name, compiled: { bundle } }) =>
      kustomizationRoots(bundle).map((folder) => ({ where: `${name}: ${folder}`, bundle, folder })),
    );
    // Equal trees are built once: a start of kubectl takes long.
    const trees = new Map(roots.map((it) => [JSON.stringify([it.folder, ...aroundOf(it)]), it]));
    const some = drawn([...trees.values()]);
    const built = kustomizeAll(
      some.map((it, index) => {
        writeBundle(join(scratch, String(index)), aroundOf(it));
        return join(scratch, String(index), it.folder);
      }),
      join(scratch, 'built'),
    );
    some.forEach(({ where, bundle, folder }, at) => {
      const given = objectsIn(built[at] ?? '').filter((it) => it !== null);
      const wanted = resourcesBelow(bundle, folder);
      expect(given.map(canonical).sort(), where).toEqual(wanted.map(canonical).sort());
    });
    counted.bundles = roots.length;
    expect(roots.length).toBeGreaterThan(100);
  });

  it('finds from the folder of a cluster all that is not only expected', () => {
    for (const { name, compiled } of fleets) {
      for (const cluster of compiled.model.clusters.keys()) {
        const own = [...compiled.bundle.keys()].filter((it) =>
          new RegExp(`^${cluster}/(peers|gateway-templates|shortcuts|sharing|offloading|conformance|boundaries)/`).test(
            it,
          ),
        );
        const objects = own.filter((it) => !it.endsWith('/kustomization.yaml'));
        expect([...filesBelow(compiled.bundle, cluster)].sort(), `${name}: ${cluster}`).toEqual(objects.sort());
      }
    }
  });
});

describe.skipIf(!inCI && !nftAvailable())(
  'nft (skipped without it, or without the right to a network namespace)',
  () => {
    it('takes every ruleset', () => {
      const texts = fleets.flatMap(({ compiled }) =>
        [...compiled.bundle].filter(([path]) => path.endsWith('.nft')).map(([, text]) => text),
      );
      counted.rulesets = texts.length;
      expect(texts.length).toBeGreaterThan(200);
      expect(nftProblems([...new Set(texts)])).toBe('');
    });
  },
);

describe('every file', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  const root = dirname(new URL('.', import.meta.url).pathname);
  /** Texts that a file must not contain, by name. */
  const FORBIDDEN: Readonly<Record<string, RegExp>> = {
    'something Flux substitutes': /\$\{/,
    // A nonce is no secret, liqoctl hands it from cluster to cluster; of others only names and labels are expected.
    'a Secret': /^kind: "?Secret"?\n(?!metadata:\n {2}name: liqo-nonce\n)(?:(?!---\n).*\n)*?(?:data|stringData):/m,
    // An ExternalSecret names the field of each half.
    'a private key': /(?<!^ +(?:- secretKey|property): )privateKey|private-key/im,
    'a date': /\b(19|20)\d\d-\d\d-\d\d\b/,
    'the version of weft': new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.])`),
    'a path of this machine': new RegExp([root, homedir(), tmpdir(), 'file://'].map((it) => `${it}(/|\\b)`).join('|')),
    'a carriage return': /\r/,
    'a tab': /\t/,
    'a space at the end of a line': / $/m,
    'an end that is not one line break': /^$|[^\n]$|\n\n$/,
  };

  it('holds nothing that moves by itself, is secret, or would be read by somebody else', () => {
    for (const { name, compiled } of fleets) {
      for (const [path, text] of [...compiled.bundle, ['topology.lock.yaml', compiled.lock] as const]) {
        const held = Object.entries(FORBIDDEN).filter(([, pattern]) => pattern.test(text));
        expect(
          held.map(([what]) => what),
          `${name}: ${path}`,
        ).toEqual([]);
      }
    }
  });

  it('leaves the label that Argo CD tracks by to the pods of a gateway', () => {
    const label = 'app.kubernetes.io/instance';
    const holders = fleets.flatMap(({ compiled }) => [...compiled.bundle]).filter(([, text]) => text.includes(label));
    expect(holders.length).toBeGreaterThan(0);
    for (const [path, text] of holders) {
      expect(path).toMatch(/^[^/]+\/gateway-templates\/[^/]+\.yaml$/);
      for (const { spec, ...rest } of objectsIn(text)) {
        const { template: _, ...others } = spec;
        expect(canonical({ ...rest, others }), path).not.toContain(label);
      }
    }
  });
});

interface Gateway extends KubernetesObject {
  readonly spec: {
    readonly mtu: number;
    readonly endpoint: {
      readonly port: number;
      readonly serviceType?: string;
      readonly nodePort?: number;
      readonly addresses?: readonly string[];
      readonly protocol?: string;
    };
    readonly secretRef: { readonly name: string };
    readonly serverTemplateRef?: TemplateRef;
    readonly clientTemplateRef?: TemplateRef;
  };
}

interface TemplateRef {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

interface PublicKey extends KubernetesObject {
  readonly spec: { readonly publicKey: string };
}

interface Network extends KubernetesObject {
  readonly status: { readonly cidr: string };
}

const REMOTE = 'liqo.io/remote-cluster-id';

describe.each(fleets)('the clusters of $name', ({ topology, keys, compiled: { bundle, model } }) => {
  const objects = new Map([...model.clusters.keys()].map((it) => [it, resourcesBelow(bundle, it)]));
  const about = (cluster: string, remote: string, kinds: readonly string[]): readonly KubernetesObject[] =>
    (objects.get(cluster) ?? []).filter((it) => kinds.includes(it.kind) && it.metadata.labels?.[REMOTE] === remote);
  const gatewayOf = (cluster: string, remote: string): Gateway =>
    about(cluster, remote, ['GatewayServer', 'GatewayClient'])[0] as Gateway;

  /** The entry that names both clusters. One that selects them by labels can give neither names nor a port. */
  const entryBetween = (one: string, other: string) => {
    const entries = [...(topology.peerings ?? []), ...(topology.shortcuts ?? [])];
    return entries.flatMap((it) => {
      const ends: readonly unknown[] = 'between' in it && Array.isArray(it.between) ? it.between : [];
      return 'between' in it && ends.includes(one) && ends.includes(other) ? [it] : [];
    })[0];
  };

  /** The values of the topology, or else those of liqoctl. */
  const namesOf = (cluster: string, peer: string) => {
    const usual = { namespace: `liqo-tenant-${peer}`, configuration: peer, gateway: peer, publicKey: peer };
    return { ...usual, ...entryBetween(cluster, peer)?.names?.[cluster] };
  };

  /** A key that was recorded before a rename is still the gateway's. */
  const keyOf = (cluster: string, peer: string): string | undefined => {
    const namesOf = (it: string) => [it, model.clusters.get(it)?.renamedFrom?.value ?? it];
    const [found] = namesOf(cluster).flatMap((own) => namesOf(peer).flatMap((it) => keys[own]?.[it] ?? []));
    return found;
  };

  const networksOf = (cluster: string): readonly Network[] => {
    const text = bundle.get(`${cluster}/expected/networks.yaml`);
    return text === undefined ? [] : (objectsIn(text) as readonly Network[]);
  };

  it('have one of each for every peer, in its tenant namespace, and nothing for anybody else', () => {
    for (const [cluster, all] of objects) {
      const peers = model.links
        .map(withEndNames)
        .flatMap(({ server, client }) => (server === cluster ? [client] : client === cluster ? [server] : []));
      const remotes = new Set(all.flatMap((it) => it.metadata.labels?.[REMOTE] ?? []));
      const partners = sharingOf(model, cluster).partners.map((it) => it.cluster.name);
      expect([...remotes].sort(), cluster).toEqual([...new Set([...peers, ...partners])].sort());
      for (const peer of peers) {
        const where = `${cluster} about ${peer}`;
        expect(
          about(cluster, peer, ['Namespace']).map((it) => it.metadata.name),
          where,
        ).toEqual([namesOf(cluster, peer).namespace]);
        expect(about(cluster, peer, ['Configuration']).length, where).toBe(1);
        expect(about(cluster, peer, ['GatewayServer', 'GatewayClient']).length, where).toBe(1);
        expect(about(cluster, peer, ['PublicKey']).length, where).toBe(keyOf(peer, cluster) === undefined ? 0 : 1);
        const { namespace, configuration, gateway, publicKey } = namesOf(cluster, peer);
        for (const [kinds, name] of [
          [['Configuration'], configuration],
          [['GatewayServer', 'GatewayClient'], gateway],
          [['PublicKey'], publicKey],
        ] as const)
          for (const it of about(cluster, peer, kinds))
            expect([it.metadata.name, it.metadata.namespace], where).toEqual([name, namespace]);
      }
    }
  });

  it('agree with their peers on MTU, port, address and keys', () => {
    for (const { id: linkId, server, client } of model.links.map(withEndNames)) {
      const id = printLinkId(linkId);
      const [serving, dialling] = [gatewayOf(server, client), gatewayOf(client, server)];
      expect([serving.kind, dialling.kind], id).toEqual(['GatewayServer', 'GatewayClient']);
      expect(dialling.spec.mtu, id).toBe(serving.spec.mtu);
      expect(dialling.spec.endpoint.protocol, id).toBe('UDP');
      expect(dialling.spec.endpoint.addresses?.length, id).toBe(1);
      const { endpoint } = serving.spec;
      const listens = endpoint.serviceType === 'NodePort' ? endpoint.nodePort : endpoint.port;
      const forwarded = entryBetween(server, client)?.port ?? model.clusters.get(server)?.gateway.dial.port?.value;
      expect(dialling.spec.endpoint.port, id).toBe(forwarded ?? listens);
      for (const [here, there] of [
        [server, client],
        [client, server],
      ] as const) {
        const [key] = about(here, there, ['PublicKey']) as readonly PublicKey[];
        expect(key?.spec.publicKey, `${id} in ${here}`).toBe(keyOf(there, here));
      }
    }
  });

  it('say in addresses.json what the gateways were told', () => {
    const { gateways } = JSON.parse(bundle.get('addresses.json') ?? '') as {
      readonly gateways: readonly Readonly<Record<string, unknown>>[];
    };
    const told = [...model.clusters.values()].flatMap(({ name, peers }) =>
      [...peers.values()].map((it) => {
        const { kind, spec } = gatewayOf(name, it.name);
        const { addresses, port } = gatewayOf(it.link.client.cluster.name, it.link.server.cluster.name).spec.endpoint;
        const role = kind === 'GatewayServer' ? 'server' : 'client';
        return { cluster: name, peer: it.name, role, address: addresses?.[0], port, mtu: spec.mtu };
      }),
    );
    expect(gateways).toEqual(told);
  });

  it('use no port twice, in a cluster or behind an address', () => {
    for (const [cluster, all] of objects) {
      const ports = (all as readonly Gateway[]).flatMap((it) =>
        it.kind === 'GatewayServer' ? (it.spec.endpoint.nodePort ?? []) : [],
      );
      expect(ports.length, cluster).toBe(new Set(ports).size);
    }
    const dialled = model.links.map(withEndNames).map(({ server, client }) => {
      const { addresses, port } = gatewayOf(client, server).spec.endpoint;
      return `${addresses?.[0]}:${port}`;
    });
    expect(dialled.length).toBe(new Set(dialled).size);
  });

  it('name gateway templates that the chart, the bundle or the topology provides', () => {
    const asked = JSON.stringify(topology);
    for (const [cluster, all] of objects) {
      const { liqoNamespace = '' } = model.clusters.get(cluster) ?? {};
      const bundled = all.map((it) => `${it.kind} ${it.metadata.namespace}/${it.metadata.name}`);
      const chart = [
        `WgGatewayServerTemplate ${liqoNamespace}/wireguard-server`,
        `WgGatewayClientTemplate ${liqoNamespace}/wireguard-client`,
      ];
      for (const { spec } of (all as readonly Gateway[]).filter((it) => /^Gateway(Server|Client)$/.test(it.kind))) {
        const ref = spec.serverTemplateRef ?? spec.clientTemplateRef;
        const known = [...bundled, ...chart].includes(`${ref?.kind} ${ref?.namespace}/${ref?.name}`);
        expect(known || asked.includes(`"${ref?.name}"`), `${cluster}: ${ref?.name}`).toBe(true);
      }
    }
  });

  it('are expected to answer as their Configurations, Networks and addresses.json say alike', () => {
    const { views } = JSON.parse(bundle.get('addresses.json') ?? '') as {
      readonly views: readonly Readonly<Record<'cluster' | 'peer' | 'kind' | 'cidr' | 'seenAs', string>>[];
    };
    type Cidrs = Readonly<Record<'pod' | 'external', readonly string[]>>;
    const answered = [...model.clusters.keys()].flatMap((cluster) => {
      const text = bundle.get(`${cluster}/expected/configurations.yaml`) ?? '';
      return (text === '' ? [] : objectsIn(text)).flatMap((it) => {
        const { spec, status } = it as unknown as {
          spec: { remote: { cidr: Cidrs } };
          status: { remote: { cidr: Cidrs } };
        };
        return (['pod', 'external'] as const).flatMap((kind) =>
          status.remote.cidr[kind].map(
            (seenAs, i) => `${cluster} ${it.metadata.labels?.[REMOTE]} ${kind} ${spec.remote.cidr[kind][i]} ${seenAs}`,
          ),
        );
      });
    });
    const networks = [...model.clusters.keys()].flatMap((cluster) =>
      networksOf(cluster).flatMap(({ metadata, spec, status }) => {
        const { [REMOTE]: peer, 'configuration.liqo.io/cidr-type': kind } = metadata.labels ?? {};
        return peer === undefined ? [] : [`${cluster} ${peer} ${kind} ${spec['cidr']} ${status.cidr}`];
      }),
    );
    const rows = views.map((it) => `${it.cluster} ${it.peer} ${it.kind} ${it.cidr} ${it.seenAs}`).sort();
    expect([...answered].sort()).toEqual(rows);
    expect([...networks].sort()).toEqual(rows);
  });

  it('tell each other what the Networks of the other one will say', () => {
    const networks = new Map([...model.clusters.keys()].map((it) => [it, networksOf(it)]));
    const given = (cluster: string, type: string): readonly string[] =>
      (networks.get(cluster) ?? [])
        .filter((it) => it.metadata.labels?.['ipam.liqo.io/network-type'] === type)
        .map((it) => it.status.cidr);
    for (const [cluster, all] of objects) {
      for (const { metadata, spec } of all.filter((it) => it.kind === 'Configuration')) {
        const peer = metadata.labels?.[REMOTE] ?? '';
        const told = { remote: { cidr: { pod: given(peer, 'pod-cidr'), external: given(peer, 'external-cidr') } } };
        expect(spec, `${cluster} about ${metadata.name}`).toEqual(told);
      }
    }
  });

  it('see no two networks at one address', () => {
    for (const cluster of model.clusters.keys()) {
      const networks = networksOf(cluster);
      const given = networks.map((it) => prefixOf(it.status.cidr));
      // From 1.2 on a cluster's own reservations may share addresses; views share with nothing.
      const mayShare = (it: number): boolean => networks[it]?.metadata.labels?.[REMOTE] === undefined;
      const clashes = given.flatMap((a, i) =>
        given.flatMap((b, j) =>
          i < j && overlaps(a, b) && !(mayShare(i) && mayShare(j))
            ? [`${networks[i]?.metadata.name} and ${networks[j]?.metadata.name}`]
            : [],
        ),
      );
      expect(clashes, cluster).toEqual([]);
    }
  });
});
