import { parseAllDocuments } from 'yaml';

/** An object of a cluster. */
export interface LiveItem {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly generation?: number;
  };
  readonly spec?: object;
  readonly [field: string]: unknown;
}

const OBJECTS = /^(peers|boundaries|sharing|offloading|conformance|expected)\/(.*\/)?(?!kustomization)[^/]+\.yaml$/;

/** The objects of a cluster that is as compiled, of the files in its folder: what is applied, with what Liqo makes of it. */
export function objectsAtRest(files: Iterable<readonly [path: string, text: string]>): readonly LiveItem[] {
  const byKey = new Map<string, LiveItem>();
  const texts = [...files].filter(([path]) => OBJECTS.test(path));
  const isExpected = ([path]: readonly [string, string]): boolean => path.startsWith('expected/');
  for (const [, text] of [...texts.filter((it) => !isExpected(it)), ...texts.filter(isExpected)]) {
    for (const it of parseAllDocuments(text).map((one) => one.toJS() as LiveItem)) {
      const key = `${it.kind} ${it.metadata.namespace}/${it.metadata.name}`;
      byKey.set(key, merged(byKey.get(key) ?? {}, it) as LiveItem);
    }
  }
  const own = [...byKey.values()];
  const objects = [...own, ...firewallConfigurations(own, [...files]), ...routeConfigurations(own)];
  return objects.some(isShared) ? objects.map(confirmed) : objects;
}

/** The routes that Liqo creates for each Configuration, for a cluster with one node. */
function routeConfigurations(objects: readonly LiveItem[]): readonly LiveItem[] {
  return objects.flatMap((it) => {
    const { name, namespace = '', labels = {} } = it.metadata;
    const gateway = objects.find((one) => /^Gateway/.test(one.kind) && one.metadata.namespace === namespace);
    if (it.kind !== 'Configuration' || gateway === undefined) return [];
    const cidrs = (part: unknown): readonly string[] => {
      const { cidr } = (part as { readonly remote: { readonly cidr: Readonly<Record<string, readonly string[]>> } })
        .remote;
      return [...(cidr['pod'] ?? []), ...(cidr['external'] ?? [])];
    };
    const object = (of: string, dsts: readonly string[], gw: string): LiveItem => ({
      apiVersion: 'networking.liqo.io/v1beta1',
      kind: 'RouteConfiguration',
      metadata: { name: of, namespace },
      spec: { table: { name: of, rules: dsts.map((dst) => ({ dst, routes: [{ dst, gw }] })) } },
    });
    const far = gateway.kind === 'GatewayServer' ? '169.254.18.2' : '169.254.18.1';
    return [
      object(`${name}-gw-ext`, cidrs(it['spec']), far),
      object(`${labels['liqo.io/remote-cluster-id']}-node-gw`, cidrs(it['status']), '10.80.0.2'),
    ];
  });
}

/** The objects that Liqo creates for each Configuration, from the files that document them. */
function firewallConfigurations(
  objects: readonly LiveItem[],
  files: readonly (readonly [string, string])[],
): readonly LiveItem[] {
  return objects.flatMap((it) => {
    const { name, namespace = '', labels = {} } = it.metadata;
    const peer = labels['liqo.io/remote-cluster-id'];
    if (it.kind !== 'Configuration' || peer === undefined) return [];
    const own = files.filter(([path]) => path === `nftables/${peer}.nft` || path === `nftables/nodes/${peer}.nft`);
    const tables = own.flatMap(([, text]) => [...text.matchAll(/^table ip (\S+) \{\n([\s\S]*?)^\}$/gm)]);
    return tables.map(
      ([, table = '', body = '']): LiveItem => ({
        apiVersion: 'networking.liqo.io/v1beta1',
        kind: 'FirewallConfiguration',
        metadata: { name: /^remap-/.test(table) ? `${name}-${table}` : table.replace(/^_/, ''), namespace },
        spec: { table: { name: table, family: 'IPV4', chains: chainsIn(body) } },
      }),
    );
  });
}

function chainsIn(body: string): readonly object[] {
  return [...body.matchAll(/^ {2}chain (\S+) \{\n([\s\S]*?)^ {2}\}$/gm)].map(([, name, text = '']) => {
    const [, type, hook, priority, policy] = /type (\S+) hook (\S+) priority (\S+); policy (\S+);/.exec(text) ?? [];
    const natRules = text.split('\n').flatMap(ruleIn);
    return { name, type, hook, priority: Number(priority), policy, rules: natRules.length === 0 ? {} : { natRules } };
  });
}

function ruleIn(line: string): readonly object[] {
  const [, natType, to] = /([sd]nat) (?:ip prefix )?to (\S+)/.exec(line) ?? [];
  if (natType === undefined) return [];
  const match = [...line.matchAll(/(ip [sd]addr|[io]ifname) (!= )?"?([^"\s]+)"?/g)].map(
    ([, what = '', not, value]) => ({
      op: not === undefined ? 'eq' : 'neq',
      ...(what.startsWith('ip ')
        ? { ip: { position: what === 'ip saddr' ? 'src' : 'dst', value } }
        : { dev: { position: what === 'iifname' ? 'in' : 'out', value } }),
    }),
  );
  return [{ natType, match, to }];
}

/** Networks are shared since 1.2, which also confirms Configurations. */
const isShared = ({ metadata }: LiveItem): boolean => metadata.labels?.['ipam.liqo.io/network-shared'] === 'true';

function confirmed(it: LiveItem): LiveItem {
  if (it.kind !== 'Configuration') return it;
  const condition = { type: 'NetworkCIDRsConfigured', status: 'True', reason: 'NetworkCIDRsConfigured' };
  return {
    ...it,
    metadata: { ...it.metadata, generation: 2 },
    status: { ...(it['status'] as object), conditions: [{ ...condition, observedGeneration: 2 }] },
  };
}

function merged(under: object, over: object): object {
  const both = Object.entries(over).map(([key, value]) => {
    const below = (under as Readonly<Record<string, unknown>>)[key];
    return [key, isMap(below) && isMap(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
