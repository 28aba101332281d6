import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHART, type ChartPart, isInRelease, resolvedPart } from '../../../src/base/releases/chart-values.ts';
import { NEWEST_PATCH } from '../../../src/base/releases/release.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { compileGolden, goldenNames } from '../../support/golden.ts';

/*
 * The values are checked against the keys of the chart of each release: Helm ignores a key that no template reads, and a
 * cluster would be installed without the setting. With the charts at hand, Helm also renders them.
 */

interface Values {
  readonly name: string;
  readonly text: string;
  readonly cluster: AddressedCluster;
}

/** The values of every cluster of every golden. */
const ALL: readonly Values[] = goldenNames().flatMap((golden) => {
  const outcome = compileGolden(golden);
  if (!outcome.ok) return [];
  const { bundle, model } = outcome.value;
  return [...model.clusters.values()].flatMap((cluster) => {
    const text = bundle.get(`${cluster.name}/helm-values.yaml`);
    return text === undefined ? [] : [{ name: `${golden}: ${cluster.name}`, text, cluster }];
  });
});

const tagOf = ({ cluster }: Values): string => `v${NEWEST_PATCH[cluster.release.line]}`;

const keys = new Map<string, ReadonlyMap<string, string>>();

/** The type of each key of a release's chart. */
function keysOf(tag: string): ReadonlyMap<string, string> {
  const known = keys.get(tag);
  if (known) return known;
  const lines = readFileSync(new URL(`chart-keys/${tag}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const read = new Map(lines.filter((it) => !it.startsWith('#')).map((it) => it.split(' ') as [string, string]));
  keys.set(tag, read);
  return read;
}

/** The releases whose charts are recorded. The chart of each other release has the values of the one before it. */
const RECORDED = readdirSync(new URL('chart-keys/', import.meta.url)).map((it) => it.replace(/^v|\.txt$/g, ''));

/** Values that templates read and values.yaml does not have. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-gateway-scc.yaml. */
const OF_TEMPLATES = ['openshiftConfig.gatewayServiceAccounts list'];

/** Types of JSON Schema in the words of the recorded files. */
const TYPES: Readonly<Record<string, string>> = { integer: 'number', array: 'list', object: 'map' };

/** The values of the chart of a release as the recorded files have them: each with a type that it may have. */
function* valuesIn(part: ChartPart, version: string, path = ''): Generator<string> {
  const { properties, type } = part;
  if (properties === undefined || type !== 'object')
    for (const it of [type ?? []].flat()) yield `${path} ${TYPES[it] ?? it}`;
  for (const [name, it] of type === 'object' ? Object.entries(properties ?? {}) : []) {
    const below = resolvedPart(it);
    if (isInRelease(below, version)) yield* valuesIn(below, version, path === '' ? name : `${path}.${name}`);
  }
}

describe('the values of the chart that a topology may have', () => {
  it.each(RECORDED)('are those of Liqo %s, with their types', (version) => {
    const known = new Set(valuesIn(CHART, version));
    const recorded = [...keysOf(`v${version}`)].map(([path, type]) => `${path} ${type}`);
    const free =
      /^(common\.globalLabels|offloading\.(defaultNodeResources|runtimeClass\.nodeSelector\.labels)|networking\.fabric\.affinity)\./;
    expect(recorded.filter((it) => !known.has(it) && !free.test(it))).toEqual([]);
    const paths = new Set([...recorded, ...OF_TEMPLATES].map((it) => it.replace(/ \w+$/, '')));
    const isRecorded = (path: string): boolean =>
      paths.has(path) || [...paths].some((it) => it.startsWith(`${path}.`) && free.test(`${path}.`));
    expect([...known].map((it) => it.replace(/ \w+$/, '')).filter((it) => !isRecorded(it))).toEqual([]);
  });
});

/** Keys that the chart does not have, or has with another type. */
function unknownKeys(value: unknown, path: string, known: ReadonlyMap<string, string>): readonly string[] {
  const type = known.get(path);
  if (type === 'map') return [];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, it]) => unknownKeys(it, path === '' ? key : `${path}.${key}`, known));
  }
  const is = Array.isArray(value) ? 'list' : typeof value;
  return type === is ? [] : [`${path} is a ${is}, and the chart has ${type ?? 'no such key'}`];
}

describe('helm-values.yaml', () => {
  it('has keys of the chart only, with their types', () => {
    expect(ALL.length).toBeGreaterThan(200);
    const found = ALL.flatMap((it) => unknownKeys(parse(it.text), '', keysOf(tagOf(it))).map((one) => [it.name, one]));
    expect(found).toEqual([]);
  });

  it('would be reported with a key that the chart of the release does not have', () => {
    const config = {
      networking: { fabric: { config: { fullMasquerade: 'true', routeConfigurationRulePriority: 200 } } },
    };
    expect(unknownKeys(config, '', keysOf('v1.1.2'))).toEqual([
      'networking.fabric.config.fullMasquerade is a string, and the chart has boolean',
      'networking.fabric.config.routeConfigurationRulePriority is a number, and the chart has no such key',
    ]);
  });
});

/** A folder with `v1.2.0/deployments/liqo` and so on, as `git archive` of Liqo's repository writes it. */
const CHARTS = process.env['LIQO_CHARTS'] ?? '';

const needsHelm = !existsSync(CHARTS) || spawnSync('helm', ['version']).status !== 0;

/** The arguments of the controller manager and the gateways. */
const EFFECTS: readonly (readonly [golden: string, cluster: string, texts: readonly string[]])[] = [
  [
    'warns-eks-on-1.2',
    'rome',
    [
      '--fabric-full-masquerade-enabled=true',
      '--fabric-route-rule-priority=200',
      '--cluster-labels=liqo.io/provider=eks',
      '--api-server-address-override=https://rome.eks.example.com',
      'service.beta.kubernetes.io/aws-load-balancer-healthcheck-port: "8083"',
    ],
  ],
  ['warns-eks-on-1.1', 'rome', ['--fabric-full-masquerade-enabled=true']],
  ['notes-aks-with-each-plugin', 'kubenet', ['--gateway-masquerade-bypass-enabled=true', 'managed: "false"']],
  ['notes-gke-with-each-data-plane', 'rome', ['--pools=10.0.0.0/8,192.168.0.0/16,172.16.0.0/12,34.118.224.0/20']],
  ['warns-openshift-is-in-progress', 'rome', ['--implementation=userspace', 'kind: SecurityContextConstraints']],
];

describe.skipIf(needsHelm)('the real charts (skipped without helm, and without the charts in $LIQO_CHARTS)', () => {
  it.each(EFFECTS)('render what %s decides for %s', { timeout: 60_000 }, (golden, cluster, texts) => {
    const values = ALL.find((it) => it.name === `${golden}: ${cluster}`);
    const folder = mkdtempSync(join(tmpdir(), 'weft-helm-'));
    try {
      const file = join(folder, 'values.yaml');
      writeFileSync(file, values?.text ?? '');
      const tag = values ? tagOf(values) : '';
      const chart = join(CHARTS, tag, 'deployments', 'liqo');
      // The charts in git have no version; a released one has its tag.
      const { stdout, stderr } = spawnSync('helm', ['template', 'liqo', chart, '--set', `tag=${tag}`, '-f', file], {
        encoding: 'utf8',
        maxBuffer: 64 << 20,
      });
      expect(stderr).toBe('');
      for (const text of texts) expect(stdout).toContain(text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
