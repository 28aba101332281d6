import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { placeAt } from '../../../src/base/source/source.ts';
import { readLiveClusters } from '../../../src/host/app/read-live-clusters.ts';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import type { LiveCluster } from '../../../src/live/dumps/kubernetes-object.ts';
import { RUNS_ALL } from '../../support/drawn.ts';
import { liveFiles } from './live-files.ts';

interface Item {
  readonly kind: string;
  readonly name: string;
  readonly uid?: string;
  readonly [field: string]: unknown;
}

const VERSIONS: Readonly<Record<string, string>> = {
  Configuration: 'networking.liqo.io/v1beta1',
  Deployment: 'apps/v1',
};

const dump = (...items: readonly Item[]): string =>
  JSON.stringify(
    {
      apiVersion: 'v1',
      items: items.map(({ kind, name, uid, remote, ...more }) => ({
        apiVersion: VERSIONS[kind] ?? 'v1',
        kind,
        metadata: { name, uid, labels: remote === undefined ? {} : { 'liqo.io/remote-cluster-id': remote } },
        ...more,
      })),
      kind: 'List',
    },
    null,
    4,
  );

const idOf = (id: string, uid?: string): Item => ({
  kind: 'ConfigMap',
  name: 'liqo-clusterid-configmap',
  ...(uid === undefined ? {} : { uid }),
  data: { CLUSTER_ID: id },
});
const peer = (remote: string, uid?: string): Item => ({
  kind: 'Configuration',
  name: remote,
  remote,
  ...(uid === undefined ? {} : { uid }),
});
const namespace = (name: string, uid: string): Item => ({ kind: 'Namespace', name, uid });

interface Given {
  readonly known?: readonly string[];
  readonly piped?: string;
}

/** Reads `name=path` and paths; the result is the names of what each cluster has, or the mistakes. */
async function read(files: Readonly<Record<string, string>>, given: readonly string[], { known, piped }: Given = {}) {
  const { ports, log } = liveFiles(files, piped);
  const dumps = given.map((it) => {
    const [path = '', cluster = null] = it.split('=').reverse();
    return { cluster, path };
  });
  const wanted = { known: known === undefined ? null : new Set(known), kinds: COMPARED_KINDS };
  const result = await readLiveClusters(ports, { dumps, contexts: [] }, wanted, ({ cluster, objects }: LiveCluster) => {
    log.push(`= ${cluster}`);
    return [...objects.values()].map((it) => it.metadata.name).join(' ');
  });
  const problems = result.diagnostics.map(({ code, message, span }) => {
    const { line } = placeAt(span.source, span.start);
    return [code, `${span.source.path}:${line} ${message}`] as const;
  });
  const hints = result.diagnostics.map((it) => it.hint);
  return { log, problems, hints, found: result.ok ? Object.fromEntries(result.value) : undefined };
}

describe('live clusters', () => {
  it('are read one after the other, and each is handed over before the next one is read', async () => {
    const files = { 'dumps/rome.json': dump(peer('milan')), 'dumps/milan.json': dump(peer('rome')) };
    const { log, found } = await read(files, ['dumps']);
    expect(log).toEqual(['dumps/milan.json', '= milan', 'dumps/rome.json', '= rome']);
    expect(found).toEqual({ milan: 'rome', rome: 'milan' });
  });

  it('may have their objects in several files, folders and arguments, which are read together', async () => {
    const files = {
      'dumps/rome/a.json': dump(peer('a')),
      'dumps/rome/deeper/b.json': dump(peer('b')),
      'dumps/milan.json': dump(peer('d')),
      'more.json': dump(peer('c')),
    };
    const { log, found } = await read(files, ['dumps', 'rome=more.json']);
    expect(found).toEqual({ milan: 'd', rome: 'a b c' });
    expect(log).toEqual([
      ...['dumps/milan.json', '= milan'],
      ...['dumps/rome/a.json', 'dumps/rome/deeper/b.json', 'more.json', '= rome'],
    ]);
  });

  it('are read again when a later file turns out to be of an earlier one', async () => {
    const files = {
      'a-1.json': dump(idOf('rome'), peer('a')),
      'a-2.json': dump(idOf('milan'), peer('b')),
      'a-3.json': dump(idOf('rome'), peer('c')),
    };
    for (const known of [undefined, ['milan', 'rome']]) {
      const { log, found } = await read(files, Object.keys(files), known === undefined ? {} : { known });
      expect(found).toEqual({ milan: 'b', rome: 'a c' });
      expect(log).toEqual([
        ...['a-1.json', '= rome', 'a-2.json', '= milan', 'a-3.json'],
        ...['a-1.json', 'a-3.json', '= rome'],
      ]);
    }
  });

  it('may be piped in, together with files', async () => {
    const piped = dump(idOf('rome'), peer('a'));
    const { found } = await read({ 'rome.json': dump(peer('b')) }, ['-', 'rome=rome.json'], { piped });
    expect(found).toEqual({ rome: 'a b' });
  });

  it('are as many mistakes as there are, up to a hundred, of which each keeps one line', async () => {
    const cut = dump(peer('a'), peer('b')).slice(0, -150);
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`d/c${i}.json`, cut]));
    const { log, problems, found } = await read(files, ['d']);
    expect(found).toBeUndefined();
    expect(problems).toHaveLength(100);
    expect(log).toHaveLength(100);
    expect(problems[0]).toEqual([
      'live/unreadable',
      expect.stringMatching(/^d\/c0.json:1 .*never closed, so it was cut off$/),
    ]);
  });
});

describe('a dump that is larger than a text may be', () => {
  it('is a mistake that says how to divide it', async () => {
    const { ports } = liveFiles({});
    const result = await readLiveClusters(
      { ...ports, readDump: async () => ({ kind: 'too-large', bytes: null, limitBytes: 256 * 1024 * 1024 }) },
      { dumps: [{ cluster: 'rome', path: 'rome.json' }], contexts: [] },
      { known: null, kinds: COMPARED_KINDS },
      () => null,
    );
    expect(result.ok).toBe(false);
    expect(result.diagnostics.map(({ code, message, hint }) => [code, message, hint])).toEqual([
      [
        'source/too-large',
        'the dump has more than 256 MiB',
        expect.stringMatching(/into a folder that is named after it, one kind of object into each file/),
      ],
    ]);
  });
});

describe('the cluster of a dump', () => {
  const files = {
    'rome.json': dump(peer('milan')),
    'with-id.json': dump(idOf('rome'), peer('milan')),
    'Rome dump.json': dump(peer('milan')),
    'kubelet.json': dump({
      kind: 'Deployment',
      name: 'vk-rome-milan',
      spec: {
        template: {
          spec: { containers: [{ command: ['/usr/bin/virtual-kubelet'], args: ['--home-cluster-id=rome', '--a=b'] }] },
        },
      },
    }),
    'chart.json': dump(idOf('rome'), {
      kind: 'Deployment',
      name: 'liqo-controller-manager',
      spec: {
        template: {
          spec: {
            containers: [{ command: ['/usr/bin/liqo-controller-manager'], args: ['--cluster-id=$(CLUSTER_ID)'] }],
          },
        },
      },
    }),
  };

  it.each([
    ['rome.json', undefined],
    ['rome.json', ['rome']],
    ['with-id.json', undefined],
    ['with-id.json', ['rome']],
    ['rome=Rome dump.json', undefined],
    ['kubelet.json', undefined],
    ['chart.json', ['rome']],
  ])('is named by %s, with the clusters %j known', async (given, known) => {
    const { found, problems } = await read(files, [given], known === undefined ? {} : { known });
    expect(problems).toEqual([]);
    expect(Object.keys(found ?? {})).toEqual(['rome']);
  });

  it.each<[given: readonly string[], known: readonly string[] | undefined, code: string, problem: RegExp]>([
    [['Rome dump.json'], undefined, 'live/whose-dump', /^Rome dump.json:1 nothing in the dump names its cluster$/],
    [['rome.json'], ['paris'], 'live/whose-dump', /^rome.json:1 /],
    [
      ['milan=with-id.json'],
      undefined,
      'live/another-cluster',
      /^with-id.json:4 the dump for "milan" is of cluster "rome"$/,
    ],
  ])('is not certain for %j, with the clusters %j known', async (given, known, code, problem) => {
    const { found, problems } = await read(files, given, known === undefined ? {} : { known });
    expect(found).toBeUndefined();
    expect(problems).toEqual([[code, expect.stringMatching(problem)]]);
  });

  it('is not that of its file, when there is another cluster of that name', async () => {
    const swapped = { 'milan.json': dump(idOf('rome'), peer('milan')), 'dump.json': dump(idOf('paris'), peer('rome')) };
    expect((await read(swapped, Object.keys(swapped))).problems).toEqual([
      ['live/another-cluster', 'milan.json:4 the dump for "milan" is of cluster "rome"'],
    ]);
  });

  it('is one only', async () => {
    const both = { 'all.json': dump(idOf('rome'), peer('milan'), idOf('milan'), peer('rome')) };
    expect((await read(both, ['all.json'])).problems).toEqual([
      ['live/another-cluster', expect.stringMatching(/^all.json:\d+ the dump is of two clusters, "rome" and "milan"$/)],
    ]);
    const above = { 'fleet/1.2/a.json': dump(idOf('rome')), 'fleet/1.2/b.json': dump(idOf('milan')) };
    expect((await read(above, ['fleet'])).hints).toEqual([
      expect.stringMatching(/if each is the dump of one cluster, name the folder that they are in$/),
    ]);
    expect((await read(above, ['fleet/1.2'])).problems).toEqual([]);
    const patched = { 'a.json': files['kubelet.json'], 'b.json': dump(idOf('milan')) };
    expect((await read(patched, ['rome=a.json', 'rome=b.json'])).problems).toEqual([
      ['live/another-cluster', 'b.json:4 the dump for "rome" is of cluster "milan"'],
    ]);
  });

  it('is none of two that were installed with one ID', async () => {
    const twins = {
      'a.json': dump(idOf('rome', 'u1'), peer('milan', 'c1')),
      'b.json': dump(idOf('rome', 'u2'), peer('milan', 'c2')),
    };
    expect((await read(twins, ['a.json', 'b.json'])).problems).toEqual([
      [
        'live/one-id-twice',
        'b.json:1 two clusters have the ID "rome": "ConfigMap /liqo-clusterid-configmap" is not the same',
      ],
    ]);
    const named = { 'a.json': dump(namespace('kube-system', 'n1')), 'b.json': dump(namespace('kube-system', 'n2')) };
    expect((await read(named, ['rome=a.json', 'rome=b.json'])).problems).toEqual([
      ['live/one-id-twice', 'b.json:1 two clusters have the ID "rome": "Namespace /kube-system" is not the same'],
    ]);
    expect((await read(named, ['rome=a.json', 'milan=b.json'])).problems).toEqual([]);
  });

  it('is not another one under which it was dumped, too', async () => {
    const one = dump(peer('paris', 'c1'), peer('oslo', 'c0'), namespace('kube-system', 'n1'));
    expect((await read({ 'a.json': one, 'b.json': one }, ['rome=a.json', 'milan=b.json'])).problems).toEqual([
      ['live/one-cluster-twice', 'b.json:1 the dumps of "rome" and "milan" are of one cluster'],
    ]);
    // Copies of one virtual machine have everything in common that was there before they were copied.
    const copy = dump(peer('paris', 'c3'), namespace('kube-system', 'n1'));
    expect((await read({ 'a.json': one, 'b.json': copy }, ['rome=a.json', 'milan=b.json'])).problems).toEqual([]);
  });
});

describe('what is kept of a cluster', () => {
  it.each(['json', 'yaml'])('does not keep its dump in %s in memory', async (language) => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const CLUSTERS = RUNS_ALL ? 20 : 10;
    const MEGABYTES = 4;
    const textOf = (index: number): string => {
      const names = { rome: 'a-configuration-with-a-long-name', pod: `pod-of-cluster-${index}` };
      const padding = `${index}`.padStart(MEGABYTES * 1024 * 1024, 'x');
      if (language === 'yaml')
        return [
          'apiVersion: v1',
          'items:',
          `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: ${names.pod}\n    note: ${padding}`,
          `- apiVersion: networking.liqo.io/v1beta1\n  kind: Configuration\n  metadata:\n    name: ${names.rome}`,
          'kind: List\n',
        ].join('\n');
      return dump({ kind: 'Pod', name: names.pod, note: padding }, { kind: 'Configuration', name: names.rome });
    };
    const { ports } = liveFiles({});
    const dumps = Array.from({ length: CLUSTERS }, (_, i) => ({ cluster: `c${i}`, path: `${i}` }));
    const before = used();
    const result = await readLiveClusters(
      { ...ports, readDump: async (path) => ({ kind: 'ok', text: textOf(Number(path)) }) },
      { dumps, contexts: [] },
      { known: null, kinds: COMPARED_KINDS },
      (live) => live,
    );
    expect(result.ok && result.value.size).toBe(CLUSTERS);
    expect(used() - before).toBeLessThan(CLUSTERS * MEGABYTES * 1024 * 1024 * 0.25);
    expect(result.ok && [...(result.value.get('c1')?.objects.keys() ?? [])]).toEqual([
      'Configuration.networking.liqo.io /a-configuration-with-a-long-name',
    ]);
  });
});
