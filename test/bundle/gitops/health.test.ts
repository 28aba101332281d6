import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { printBundlePath } from '../../../src/base/core/bundle-path.ts';
import { argoEntryPoints } from '../../../src/bundle/gitops/argo-entry-points.ts';
import { CONFIGURATION_HEALTH, GATEWAY_HEALTH } from '../../../src/bundle/gitops/flux-health.ts';
import { evaluateCel, HEALTH_OF, verdictOf } from './cel.ts';
import { modelOf } from './fixtures.ts';
import { HEALTH_SCRIPTS, type HealthSample, needsLua, runLua, scriptOf } from './health-scripts.ts';
import { textOf } from './read-entry-points.ts';
import { sharingSamples } from './sharing-health-samples.ts';

const cidrs = (pod: readonly string[], external: readonly string[]) => ({ cidr: { pod, external } });
const spec = { remote: cidrs(['10.200.0.0/16'], ['10.70.0.0/16']) };
const decided = cidrs(['10.200.0.0/16'], ['10.71.0.0/16']);
const condition = (status: string, observedGeneration: number) => ({
  type: 'NetworkCIDRsConfigured',
  status,
  observedGeneration,
  reason: status === 'True' ? 'NetworkCIDRsConfigured' : 'WaitingForNetworks',
  message: status === 'True' ? 'all set' : 'waiting for 1 Network',
});
const configured = { labels: { 'configuration.liqo.io/configured': 'true' }, generation: 2 };

const configurations: readonly HealthSample[] = [
  { what: 'a new one', object: { metadata: { generation: 1 }, spec }, health: 'Progressing' },
  { what: 'an empty status', object: { metadata: { generation: 1 }, spec, status: {} }, health: 'Progressing' },
  {
    what: 'Liqo 1.1, pod decided only',
    object: { metadata: { generation: 2 }, spec, status: { remote: { cidr: { pod: ['10.200.0.0/16'] } } } },
    health: 'Progressing',
    message: 'not every external CIDR has been answered yet',
  },
  {
    what: 'Liqo 1.1, an empty answer',
    object: { metadata: { generation: 2 }, spec, status: { remote: cidrs(['10.200.0.0/16'], ['']) } },
    health: 'Progressing',
    message: 'external CIDR 10.70.0.0/16 has not been answered yet',
  },
  {
    what: 'Liqo 1.1, decided',
    object: { metadata: configured, spec: { ...spec, local: decided }, status: { remote: decided } },
    health: 'Healthy',
    message: 'pod 10.200.0.0/16, external 10.70.0.0/16 seen as 10.71.0.0/16',
  },
  {
    what: 'Liqo 1.2, waiting',
    object: { metadata: { generation: 3 }, spec, status: { conditions: [condition('False', 3)] } },
    health: 'Progressing',
    message: 'waiting for 1 Network',
  },
  {
    what: 'Liqo 1.2, waiting again with the old answer',
    object: { metadata: { generation: 3 }, spec, status: { remote: decided, conditions: [condition('False', 3)] } },
    health: 'Progressing',
  },
  {
    what: 'Liqo 1.2, decided, with a generation that Liqo never updates',
    object: { metadata: { generation: 4 }, spec, status: { remote: decided, conditions: [condition('True', 3)] } },
    health: 'Healthy',
  },
  {
    what: 'Liqo 1.2, decided',
    object: { metadata: { generation: 3 }, spec, status: { remote: decided, conditions: [condition('True', 3)] } },
    health: 'Healthy',
  },
  {
    what: 'Liqo 1.2, another condition',
    object: {
      metadata: { generation: 3 },
      spec,
      status: { remote: decided, conditions: [{ type: 'Other', status: 'False' }, condition('True', 3)] },
    },
    health: 'Healthy',
  },
  {
    what: 'Liqo 1.2, one of two pod CIDRs decided',
    object: {
      metadata: { generation: 3 },
      spec: { remote: cidrs(['10.200.0.0/16', '10.201.0.0/16'], ['10.70.0.0/16']) },
      status: { remote: decided, conditions: [condition('True', 3)] },
    },
    health: 'Progressing',
  },
];

const compiled = (pod: string, external: string, generation = 2) => ({
  generation,
  annotations: { 'liqo-weft/pod-views': pod, 'liqo-weft/external-views': external },
});

/** The applied objects, with the views that they must get: 10.71.0.0/16 for the external CIDR. */
const annotated: readonly HealthSample[] = [
  {
    what: 'Liqo 1.1, as compiled',
    object: { metadata: compiled('10.200.0.0/16', '10.71.0.0/16'), spec, status: { remote: decided } },
    health: 'Healthy',
    message: 'pod 10.200.0.0/16, external 10.70.0.0/16 seen as 10.71.0.0/16',
  },
  {
    what: 'Liqo 1.1, another external view',
    object: { metadata: compiled('10.200.0.0/16', '10.72.0.0/16'), spec, status: { remote: decided } },
    health: 'Degraded',
    message: 'external seen as 10.71.0.0/16, but compiled as 10.72.0.0/16',
  },
  {
    what: 'the views of pod and external CIDR swapped',
    object: { metadata: compiled('10.71.0.0/16', '10.200.0.0/16'), spec, status: { remote: decided } },
    health: 'Degraded',
    message:
      'pod seen as 10.200.0.0/16, but compiled as 10.71.0.0/16, external seen as 10.71.0.0/16, but compiled as 10.200.0.0/16',
  },
  {
    what: 'one annotation alone, which is right',
    object: {
      metadata: { generation: 1, annotations: { 'liqo-weft/pod-views': '10.200.0.0/16' } },
      spec,
      status: { remote: decided },
    },
    health: 'Healthy',
  },
  {
    what: 'Liqo 1.2, another view as the answer to the last change',
    object: {
      metadata: compiled('10.200.0.0/16', '10.72.0.0/16', 3),
      spec,
      status: { remote: decided, conditions: [condition('True', 3)] },
    },
    health: 'Degraded',
  },
  {
    what: 'Liqo 1.2, another view as the answer to a change before the last one',
    object: {
      metadata: compiled('10.200.0.0/16', '10.72.0.0/16', 4),
      spec,
      status: { remote: decided, conditions: [condition('True', 3)] },
    },
    health: 'Progressing',
    message: 'the last change has not been answered yet: external seen as 10.71.0.0/16, but compiled as 10.72.0.0/16',
  },
  {
    what: 'Liqo 1.2, as compiled, with a generation that Liqo never updates',
    object: {
      metadata: compiled('10.200.0.0/16', '10.71.0.0/16', 4),
      spec,
      status: { remote: decided, conditions: [condition('True', 3)] },
    },
    health: 'Healthy',
  },
  {
    what: 'Liqo 1.2, waiting with another view',
    object: {
      metadata: compiled('10.200.0.0/16', '10.72.0.0/16', 3),
      spec,
      status: { remote: decided, conditions: [condition('False', 3)] },
    },
    health: 'Progressing',
  },
  {
    what: 'several pod CIDRs in another order',
    object: {
      metadata: compiled('10.201.0.0/16,10.200.0.0/16', '10.71.0.0/16'),
      spec: { remote: cidrs(['10.200.0.0/16', '10.201.0.0/16'], ['10.70.0.0/16']) },
      status: { remote: cidrs(['10.200.0.0/16', '10.201.0.0/16'], ['10.71.0.0/16']) },
    },
    health: 'Degraded',
  },
  {
    what: 'several pod CIDRs as compiled',
    object: {
      metadata: compiled('10.200.0.0/16,10.201.0.0/16', '10.71.0.0/16'),
      spec: { remote: cidrs(['10.200.0.0/16', '10.201.0.0/16'], ['10.70.0.0/16']) },
      status: { remote: cidrs(['10.200.0.0/16', '10.201.0.0/16'], ['10.71.0.0/16']) },
    },
    health: 'Healthy',
  },
  { what: 'annotated, a new one', object: { metadata: compiled('a', 'b', 1), spec }, health: 'Progressing' },
];

const servers: readonly HealthSample[] = [
  { what: 'a new one', object: { spec: {} }, health: 'Progressing' },
  { what: 'no endpoint', object: { spec: {}, status: { serverRef: {} } }, health: 'Progressing' },
  { what: 'no address', object: { status: { endpoint: { addresses: [], port: 30000 } } }, health: 'Progressing' },
  {
    what: 'an endpoint',
    object: { status: { endpoint: { addresses: ['203.0.113.10'], port: 30000, protocol: 'UDP' } } },
    health: 'Healthy',
    message: 'listens on 203.0.113.10:30000',
  },
];

const clients: readonly HealthSample[] = [
  { what: 'a new one', object: { spec: {} }, health: 'Progressing' },
  { what: 'no keys', object: { status: { clientRef: { name: 'rome' } } }, health: 'Progressing' },
  {
    what: 'gateway and keys',
    object: { status: { clientRef: { name: 'rome' }, secretRef: { name: 'gw-keys' } } },
    health: 'Healthy',
  },
];

const luaOnly: Readonly<Record<string, readonly HealthSample[]>> = {
  'gateway-server': [
    { what: 'no port', object: { status: { endpoint: { addresses: ['a'], port: 0 } } }, health: 'Progressing' },
    {
      what: 'a list of ports',
      object: { status: { endpoint: { addresses: ['a'], port: 0, ports: [51840, 51841] } } },
      health: 'Healthy',
      message: 'listens on a:51840',
    },
  ],
  network: [
    { what: 'a new one', object: { spec: { cidr: '10.70.0.0/16' } }, health: 'Progressing' },
    { what: 'no answer', object: { spec: { cidr: '10.70.0.0/16' }, status: { cidr: '' } }, health: 'Progressing' },
    {
      what: 'kept',
      object: { spec: { cidr: '10.70.0.0/16' }, status: { cidr: '10.70.0.0/16' } },
      health: 'Healthy',
      message: '10.70.0.0/16',
    },
    {
      what: 'remapped',
      object: { spec: { cidr: '10.70.0.0/16' }, status: { cidr: '10.71.0.0/16' } },
      health: 'Healthy',
      message: '10.70.0.0/16 seen as 10.71.0.0/16',
    },
  ],
  connection: [
    { what: 'a new one', object: { spec: { type: 'Server' } }, health: 'Progressing' },
    { what: 'connecting', object: { status: { value: 'Connecting' } }, health: 'Progressing' },
    { what: 'down', object: { status: { value: 'Error' } }, health: 'Degraded' },
    { what: 'connected', object: { status: { value: 'Connected' } }, health: 'Healthy', message: 'connected' },
    {
      what: 'connected with a latency',
      object: { status: { value: 'Connected', latency: { value: '12ms' } } },
      health: 'Healthy',
      message: 'connected, latency 12ms',
    },
  ],
  'foreign-cluster-connection': [
    { what: 'a new one', object: { spec: {} }, health: 'Progressing' },
    { what: 'connecting', object: { status: { isConnected: false, phase: 'Connecting' } }, health: 'Progressing' },
    {
      what: 'failed',
      object: { status: { isConnected: false, phase: 'Failed', errorMessage: 'no kubeconfig' } },
      health: 'Degraded',
      message: 'no kubeconfig',
    },
    { what: 'connected', object: { status: { isConnected: true, phase: 'Connected' } }, health: 'Healthy' },
  ],
};

const samples: Readonly<Record<string, readonly HealthSample[]>> = {
  ...luaOnly,
  configuration: [...configurations, ...annotated],
  'gateway-server': [...servers, ...(luaOnly['gateway-server'] ?? [])],
  'gateway-client': clients,
  ...sharingSamples,
};

describe.skipIf(needsLua)('health checks for Argo CD, run by Lua 5.1 (skipped without it)', () => {
  it('have samples for every script', () => {
    const scripts = readdirSync(HEALTH_SCRIPTS).map((it) => it.replace('.lua.hbs', ''));
    expect(Object.keys(samples).sort()).toEqual(scripts.sort());
  });

  it.each(Object.entries(samples))('%s', (name, wanted) => {
    const found = runLua(
      scriptOf(name),
      wanted.map((it) => it.object),
    );
    wanted.forEach((it, i) => {
      expect([it.what, found[i]?.status]).toEqual([it.what, it.health]);
      if (it.message !== undefined) expect(found[i]?.message).toBe(it.message);
      expect(found[i]?.message).not.toBe('');
    });
  });
});

describe('the patch of argocd-cm', () => {
  const patch = argoEntryPoints(modelOf([])).find((it) => printBundlePath(it.path) === '_argocd/argocd-cm-patch.yaml');
  const { metadata, data } = parse(patch ? textOf(patch) : '') as {
    readonly metadata: object;
    readonly data: Readonly<Record<string, string>>;
  };

  it('contains the scripts as they are tested here, under their kinds', () => {
    expect(metadata).toEqual({ name: 'argocd-cm', namespace: 'argocd' });
    expect(data).toEqual({
      'resource.customizations.health.authentication.liqo.io_Identity': scriptOf('identity'),
      'resource.customizations.health.authentication.liqo.io_ResourceSlice': scriptOf('resource-slice'),
      'resource.customizations.health.authentication.liqo.io_Tenant': scriptOf('tenant'),
      'resource.customizations.health.core.liqo.io_ForeignCluster': scriptOf('foreign-cluster'),
      'resource.customizations.health.ipam.liqo.io_Network': scriptOf('network'),
      'resource.customizations.health.networking.liqo.io_Configuration': scriptOf('configuration'),
      'resource.customizations.health.networking.liqo.io_Connection': scriptOf('connection'),
      'resource.customizations.health.networking.liqo.io_ForeignClusterConnection':
        scriptOf('foreign-cluster-connection'),
      'resource.customizations.health.networking.liqo.io_GatewayClient': scriptOf('gateway-client'),
      'resource.customizations.health.networking.liqo.io_GatewayServer': scriptOf('gateway-server'),
      'resource.customizations.health.offloading.liqo.io_NamespaceOffloading': scriptOf('namespace-offloading'),
      'resource.customizations.health.offloading.liqo.io_VirtualNode': scriptOf('virtual-node'),
      'resource.customizations.ignoreResourceUpdates.networking.liqo.io_Connection':
        'jsonPointers:\n- /status/latency\n',
    });
  });

  it('is not listed in the kustomization of its folder', () => {
    const top = argoEntryPoints(modelOf([])).find((it) => printBundlePath(it.path) === '_argocd/kustomization.yaml');
    expect(top && textOf(top)).not.toContain('argocd-cm');
  });
});

describe('health expressions for Flux', () => {
  const [server, client] = GATEWAY_HEALTH;
  const table = [
    { expression: CONFIGURATION_HEALTH, kind: 'Configuration', cases: [...configurations, ...annotated] },
    { expression: server, kind: 'GatewayServer', cases: servers },
    { expression: client, kind: 'GatewayClient', cases: clients },
  ];

  it.each(table)('report a $kind as Argo CD does', ({ expression, kind, cases }) => {
    if (expression === undefined) throw new Error(`no expression for ${kind}`);
    expect(expression).toMatchObject({ apiVersion: 'networking.liqo.io/v1beta1', kind });
    const found = cases.map(({ what, object }) => [what, HEALTH_OF[verdictOf(expression, object)]]);
    expect(found).toEqual(cases.map(({ what, health }) => [what, health]));
  });

  const managed = (...subresources: readonly (string | undefined)[]) => ({
    generation: 1,
    managedFields: subresources.map((it) => ({ manager: 'flux', ...(it === undefined ? {} : { subresource: it }) })),
  });

  it('are not true, and no error, for an object that has no status yet', () => {
    for (const { expression } of table) {
      expect(evaluateCel(expression?.current ?? '', { metadata: managed(undefined), spec })).toBe(false);
      expect(evaluateCel(expression?.current ?? '', { metadata: managed(undefined, 'scale'), spec })).toBe(false);
    }
  });

  it('read the status once a controller has written it', () => {
    for (const { expression, cases } of table) {
      for (const { what, object, health } of cases.filter((it) => it.object['status'] !== undefined)) {
        const metadata = { ...(object['metadata'] as object), ...managed(undefined, 'status') };
        expect([what, evaluateCel(expression?.current ?? '', { ...object, metadata })]).toEqual([
          what,
          health === 'Healthy',
        ]);
      }
    }
  });

  it('never return a wrong result where managed fields are left out: an error, after which Flux asks again', () => {
    for (const { expression } of table)
      expect(evaluateCel(expression?.current ?? '', { metadata: {}, spec })).toBe('error');
  });
});
