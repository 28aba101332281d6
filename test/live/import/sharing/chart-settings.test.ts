import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { UNREFLECTED_ANNOTATIONS } from '../../../../src/base/releases/install-defaults.ts';
import { observeChart } from '../../../../src/live/facts/sharing.ts';
import { apiServerIn, chartSettings } from '../../../../src/live/import/sharing/chart-settings.ts';
import { dumpOf } from './import-recording.ts';

const deployment = (name: string, args: readonly string[]) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace: 'liqo' },
  spec: { template: { spec: { containers: [{ name, args }] } } },
});

const options = (spec: object) => ({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'VkOptionsTemplate',
  metadata: { name: 'virtual-kubelet-default', namespace: 'liqo' },
  spec,
});

/** The settings that the chart of 1.2.0 writes without any value. */
const DEFAULTS = [
  '--default-limits-enforcement=None',
  '--default-node-resources=cpu=4,ephemeral-storage=20Gi,memory=8Gi,pods=110',
  '--real-storage-class-name=',
  '--ingress-classes=',
  '--load-balancer-classes=',
];

const reflectors = (more: object) => ({
  pod: { workers: 10 },
  service: { workers: 3, type: 'DenyList' },
  endpointslice: { workers: 10 },
  ingress: { workers: 3, type: 'DenyList' },
  configmap: { workers: 3, type: 'DenyList' },
  secret: { workers: 3, type: 'DenyList' },
  serviceaccount: { workers: 3 },
  persistentvolumeclaim: { workers: 3 },
  event: { workers: 3, type: 'DenyList' },
  ...more,
});

function chartOf(...objects: readonly object[]) {
  const all = [...dumpOf('rome', objects).objects.values()];
  return observeChart(
    all.filter((it) => it.kind === 'Deployment'),
    all.filter((it) => it.kind === 'VkOptionsTemplate'),
  );
}

describe('the values of a live chart', () => {
  it('are a CNI where nodes masquerade every source', () => {
    const withFabric = (isFull: boolean) =>
      chartOf(
        deployment('liqo-controller-manager', [...DEFAULTS, `--fabric-full-masquerade-enabled=${isFull}`]),
        deployment('liqo-webhook', ['--enable-resource-enforcement']),
      );
    expect([true, false].map((it) => chartSettings(withFabric(it)))).toEqual([{ cni: 'aws-vpc' }, {}]);
  });

  it('are nothing where they are its own', () => {
    const chart = chartOf(
      deployment('liqo-controller-manager', DEFAULTS),
      deployment('liqo-webhook', ['--enable-resource-enforcement']),
      options({
        replicas: 1,
        extraArgs: ['--enable-apiserver-support=true'],
        annotationsNotReflected: [...UNREFLECTED_ANNOTATIONS],
        reflectorsConfig: reflectors({}),
      }),
    );
    expect(chartSettings(chart)).toEqual({});
    expect(apiServerIn(chart.manager ?? [])).toBeUndefined();
  });

  it('are settings of the cluster', () => {
    const chart = chartOf(
      deployment('liqo-controller-manager', [
        '--default-limits-enforcement=Hard',
        '--default-node-resources=cpu=8,ephemeral-storage=20Gi,memory=8Gi,pods=110',
        '--cluster-labels=region=south,tier=leaf',
        '--real-storage-class-name=fast',
        '--ingress-classes=traefik,nginx;default',
        '--load-balancer-classes=public',
        '--api-server-address-override=milan.example:6443',
        '--trusted-ca',
      ]),
      deployment('liqo-webhook', ['--webhook-port=9443']),
      options({
        replicas: 2,
        extraArgs: ['--node-extra-labels=a=b', '--enable-apiserver-support=true', '--disable-ip-reflection'],
        extraLabels: { team: 'network' },
        nodeExtraAnnotations: { cost: 'high' },
        labelsNotReflected: ['team'],
        annotationsNotReflected: [...UNREFLECTED_ANNOTATIONS, 'example.com/own'],
        reflectorsConfig: reflectors({ secret: { workers: 3, type: 'AllowList' }, event: { workers: 0 } }),
      }),
    );
    expect(chartSettings(chart)).toEqual({
      helmValues: {
        controllerManager: { config: { defaultLimitsEnforcement: 'Hard', enableResourceEnforcement: false } },
        discovery: { config: { clusterLabels: { region: 'south', tier: 'leaf' } } },
        networking: { reflectIPs: false },
        offloading: {
          defaultNodeResources: { cpu: '8' },
          reflection: {
            event: { workers: 0 },
            ingress: { ingressClasses: [{ name: 'traefik' }, { name: 'nginx', default: true }] },
            secret: { type: 'AllowList' },
            skip: { annotations: ['example.com/own'], labels: ['team'] },
          },
        },
        storage: { realStorageClassName: 'fast' },
        virtualKubelet: {
          extra: { args: ['--node-extra-labels=a=b'], labels: { team: 'network' } },
          replicas: 2,
          virtualNode: { extra: { annotations: { cost: 'high' } } },
        },
      },
    });
    expect(apiServerIn(chart.manager ?? [])).toEqual({ address: 'milan.example:6443', trustedCA: true });
  });

  it('are the platform where a label alone would lose another value of liqoctl', () => {
    const settings = (labels: string) =>
      chartSettings(chartOf(deployment('liqo-controller-manager', [`--cluster-labels=${labels}`])));
    expect(settings('liqo.io/provider=k3s')).toEqual({ platform: 'k3s' });
    expect(settings('liqo.io/provider=k3s,tier=edge')).toEqual({
      platform: 'k3s',
      helmValues: { discovery: { config: { clusterLabels: { tier: 'edge' } } } },
    });
    expect(settings('liqo.io/provider=kubeadm')).toEqual({
      helmValues: { discovery: { config: { clusterLabels: { 'liqo.io/provider': 'kubeadm' } } } },
    });
  });

  it('are unknown without the objects', () => {
    expect(chartOf()).toEqual({ manager: null, webhook: null, kubelet: null });
    expect(chartSettings(chartOf())).toEqual({});
    expect(stringify(chartSettings(chartOf(options({}))))).toBe('{}\n');
  });
});
