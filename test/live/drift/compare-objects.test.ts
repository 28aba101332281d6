import { describe, expect, it } from 'vitest';
import { compareObjects } from '../../../src/live/drift/compare-objects.ts';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';

const objectOf = (metadata: string, rest: string): KubernetesObject =>
  JSON.parse(`{ "apiVersion": "v1", "kind": "ConfigMap", "metadata": { "name": "x" ${metadata} } ${rest} }`);

const differencesOf = (promised: KubernetesObject, live: KubernetesObject) =>
  [...compareObjects(promised, live, { isRenewed: false })].map((it) => it.path.join('.'));

describe.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('a member called %s', (name) => {
  const plain = objectOf('', ', "spec": { "a": "b" }');
  const member = `{ "${name}": "x" }`;

  it.each(['labels', 'annotations'])('in %s is somebody else’s when live alone has it', (part) => {
    expect(differencesOf(plain, objectOf(`, "${part}": ${member}`, ', "spec": { "a": "b" }'))).toEqual([]);
  });

  it('is missed when it is promised and not live', () => {
    expect(differencesOf(objectOf(`, "labels": ${member}`, ''), objectOf('', ''))).toEqual([`metadata.labels.${name}`]);
  });

  it('is a difference as a field of the spec', () => {
    const live = objectOf('', `, "spec": { "a": "b", "${name}": "x" }`);
    expect(differencesOf(plain, live)).toEqual([`spec.${name}`]);
    expect(differencesOf(live, live)).toEqual([]);
  });
});

describe('a gateway without a Secret of its own in git', () => {
  const gateway = (spec: string): KubernetesObject =>
    JSON.parse(
      `{ "apiVersion": "networking.liqo.io/v1beta1", "kind": "GatewayClient", "metadata": { "name": "x" }, "spec": ${spec} }`,
    );

  it.each([
    ['has the empty name that the CRD fills in', '{ "mtu": 1340, "secretRef": { "name": "" } }', []],
    ['has a reference without a name', '{ "mtu": 1340, "secretRef": {} }', []],
    ['names one after all', '{ "mtu": 1340, "secretRef": { "name": "gw-keys" } }', ['spec.secretRef']],
  ])('%s', (_, live, expected) => {
    expect(differencesOf(gateway('{ "mtu": 1340 }'), gateway(live))).toEqual(expected);
  });
});
