import { describe, expect, it } from 'vitest';
import { check, diagnose, fleet } from './sharing-fleet.ts';

const messages = (code: string, text: string): readonly string[] =>
  diagnose({ path: 'topology.yaml', text })
    .filter((it) => it.code === code)
    .map((it) => it.message);

describe('what is said of many loans is one message', () => {
  const everyone = fleet(
    'sharing:\n  - { consumer: {}, provider: {} }\noffloading:\n  - { cluster: rome, namespace: a }\n',
  );

  it.each(['sharing/key-missing', 'sharing/without-link'])('%s', (code) => {
    expect(messages(code, everyone)).toHaveLength(1);
  });

  it('it counts loans, and names the first ones', () => {
    expect(messages('sharing/without-link', everyone)).toEqual([
      '8 of 12 loans have no link, so no Service and no pod reaches the other cluster, though all looks ready: "capri" from milan, rome, turin; "milan" from capri, turin; "rome" from capri; and 1 more consumer (offloaded there: "a" of rome)',
    ]);
  });

  it('of slices that Liqo does not answer', () => {
    const gold = fleet('sharing:\n  - { consumer: {}, provider: {}, class: gold }\n');
    expect(messages('sharing/class-of-others', gold)).toEqual([
      expect.stringMatching(/^12 slices have classes .* and 9 more$/),
    ]);
  });
});

describe('capacity', () => {
  const lending = (capacity: string, resources: string) =>
    fleet(`sharing:\n  - { consumer: { tier: leaf }, provider: rome${resources} }\n`).replace(
      'labels: { tier: hub }',
      `capacity: ${capacity}`,
    );

  it.each([
    ['that is just enough', '{ cpu: 5 }', ', resources: { cpu: 2500m }', []],
    ['with a thousandth too much', '{ cpu: 4999m }', ', resources: { cpu: 2500m }', ['5 of 4999m cpu']],
    ['in other units', '{ memory: 16G }', ', resources: { memory: 8Gi }', ['16Gi of 16G memory']],
    ['of the default of Liqo', '{ pods: 219, memory: 16Gi }', '', ['220 of 219 pods']],
    [
      'of the default of the provider',
      '{ cpu: 5 }, helmValues: { offloading: { defaultNodeResources: { cpu: 3 } } }',
      '',
      ['6 of 5 cpu'],
    ],
    ['of what no slice asks for', '{ nvidia.com/gpu: 0 }', '', []],
    ['of several resources', '{ cpu: 1, pods: 1 }', '', ['8 of 1 cpu and 220 of 1 pods']],
  ])('%s', (_, capacity, resources, expected) => {
    expect(messages('sharing/over-capacity', lending(capacity, resources))).toEqual(
      expected.map((it) => `1 provider lends more than the declared capacity: "rome" lends ${it} to "milan", "turin"`),
    );
  });

  it('is not used by drained loans, and by every slice of the others', () => {
    const drained = lending('{ cpu: 1 }', ', resources: { cpu: 9 }, condition: Drained');
    expect(messages('sharing/over-capacity', drained)).toEqual([]);
    const two = lending(
      '{ cpu: 7 }',
      ', slices: [{ name: a, resources: { cpu: 2 } }, { name: b, resources: { cpu: 2 } }]',
    );
    expect(messages('sharing/over-capacity', two)).toEqual([expect.stringContaining('lends 8 of 7 cpu to')]);
  });
});

describe('API servers of providers', () => {
  const at = (apiServer: string, more = '') =>
    fleet('sharing:\n  - { consumer: rome, provider: milan }\n').replace(
      'milan: { podCIDR: 10.202.0.0/16,',
      `milan: { podCIDR: 10.202.0.0/16, apiServer: "${apiServer}"${more},`,
    );
  const where = (text: string) =>
    messages('sharing/api-server-inside', text).map((it) => / which lies inside (.*)$/.exec(it)?.[1]);

  it.each([
    ['https://10.202.255.255:6443', 'the pod CIDR 10.202.0.0/16 of the provider'],
    ['https://10.96.0.1', 'the service CIDR 10.96.0.0/12 of the provider'],
    ['10.200.0.1:6443', 'its own pod CIDR 10.200.0.0/16'],
    ['https://10.203.9.9:6443', '10.203.0.0/16, where it sees "turin"'],
  ])('%s lies inside %s', (apiServer, expected) => {
    expect(where(at(apiServer))).toEqual([expected]);
  });

  it.each([
    ['outside', 'https://192.168.0.9:6443', ''],
    ['a name, which is not resolved', 'https://10.202.0.1.example:6443', ''],
  ])('%s is right', (_, apiServer, more) => {
    expect(where(at(apiServer, more))).toEqual([]);
  });

  it('may lie among the pods where nodes do, but not for a consumer that sends that network into a tunnel', () => {
    const onAks = at('https://10.202.0.9', ', platform: aks-cni');
    expect(where(onAks)).toEqual(['10.202.0.0/16, where it sees "milan"']);
    expect(where(onAks.replace('consumer: rome', 'consumer: capri'))).toEqual([]);
    expect(where(at('https://10.202.0.9').replace('consumer: rome', 'consumer: capri'))).toHaveLength(1);
  });

  it.each([
    ['gke-v1', true],
    ['aks-overlay', true],
    ['eks', false],
    ['k3s', false],
    ['generic', false],
  ])('a provider on %s needs one: %s', (platform, needed) => {
    const text = fleet('sharing:\n  - { consumer: rome, provider: milan }\n').replace(
      'milan: { podCIDR: 10.202.0.0/16,',
      `milan: { podCIDR: 10.202.0.0/16, platform: ${platform},`,
    );
    expect(messages('sharing/no-api-server', text)).toHaveLength(needed ? 1 : 0);
  });
});

describe('namespaces without a provider', () => {
  const share = 'sharing:\n  - { consumer: rome, provider: { tier: leaf } }\n';

  check(
    'whose labels match another cluster only',
    fleet(`${share}offloading:\n  - «{ cluster: rome, namespace: a, to: { tier: island }, pods: Remote }»\n`),
    {
      code: 'sharing/no-provider',
      message: 'namespace "a" of "rome" has no provider, so its pods stay pending',
      hint: 'select a cluster in `to` that lends to "rome", or remove the entry',
    },
  );

  check('in a cluster that borrows nothing', fleet('offloading:\n  - «{ cluster: milan, namespace: a }»\n'), {
    code: 'sharing/no-provider',
    message: 'namespace "a" of "milan" has no provider, so its pods run in "milan" alone',
    hint: 'add a loan with `consumer: milan` to `sharing`, or remove the entry',
  });

  it('a cordoned provider is one', () => {
    const cordoned = fleet(
      'sharing:\n  - { consumer: rome, provider: milan, condition: Cordoned }\noffloading:\n  - { cluster: rome, namespace: a }\n',
    );
    expect(messages('sharing/no-provider', cordoned)).toEqual([]);
  });
});

describe('namespaces that are offloaded once more', () => {
  const chain = (pods: string, more = '') =>
    fleet(`sharing:
  - { consumer: milan, provider: rome }
  - { consumer: rome, provider: turin }
  - { consumer: turin, provider: milan }
offloading:
  - { cluster: milan, namespace: demo${pods} }
  - { cluster: rome, namespace: demo-milan, createNamespace: false }
${more}`);

  it('are reported where they are offloaded again', () => {
    expect(messages('sharing/offloaded-onwards', chain(''))).toEqual([
      'namespace "demo-milan" of "rome" contains pods of "milan", and is offloaded to "turin"',
    ]);
  });

  it('are not, if no pods come', () => {
    expect(messages('sharing/offloaded-onwards', chain(', pods: Local'))).toEqual([]);
  });

  it('and with a third one come back', () => {
    const back = chain('', '  - { cluster: turin, namespace: demo-milan-rome, createNamespace: false }\n');
    expect(messages('sharing/offloaded-onwards', back)).toEqual([
      'namespace "demo-milan" of "rome" contains pods of "milan", and is offloaded to "turin", and so back to "milan"',
      'namespace "demo-milan-rome" of "turin" contains pods of "rome", and is offloaded to "milan"',
    ]);
  });

  it('in a circle of equal names, too', () => {
    const circle = fleet(`sharing:
  - { consumer: milan, provider: rome }
  - { consumer: rome, provider: milan }
offloading:
  - { cluster: milan, namespace: demo, remoteName: demo, createNamespace: false }
  - { cluster: rome, namespace: demo, remoteName: demo, createNamespace: false }
`);
    expect(messages('sharing/offloaded-onwards', circle)).toEqual([
      expect.stringMatching(/, and so back to "rome"$/),
      expect.stringMatching(/, and so back to "milan"$/),
    ]);
  });
});

describe('direct connections', () => {
  const hub = (more: string, version = '1.2.0') =>
    `${fleet(`sharing:\n  - { consumer: rome, provider: { tier: leaf } }\n${more}`).replace(
      'milan: { ',
      'milan: { gateway: 203.0.113.11, ',
    )}liqo: { version: "${version}" }\n`;
  const offloaded = 'offloading:\n  - { cluster: rome, namespace: demo }\n';

  it.each([
    ['no two providers are linked', hub(offloaded), []],
    ['every two are', hub(`shortcuts: [[milan, turin]]\n${offloaded}`), []],
    ['the release has none', hub(`shortcuts: [[milan, turin]]\n${offloaded}`, '1.1.2').replace('10.203', '10.202'), []],
    [
      'the consumer sees the pods of one under other addresses',
      hub(`shortcuts: [[milan, turin]]\n${offloaded}`).replace('10.203', '10.202'),
      [expect.stringMatching(/: "rome" sees the pods of "(milan|turin)" under other addresses$/)],
    ],
  ])('%s', (_, text, expected) => {
    expect(messages('sharing/no-direct-connections', text)).toEqual(expected);
  });
});
