import { describe, expect, it } from 'vitest';
import { check, codesOf, diagnose, fleet } from './sharing-fleet.ts';

const NOTHING_ELSE = ['sharing/key-missing'];

describe('slices', () => {
  check(
    'called like the gateway towards their provider share its account',
    fleet('sharing:\n  - { consumer: milan, provider: rome, name: «rome» }\n'),
    { code: 'sharing/account-shared', hint: 'choose another `name`; without one weft writes "rome-slice"' },
  );

  check(
    'called "default" share an account, with a link or without',
    fleet('sharing:\n  - { consumer: milan, provider: capri, name: «default» }\n'),
    { code: 'sharing/account-shared' },
  );

  it.each([
    ['without a link no gateway is called like the provider', '{ consumer: milan, provider: capri, name: capri }'],
    ['the gateway towards another cluster is in another namespace', '{ consumer: rome, provider: milan, name: turin }'],
    ['no CPU is an error, a thousandth of one is not', '{ consumer: rome, provider: milan, resources: { cpu: 1m } }'],
    ['what is not asked for is no zero', '{ consumer: rome, provider: milan, resources: { nvidia.com/gpu: 0 } }'],
  ])('%s', (_, entry) => {
    expect(codesOf(`sharing:\n  - ${entry}\n`).filter((it) => /account|nothing/.test(it))).toEqual([]);
  });

  check(
    'that ask for nothing hold no pod, in any spelling',
    fleet('sharing:\n  - «{ consumer: rome, provider: milan, resources: { cpu: 0.0, memory: 0Mi } }»\n'),
    { code: 'sharing/slice-of-nothing', message: /asks for 0 cpu and memory/ },
  );

  it('with one name for many pairs are one error', () => {
    const found = diagnose({
      path: 'topology.yaml',
      text: fleet('sharing:\n  - { consumer: {}, provider: {}, name: pool }\n'),
    }).filter((it) => it.code === 'sharing/slice-name-twice');
    // Four clusters that borrow from three others each, and six pairs in both directions.
    expect(found.map((it) => it.message)).toEqual([
      expect.stringMatching(/^"capri" and "milan" borrow from each other .* \(and 13 more of this entry\)$/),
    ]);
  });
});

describe('names of namespaces in providers', () => {
  const share = 'sharing:\n  - { consumer: rome, provider: { tier: leaf } }\n';

  it.each([
    ['of 63 characters fits', 'a'.repeat(58), []],
    ['of 64 characters does not', 'a'.repeat(59), ['sharing/remote-name-too-long']],
  ])('the name that Liqo makes %s', (_, namespace, expected) => {
    expect(codesOf(`${share}offloading:\n  - { cluster: rome, namespace: ${namespace} }\n`)).toEqual([
      ...NOTHING_ELSE,
      ...expected,
    ]);
  });

  it.each([['default', 'kube-flannel', 'liqo', 'liqo-tenant-x'].map((it) => [it] as const)].flat())(
    '"%s" is taken everywhere',
    (name) => {
      expect(codesOf(`${share}offloading:\n  - { cluster: rome, namespace: demo, remoteName: ${name} }\n`)).toContain(
        'sharing/remote-name-taken',
      );
    },
  );

  it.each(['defaults', 'kube', 'liqo-1', 'liqo-tenants', 'x-kube-system'])('"%s" is free', (name) => {
    expect(codesOf(`${share}offloading:\n  - { cluster: rome, namespace: demo, remoteName: ${name} }\n`)).toEqual(
      NOTHING_ELSE,
    );
  });

  check(
    'a default name that cannot be left out',
    fleet(`${share}  - { consumer: milan, provider: turin }
offloading:
  - «{ cluster: rome, namespace: demo }»
  - { cluster: milan, namespace: demo-rome }
`),
    {
      code: 'sharing/remote-name-taken',
      message: /"demo-rome" in .*, but a namespace of that name is offloaded from there$/,
      hint: /^set a `remoteName` that begins with another word/,
    },
  );

  it.each(['kube-system', 'kube-flannel', 'liqo', 'liqo-tenant-milan'])(
    '"%s" stays, whatever its remote name',
    (name) => {
      for (const remoteName of ['', ', remoteName: free']) {
        const codes = codesOf(`${share}offloading:\n  - { cluster: rome, namespace: ${name}${remoteName} }\n`);
        expect(codes).toContain('sharing/system-namespace');
        expect(codes).not.toContain('sharing/remote-name-taken');
      }
    },
  );

  check(
    'the Liqo namespace of the provider counts, not that of the consumer',
    fleet(`${share}  - { consumer: milan, provider: turin }
liqo: { namespace: liqo-system }
offloading:
  - { cluster: rome, namespace: demo, remoteName: liqo }
  - «{ cluster: milan, namespace: demo, remoteName: liqo-system }»
`),
    { code: 'sharing/remote-name-taken', message: /Liqo runs in a namespace of that name$/ },
  );

  check(
    'two clusters with equal pairs of namespace and name',
    `${fleet(`  a: { podCIDR: 10.206.0.0/16 }
  b-a: { podCIDR: 10.207.0.0/16 }
sharing:
  - { consumer: a, provider: rome }
  - { consumer: b-a, provider: rome }
offloading:
  - ‹{ cluster: a, namespace: x-b }›
  - «{ cluster: b-a, namespace: x }»
`)}`,
    {
      code: 'sharing/remote-names-meet',
      message: 'namespace "x" of "b-a" and namespace "x-b" of "a" would both be called "x-b-a" in "rome"',
      related: 'the other namespace',
    },
  );

  it('meet in common providers only', () => {
    const two = `sharing:
  - { consumer: milan, provider: rome }
  - { consumer: rome, provider: turin }
offloading:
  - { cluster: milan, namespace: demo, remoteName: shop }
  - { cluster: rome, namespace: demo, remoteName: shop }
`;
    expect(codesOf(two)).toEqual(NOTHING_ELSE);
  });

  it('of one that weft does not create may be those of a remote namespace, offloaded once more', () => {
    const onwards = `sharing:
  - { consumer: milan, provider: rome }
  - { consumer: rome, provider: turin }
offloading:
  - { cluster: milan, namespace: demo }
  - { cluster: rome, namespace: demo-milan, createNamespace: CREATE }
`;
    const taken = (create: string) => codesOf(onwards.replace('CREATE', create)).includes('sharing/remote-name-taken');
    expect([taken('true'), taken('false')]).toEqual([true, false]);
  });
});

describe('retired clusters', () => {
  it.each([
    'sharing:\n  - { consumer: genoa, provider: rome }\n',
    'sharing:\n  - { consumer: { tier: leaf }, provider: genoa }\n',
    'sharing:\n  - { consumer: rome, provider: milan }\noffloading:\n  - { cluster: rome, namespace: a, to: [milan, genoa] }\n',
    'offloading:\n  - { cluster: genoa, namespace: a, to: rome }\n',
  ])('are no mistake where their name still stands: %j', (more) => {
    const errors = diagnose({ path: 'topology.yaml', text: fleet(more) }).filter((it) => it.severity === 'error');
    expect(errors).toEqual([]);
  });

  check('are not what labels mean', fleet('sharing:\n  - «{ consumer: rome, provider: { tier: gone } }»\n'), {
    code: 'sharing/matches-nothing',
  });
});
