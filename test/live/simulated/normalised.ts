import { canonical, type Fields, field, keyOfObject, type SimulatedObject } from './objects.ts';

/** Objects by kind, namespace and name, without what chance or a clock decided. */
export type Comparable = ReadonlyMap<string, Fields>;

/**
 * The objects in a form that is comparable between two runs: identities, generated names, and addresses that are given
 * in the order of arrival inside one cluster (of pods, of gateways inside the fabric, of Services) are replaced by what
 * they belong to; versions, times and generations are left out.
 */
export function normalised(objects: readonly SimulatedObject[]): Comparable {
  const names = new Map(objects.flatMap(namesOf));
  const rewrite = (text: string): string =>
    names.get(text) ?? text.replace(TOKEN, (token) => names.get(token) ?? (UUID.test(token) ? 'generated' : token));
  const chosen = new Set(objects.flatMap((it) => field<number>(it, 'spec', 'endpoint', 'nodePort') ?? []));
  return new Map(
    objects.map((it) => {
      const own = withoutTimes(rewritten(it, rewrite) as SimulatedObject);
      return [keyOfObject(it), it.kind === 'Service' ? withoutGivenPorts(own, chosen) : inAnyOrder(own)];
    }),
  );
}

/**
 * Routes are listed in the order in which nodes, peers and addresses came, which has no meaning; so are the rules that mark
 * connections. Marks of nodes and numbers of Geneve tunnels are given in that order, too.
 */
function inAnyOrder(it: Fields): Fields {
  const spec = field<Fields>(it, 'spec');
  if (it['kind'] === 'GeneveTunnel') return { ...it, spec: { ...spec, id: 'given' } };
  if (it['kind'] === 'RouteConfiguration') {
    const rules = (field<readonly Fields[]>(spec, 'table', 'rules') ?? []).map((rule) => ({
      ...rule,
      ...('fwmark' in rule ? { fwmark: 'given' } : {}),
      routes: sorted(field<readonly Fields[]>(rule, 'routes') ?? []),
    }));
    return { ...it, spec: { ...spec, table: { ...field<Fields>(spec, 'table'), rules: sorted(rules) } } };
  }
  const [marks, ...others] = field<readonly Fields[]>(spec, 'table', 'chains') ?? [];
  if (marks?.['name'] !== 'mark-to-conntrack') return it;
  const rules = (field<readonly Fields[]>(marks, 'rules', 'filterRules') ?? []).map((rule) => ({
    ...rule,
    value: 'given',
  }));
  const chain = { ...marks, rules: { filterRules: sorted(rules) } };
  return { ...it, spec: { table: { ...field<Fields>(spec, 'table'), chains: [chain, ...others] } } };
}

const sorted = (values: readonly Fields[]): readonly Fields[] =>
  [...values].sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1));

/** Ports of nodes that the API server chose. */
function withoutGivenPorts(service: Fields, chosen: ReadonlySet<number>): Fields {
  const spec = field<Fields>(service, 'spec');
  const ports = (field<readonly Fields[]>(spec, 'ports') ?? []).map(({ nodePort, ...rest }) =>
    nodePort === undefined ? rest : { ...rest, nodePort: chosen.has(Number(nodePort)) ? nodePort : 'given' },
  );
  return { ...service, spec: { ...spec, ports } };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TOKEN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|liqo\.[a-z0-9]{10}\b|\d+\.\d+\.\d+\.\d+/g;

function namesOf(it: SimulatedObject): readonly (readonly [string, string])[] {
  const key = keyOfObject(it);
  const named = (what: string, value: unknown) =>
    typeof value === 'string' ? [[value, `${what} of ${key}`] as const] : [];
  const uid = named('uid', it.metadata.uid);
  switch (it.kind) {
    case 'Pod':
      return [...uid, ...named('address', field(it, 'status', 'podIP'))];
    case 'Service':
      return [...uid, ...named('address', field(it, 'spec', 'clusterIP'))];
    case 'InternalNode':
      return [
        ...uid,
        ...named('interface', field(it, 'spec', 'interface', 'gateway', 'name')),
        ...named('address', field(it, 'spec', 'interface', 'node', 'ip')),
      ];
    case 'InternalFabric':
      return [
        ...uid,
        ...named('interface', field(it, 'spec', 'interface', 'node', 'name')),
        ...named('address', field(it, 'spec', 'interface', 'gateway', 'ip')),
      ];
    default:
      return uid;
  }
}

function rewritten(value: unknown, rewrite: (text: string) => string): unknown {
  if (typeof value === 'string') return rewrite(value);
  if (Array.isArray(value)) return value.map((it) => rewritten(it, rewrite));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, rewritten(it, rewrite)]));
}

function withoutTimes(it: SimulatedObject): Fields {
  const { uid: _, resourceVersion: __, creationTimestamp: ___, generation: ____, ...metadata } = it.metadata;
  const conditions = field<readonly Fields[]>(it, 'status', 'conditions');
  const status = conditions && {
    ...it.status,
    conditions: conditions.map(({ lastTransitionTime: _time, ...rest }) => rest),
  };
  return { ...it, metadata, ...(status ? { status } : {}) };
}
