import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { once } from '../../../../src/base/core/once.ts';
import { observeCluster } from '../../../../src/live/facts/cluster.ts';
import { inferSharing } from '../../../../src/live/import/sharing/infer-sharing.ts';
import { appliedObjects } from '../../../bundle/gitops/applied-objects.ts';
import { importLive } from './import-recording.ts';
import { base64, type Editable, liqoctlFleet } from './liqoctl-fleet.ts';

type Edit = (cluster: string, it: Editable) => Editable | undefined;

interface Live {
  /** The edits before the controllers run, and after. */
  readonly edit?: Edit;
  readonly disturb?: Edit;
  readonly offloaded?: readonly string[];
  /** Clusters without a dump. */
  readonly missing?: readonly string[];
  /** True if turin borrows from rome. */
  readonly back?: boolean;
}

/** rome borrows from milan and turin; what is found, as `code: message`. */
function imported({ missing = [], offloaded = [], back = false, ...edits }: Live) {
  const live = liqoctlFleet({
    clusters: ['milan', 'rome', 'turin'],
    loans: [
      { consumer: 'rome', provider: 'milan' },
      { consumer: 'rome', provider: 'turin' },
      ...(back ? [{ consumer: 'turin', provider: 'rome' }] : []),
    ],
    offloaded: { rome: offloaded },
    ...edits,
  }).filter((it) => !missing.includes(it.cluster));
  const { sources, compiled, diagnostics, drift } = importLive(live);
  const { sharing = [], offloading = [] } = parse(sources.topology.text);
  return {
    sharing: sharing as readonly Readonly<Record<string, unknown>>[],
    offloading: offloading as readonly Readonly<Record<string, unknown>>[],
    keys: parse(sources.keys?.text ?? '').authentication ?? {},
    identities: parse(sources.identities?.text ?? '{}').identities ?? {},
    drift,
    found: diagnostics
      .filter((it) => it.code.startsWith('import/') && !NOT_DUMPED.includes(it.code))
      .map((it) => ({ code: it.code as string, message: it.message })),
    hints: diagnostics.flatMap((it) => (it.hint === undefined ? [] : [`${it.code}: ${it.hint}`])),
    kinds: (cluster: string) => appliedObjects(compiled, cluster).map(({ object }) => object.kind),
  };
}

const healthy = once(() => imported({}));

/** The Deployments of the chart. */
const NOT_DUMPED = ['import/chart-unknown', 'import/pools-unknown'];

/** Changes the spec of every object of a kind in a cluster. */
const withSpec =
  (cluster: string, kind: string, spec: Readonly<Record<string, unknown>>): Edit =>
  (where, it) =>
    where === cluster && it.kind === kind ? { ...it, spec: { ...it.spec, ...spec } } : it;

const without =
  (cluster: string, kind: string, name: RegExp): Edit =>
  (where, it) =>
    where === cluster && it.kind === kind && name.test(it.metadata.name) ? undefined : it;

const renamed =
  (cluster: string, kind: string, from: string, name: string): Edit =>
  (where, it) =>
    where === cluster && it.kind === kind && it.metadata.name === from
      ? { ...it, metadata: { ...it.metadata, name } }
      : it;

const annotated =
  (cluster: string, kind: string, annotations: Readonly<Record<string, string>>): Edit =>
  (where, it) =>
    where === cluster && it.kind === kind ? { ...it, metadata: { ...it.metadata, annotations } } : it;

const pairs = (sharing: readonly Readonly<Record<string, unknown>>[]) =>
  sharing.map((it) => `${it['consumer']} from ${it['provider']}`);

describe('of loans', () => {
  it('a healthy fleet has nothing to say', () => {
    expect(healthy().found).toEqual([]);
    expect(pairs(imported({ back: true }).sharing)).toEqual(['rome from milan', 'rome from turin', 'turin from rome']);
  });

  it('one without a slice is left out', () => {
    const { found, sharing } = imported({ edit: without('rome', 'ResourceSlice', /^milan$/) });
    expect(pairs(sharing)).toEqual(['rome from turin']);
    expect(found).toEqual([
      {
        code: 'import/loan-left-out',
        message: expect.stringMatching(/^Tenant liqo-tenant-rome\/rome of "milan": there is no slice/),
      },
    ]);
  });

  it('one with a cluster that nothing is known of is left out', () => {
    const { found, sharing } = imported({ missing: ['turin'] });
    expect(pairs(sharing)).toEqual(['rome from milan']);
    expect(found).toEqual([
      {
        code: 'import/loan-left-out',
        message:
          'Identity liqo-tenant-turin/controlplane-turin of "rome": nothing is known of "turin", so the loan is left out of `sharing`',
      },
    ]);
  });

  it.each([
    ['no Tenant', without('milan', 'Tenant', /rome/), 'Identity liqo-tenant-milan/controlplane-milan of "rome"'],
    ['no Identity', without('rome', 'Identity', /^controlplane-milan/), 'Tenant liqo-tenant-rome/rome of "milan"'],
    ['no copy', without('milan', 'ResourceSlice', /milan/), 'ResourceSlice liqo-tenant-milan/milan of "rome"'],
  ] as const)('one with %s at the other end is incomplete', (_, disturb, object) => {
    const { found, sharing } = imported({ disturb });
    expect(pairs(sharing)).toEqual(['rome from milan', 'rome from turin']);
    expect(found.map((it) => [it.code, it.message.split(': ')[0]])).toContainEqual(['import/loan-incomplete', object]);
  });
});

describe('of charts', () => {
  it('what was not dumped is said once for all clusters', () => {
    const live = liqoctlFleet({ clusters: ['milan', 'rome'], loans: [{ consumer: 'rome', provider: 'milan' }] });
    const found = importLive(live).diagnostics.filter((it) => it.code === 'import/chart-unknown');
    expect(found.map((it) => it.message)).toEqual([expect.stringMatching(/of "milan", "rome", so nothing is written/)]);
  });
});

describe('of slices and virtual nodes', () => {
  it('one that is not to be a virtual node is left out, and the virtual node that was made instead of it', () => {
    const edit: Edit = (cluster, it) =>
      annotated(
        'rome',
        'ResourceSlice',
        it.metadata.name === 'milan' ? {} : { ...it.metadata.annotations },
      )(cluster, it);
    const disturb = renamed('rome', 'VirtualNode', 'turin', 'by-hand');
    const { found } = imported({ edit, disturb: (cluster, it) => unlabelled(disturb(cluster, it)) });
    expect(found.map((it) => it.code)).toEqual(
      expect.arrayContaining(['import/slice-left-out', 'import/loan-left-out', 'import/virtual-node-by-hand']),
    );
    expect(found.find((it) => it.code === 'import/slice-left-out')?.message).toBe(
      'ResourceSlice liqo-tenant-milan/milan of "rome": it is left out, because Liqo makes no virtual node of it, and of the slices of a topology it does',
    );
  });

  it('what was added to a virtual node is a setting, but for what no setting means', () => {
    const { found, sharing } = imported({
      disturb: withSpec('rome', 'VirtualNode', {
        labels: { 'liqo.io/remote-cluster-id': 'milan', 'argocd.argoproj.io/instance': 'apps', tier: 'burst' },
        annotations: { 'kustomize.toolkit.fluxcd.io/name': 'apps', note: 'ours' },
        taints: [{ key: 'burst', effect: 'NoSchedule' }],
        disableNetworkCheck: true,
        offloadingPatch: { runtimeClassName: 'gvisor', tolerations: [] },
      }),
    });
    expect(sharing[0]?.['virtualNode']).toEqual({
      labels: { tier: 'burst' },
      annotations: { note: 'ours' },
      taints: [{ key: 'burst', effect: 'NoSchedule' }],
      networkCheck: false,
      runtimeClass: 'gvisor',
    });
    expect(new Set(found.map((it) => it.code))).toEqual(new Set(['import/virtual-node-by-hand']));
  });

  it('one that was denied or cordoned is written, and found', () => {
    const { found, sharing } = imported({
      edit: withSpec('milan', 'Tenant', { tenantCondition: 'Cordoned' }),
      disturb: annotated('turin', 'ResourceSlice', { 'liqo.io/cordon': 'true' }),
    });
    expect(sharing.map((it) => it['condition'])).toEqual(['Cordoned', undefined]);
    expect(found.map((it) => [it.code, it.message])).toEqual([
      ['import/slice-not-accepted', 'ResourceSlice liqo-tenant-milan/milan of "rome": "milan" denied it (Resources)'],
      [
        'import/slice-not-accepted',
        'ResourceSlice liqo-tenant-turin/turin of "rome": an annotation of its copy in "turin" cordons it, which weft does not write',
      ],
    ]);
  });

  it('of two with one name in the two directions of a pair, the one that was copied stays', () => {
    const { sharing, found } = imported({ back: true, edit: renamed('turin', 'ResourceSlice', 'rome', 'turin') });
    expect(pairs(sharing)).toEqual(['rome from milan', 'rome from turin']);
    expect(found.map((it) => it.message.split(':')[0])).toContain('ResourceSlice liqo-tenant-rome/turin of "turin"');
  });
});

function unlabelled(it: Editable | undefined): Editable | undefined {
  if (it?.metadata.name !== 'by-hand') return it;
  return { ...it, metadata: { ...it.metadata, labels: { 'liqo.io/remote-cluster-id': 'turin' } } };
}

describe('of keys and answers', () => {
  it.each([
    ['the nonce was not dumped', without('milan', 'Secret', /nonce/), 'no Secret with its nonce is in the dump'],
    [
      'the signature is not right',
      withSpec('milan', 'Tenant', { signature: base64('x'.repeat(64)) }),
      'its signature is not that of its nonce by its key',
    ],
    [
      'the request is none',
      withSpec('milan', 'Tenant', { csr: base64('no request') }),
      'its csr is no certificate request',
    ],
    ['the key is none', withSpec('milan', 'Tenant', { publicKey: 'AAAA' }), 'its publicKey is none that Liqo accepts'],
  ] as const)('%s: what others know of the key is recorded', (_, disturb, why) => {
    const { found, keys } = imported({ disturb });
    expect(found).toEqual([
      { code: 'import/authentication-left-out', message: `Tenant liqo-tenant-rome/rome of "milan": ${why}` },
    ]);
    expect(keys.rome.providers).toBeUndefined();
    expect(keys.rome.publicKey).toMatch(/^LS0tLS1CRUdJTi/);
  });

  it('the request of a slice that is not for it is left to Liqo', () => {
    const { found, keys } = imported({ disturb: withSpec('rome', 'ResourceSlice', { csr: base64('no request') }) });
    expect(found.map((it) => it.code)).toEqual(['import/authentication-left-out', 'import/authentication-left-out']);
    expect(keys.rome.slices).toBeUndefined();
  });

  it('access to AWS is never recorded', () => {
    const awsConfig = { awsAccessKeyID: 'AKIA', awsSecretAccessKey: 'secret' };
    const { found, identities } = imported({
      disturb: (cluster, it) =>
        withSpec('rome', 'Identity', { authParams: { ...(it.spec?.['authParams'] as object), awsConfig } })(
          cluster,
          it,
        ),
    });
    expect(found.map((it) => it.code)).toEqual(['import/answer-left-out', 'import/answer-left-out']);
    expect(identities).toEqual({});
  });

  it('an answer that is not for the consumer is left out; another one than the provider shows is found', () => {
    const authParams = { apiServer: 'https://milan.example:6443', ca: '', signedCRT: base64('no certificate') };
    const wrong = imported({ disturb: withSpec('rome', 'Identity', { authParams }) });
    expect(wrong.found[0]).toEqual({
      code: 'import/answer-left-out',
      message: 'Identity liqo-tenant-milan/controlplane-milan of "rome": signedCRT is no certificate',
    });
    const other = imported({
      disturb: (cluster, it) => {
        const params = { ...(it.spec?.['authParams'] as object), apiServer: 'https://elsewhere:6443' };
        return it.metadata.name === 'controlplane-milan'
          ? withSpec('rome', 'Identity', { authParams: params })(cluster, it)
          : it;
      },
    });
    expect(other.found.map((it) => it.code)).toEqual(['import/answer-differs']);
    expect(other.identities.rome.milan.apiServer).toBe('https://elsewhere:6443');
  });
});

describe('of objects that weft writes in another way', () => {
  it.each([
    [
      'a nonce',
      renamed('milan', 'Secret', 'liqo-nonce', 'my-nonce'),
      'weft calls it "liqo-nonce", and Liqo refuses two nonces',
    ],
    ['a Tenant', renamed('milan', 'Tenant', 'rome', 'consumer'), 'weft calls it "rome", and Liqo refuses a second one'],
    ['an Identity', renamed('rome', 'Identity', 'controlplane-milan', 'mine'), 'weft calls it "controlplane-milan"'],
  ] as const)('%s with another name', (_, disturb, why) => {
    const { found } = imported({ disturb });
    expect(found.map((it) => it.code)).toEqual(['import/other-name']);
    expect(found[0]?.message.endsWith(why)).toBe(true);
  });

  it('a proxy through the tunnel', () => {
    const { found } = imported({ disturb: withSpec('milan', 'Tenant', { proxyURL: 'http://10.70.0.3:8118' }) });
    expect(found.map((it) => it.code)).toEqual(['import/proxy-left-out']);
  });

  it('another account of a consumer with credentials', () => {
    const { found, sharing } = imported({
      disturb: (cluster, it) =>
        it.metadata.name.startsWith('controlplane-milan') && it.kind === 'Identity'
          ? undefined
          : withSpec('milan', 'Tenant', { authzPolicy: 'TolerateNoHandshake' })(cluster, it),
    });
    expect(sharing[0]?.['auth']).toBe('credentials');
    expect(found).toEqual([
      {
        code: 'import/other-account',
        message:
          'RoleBinding liqo-tenant-rome/liqo-binding-liqo-remote-controlplane of "milan": it lets in "User rome", and that of weft only "ServiceAccount liqo-tenant-rome/consumer-rome"',
      },
    ]);
  });
});

describe('of offloaded namespaces', () => {
  const expression = (key: string, values: readonly string[]) => ({
    matchExpressions: [{ key, operator: 'In', values }],
  });
  const selecting = (...terms: readonly unknown[]) =>
    withSpec('rome', 'NamespaceOffloading', { clusterSelector: { nodeSelectorTerms: terms } });

  it('selectors by the ID of clusters are taken over as they are', () => {
    const edit = selecting(expression('liqo.io/remote-cluster-id', ['milan']));
    const { found, offloading, drift } = imported({ offloaded: ['demo'], edit });
    expect(offloading).toEqual([{ cluster: 'rome', namespace: 'demo', to: ['milan'], createNamespace: false }]);
    expect(found).toEqual([]);
    expect(drift.get('rome')).toEqual([]);
  });

  it('others are written by the names of what they select', () => {
    const disturb = selecting(expression('region', ['south']));
    const edit = selecting(expression('liqo.io/remote-cluster-id', ['turin']));
    const { found, offloading } = imported({ offloaded: ['demo'], edit, disturb });
    expect(offloading[0]?.['to']).toEqual(['turin']);
    expect(found.map((it) => it.code)).toEqual(['import/selector-by-name']);
  });

  it.each([
    ['a namespace of Kubernetes', ['kube-public'], undefined],
    ['a provider whose loan is not written', ['demo'], without('rome', 'ResourceSlice', /^milan$/)],
    [
      'its own name as one that was selected',
      ['demo'],
      withSpec('rome', 'NamespaceOffloading', {
        namespaceMappingStrategy: 'SelectedName',
        remoteNamespaceName: 'demo',
      }),
    ],
  ] as const)('%s is left out', (_, offloaded, disturb) => {
    const { found, offloading } = imported({ offloaded, ...(disturb === undefined ? {} : { disturb }) });
    expect(offloading).toEqual([]);
    expect(found.map((it) => it.code)).toContain('import/offloading-left-out');
  });
});

describe('of clusters without a dump', () => {
  const DECLARED = new Set(['milan', 'rome', 'turin']);

  /** A link shows that there is a cluster. */
  function known(missing: readonly string[]) {
    const live = liqoctlFleet({
      clusters: ['milan', 'rome', 'turin'],
      loans: [
        { consumer: 'rome', provider: 'milan' },
        { consumer: 'rome', provider: 'turin' },
      ],
      offloaded: { rome: ['demo'] },
    });
    const dumped = live.filter((it) => !missing.includes(it.cluster));
    return inferSharing(dumped.map(observeCluster), DECLARED);
  }

  it('a provider shows the key, the answer and the copies of slices', () => {
    const all = known([]);
    const { sharing, offloading, authentication, identities, findings } = known(['rome']);
    expect(sharing).toEqual(all.sharing);
    expect([authentication, identities]).toEqual([all.authentication, all.identities]);
    expect([all.offloading.length, offloading.length]).toEqual([1, 0]);
    expect(findings.map((it) => [it.code, it.cluster])).toEqual([
      ['import/loan-half-known', 'milan'],
      ['import/loan-half-known', 'turin'],
    ]);
  });

  it('a consumer shows slices, namespaces and answers; that it has a key, and not which, since its nonces are in providers', () => {
    const all = known([]);
    const { sharing, offloading, authentication, identities, findings } = known(['milan', 'turin']);
    expect([sharing, offloading, identities]).toEqual([all.sharing, all.offloading, all.identities]);
    expect([...authentication]).toEqual([['rome', 'unknown']]);
    expect(findings.filter((it) => it.code === 'import/loan-half-known').map((it) => it.message)).toEqual([
      expect.stringMatching(/^there is no dump of "milan", "turin", and "rome" borrows from it/),
    ]);
  });
});

const INCOMPLETE = 'import/loan-incomplete';

describe('a hint about a loan that is followed', () => {
  it.each<readonly [code: string, says: string, broken: Live]>([
    [
      INCOMPLETE,
      'otherwise make it with "liqoctl authenticate" and import again with another --topology',
      { disturb: without('milan', 'Tenant', /rome/) },
    ],
    [
      INCOMPLETE,
      'if "rome" has it, dump it and import again with another --topology',
      { disturb: renamed('rome', 'ResourceSlice', 'milan', 'other') },
    ],
    [INCOMPLETE, 'rename it if the other direction', { disturb: without('milan', 'ResourceSlice', /milan/) }],
    [
      'import/authentication-left-out',
      'correct the object',
      { disturb: withSpec('milan', 'Tenant', { csr: base64('no') }) },
    ],
    [
      'import/authentication-left-out',
      'dump it and the Secrets too, and import again with another --topology',
      { disturb: without('milan', 'Secret', /nonce/) },
    ],
    [
      'import/loan-left-out',
      'correct this and import again with another --topology',
      { edit: without('rome', 'ResourceSlice', /^milan$/) },
    ],
    ['import/loan-left-out', 'correct this and import again with another --topology', { missing: ['turin'] }],
    [
      'import/virtual-node-by-hand',
      'set the same below `virtualNode` of a slice',
      { disturb: withSpec('rome', 'VirtualNode', { offloadingPatch: { tolerations: [] } }) },
    ],
    [
      'import/slice-not-accepted',
      'find out in the provider why it does not',
      { disturb: annotated('turin', 'ResourceSlice', { 'liqo.io/cordon': 'true' }) },
    ],
    [
      'import/proxy-left-out',
      'make the API server reachable outside the tunnel',
      { disturb: withSpec('milan', 'Tenant', { proxyURL: 'http://10.70.0.3:8118' }) },
    ],
  ])('resolves %s: %s', (code, says, broken) => {
    const { hints } = imported(broken);
    expect(hints).toContainEqual(expect.stringMatching(`^${code}: `));
    expect(hints.filter((it) => it.startsWith(`${code}: `)).join()).toContain(says);
    expect(healthy().found).toEqual([]);
  });

  it('has the missing object where it says so, and a Tenant only where another provider shows the key', () => {
    const identity = imported({ disturb: without('rome', 'Identity', /^controlplane-milan/) });
    expect(identity.hints.join()).toContain('apply the bundle of "rome", which has it');
    expect(identity.kinds('rome').filter((it) => it === 'Identity')).toHaveLength(2);
    const tenant = { disturb: without('milan', 'Tenant', /rome/) };
    expect(imported(tenant).hints.join()).toContain('apply the bundle of "milan" if it has one');
    expect(imported(tenant).kinds('milan')).toContain('Tenant');
    expect(imported({ ...tenant, missing: ['turin'] }).kinds('milan')).not.toContain('Tenant');
  });
});
