import { describe, expect, it } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import { readAddress } from '../../../src/base/net/text.ts';
import { clusterNamed } from '../../../src/fleet/ipam/addressed-model.ts';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { observeProber } from '../../../src/live/facts/probers.ts';
import { findProber } from '../../../src/live/probers/find-prober.ts';
import { compiledText } from '../../support/compile-text.ts';

const { model } = compiledText(`version: 1
name: test
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters: { rome: { podCIDR: 10.202.0.0/16 } }
`);
const at = { cluster: clusterNamed(model, 'rome'), context: 'admin@rome' };

const DEPLOYMENT: KubernetesObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'prober' } };

interface PodState {
  readonly name?: string;
  readonly address?: string;
  readonly isReady?: boolean;
  readonly waits?: string;
  readonly isLeaving?: boolean;
}

const podOf = ({ name = 'prober-1', address, isReady = true, waits, isLeaving }: PodState): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...(isLeaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}) },
  spec: { nodeName: 'worker-1' },
  status: {
    ...(address === undefined ? {} : { podIP: address }),
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
    containerStatuses: [{ state: waits === undefined ? { running: {} } : { waiting: { reason: waits } } }],
  },
});

const found = (...objects: readonly KubernetesObject[]) => findProber(at, observeProber(objects, 'prober'));

const HERE = { address: '10.202.0.7' };

describe('the prober of a cluster', () => {
  it('is its one pod that is ready, whatever is being deleted', () => {
    const leaving = podOf({ name: 'prober-0', isReady: false, isLeaving: true });
    expect(found(DEPLOYMENT, leaving, podOf(HERE))).toMatchObject({
      ok: true,
      value: { cluster: 'rome', pod: 'prober-1', address: readAddress('10.202.0.7') },
    });
  });

  const TABLE: readonly (readonly [Code, readonly KubernetesObject[], message: string, hint: string])[] = [
    [
      'conformance/no-prober',
      [],
      '"rome" has no prober: there is no Deployment weft-conformance/prober',
      'apply the bundle of this cluster: with `conformance: true` in the topology, it contains the prober',
    ],
    [
      'conformance/prober-not-ready',
      [DEPLOYMENT],
      'the prober of "rome" has no pod',
      'run "kubectl --context admin@rome -n weft-conformance describe pods"',
    ],
    [
      'conformance/prober-not-ready',
      [DEPLOYMENT, podOf({ isReady: false, waits: 'ImagePullBackOff' })],
      'the prober of "rome" is not ready: pod prober-1 waits, ImagePullBackOff',
      'run "kubectl --context admin@rome -n weft-conformance describe pods"',
    ],
    [
      'conformance/prober-not-ready',
      [DEPLOYMENT, podOf({})],
      'the prober of "rome" is not ready: pod prober-1',
      'run "kubectl --context admin@rome -n weft-conformance describe pods"',
    ],
    [
      'conformance/several-probers',
      [DEPLOYMENT, podOf(HERE), podOf({ name: 'prober-2', address: '10.202.0.8' })],
      '"rome" has 2 pods of the prober, and one is dialled: prober-1 and prober-2',
      'wait until the rollout of the prober is over, and set its replicas to 1 if it was scaled',
    ],
    [
      'conformance/prober-elsewhere',
      [DEPLOYMENT, podOf({ address: '10.9.0.7' })],
      'the prober of "rome" has the address 10.9.0.7, which is in no pod CIDR of "rome" (10.202.0.0/16)',
      'correct `podCIDR` of "rome", or move the pod to a node of the cluster itself: it is on "worker-1"',
    ],
  ];
  it.each(TABLE)('%s %#', (code, objects, message, hint) => {
    expect(found(...objects).diagnostics).toEqual([expect.objectContaining({ code, message, hint })]);
  });

  it('comes with the addresses that the cluster maps, of IP resources that have one', () => {
    const ip = (spec: object, status: object): KubernetesObject => ({
      apiVersion: 'ipam.liqo.io/v1alpha1',
      kind: 'IP',
      metadata: { name: 'web' },
      spec: { ...spec },
      status: { ...status },
    });
    const { mappings } = observeProber(
      [ip({ ip: '10.61.0.9' }, { ip: '10.70.0.3' }), ip({ ip: '10.61.0.8' }, {})],
      'prober',
    );
    expect(mappings).toEqual([{ real: readAddress('10.61.0.9'), external: readAddress('10.70.0.3') }]);
  });
});
