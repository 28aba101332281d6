import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { millisecondsOf } from '../../../src/fleet/topology/formats/durations.ts';
import { compileGolden } from '../../support/golden.ts';

const GOLDEN = 'alerts-on-every-tunnel';

interface PrometheusRule {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[] };
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function rulesOf(golden: string): ReadonlyMap<string, PrometheusRule> {
  const result = compileGolden(golden);
  if (!result.ok) throw new Error(`${golden} does not compile`);
  const files = [...result.value.bundle].filter(
    ([path]) => /\/monitoring\//.test(path) && !path.endsWith('kustomization.yaml'),
  );
  return new Map(files.map(([path, text]) => [path, parse(text) as PrometheusRule]));
}

const RULES = rulesOf(GOLDEN);

describe('alerts on tunnels', () => {
  it('are there for every end of a link in a cluster that has them, and for no other', () => {
    expect([...RULES.keys()].sort()).toEqual([
      'europe/monitoring/milan.yaml',
      'europe/monitoring/oslo.yaml',
      'europe/monitoring/rome.yaml',
      'milan/monitoring/europe.yaml',
      'milan/monitoring/rome.yaml',
      'rome/monitoring/europe.yaml',
      'rome/monitoring/milan.yaml',
    ]);
  });

  it('have a name of their own in each cluster, for Prometheus and for the operator', () => {
    const names = [...RULES].map(([path, it]) => `${path.split('/')[0]} ${it.metadata.namespace}/${it.metadata.name}`);
    const groups = [...RULES.values()].flatMap((it) => it.spec.groups.map((group) => group.name));
    expect(new Set(names).size).toBe(RULES.size);
    expect(new Set(groups).size).toBe(RULES.size);
  });

  it('say only that metrics are missing where a gateway does not check its tunnel', () => {
    const [rule] = rulesOf('notes-alerts-without-ping').values();
    expect(rule?.spec.groups[0]?.rules.map((it) => it.alert)).toEqual(['LiqoTunnelUnknown']);
  });

  it.each([
    ['5m', 300_000],
    ['1h30m', 5_400_000],
    ['150ms', 150],
    ['1y1w1d1h1m1s1ms', 365 * 86_400_000 + 7 * 86_400_000 + 86_400_000 + 3_600_000 + 60_000 + 1000 + 1],
    ['0s', 0],
    ['', undefined],
    ['5', undefined],
    ['1.5h', undefined],
    ['30m1h', undefined],
    ['5 m', undefined],
    ['-5m', undefined],
  ])('take the durations of Prometheus: %j', (text, milliseconds) => {
    expect(millisecondsOf(text)).toBe(milliseconds);
  });
});

const needsPromtool = spawnSync('promtool', ['--version']).status !== 0 && !process.env['CI'];

/** The state of a Prometheus after some time of given metrics: the alerts that fire, by name. */
const SCENES = [
  { name: 'a tunnel that works', series: { connected: '1x40', latency: '20000x40' }, fires: [] },
  { name: 'a tunnel that is down', series: { connected: '0x40' }, fires: ['LiqoTunnelDown'] },
  { name: 'a short outage', series: { connected: '0x3 1x40', latency: '_x3 20000x40' }, fires: [] },
  { name: 'a slow tunnel', series: { connected: '1x40', latency: '900000x40' }, fires: ['LiqoTunnelSlow'] },
  { name: 'a gateway that does not run', series: {}, fires: ['LiqoTunnelUnknown'] },
] as const;

describe.skipIf(needsPromtool)('alerts, read by promtool (skipped without it)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-promtool-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const write = (name: string, content: unknown): string => {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    writeFileSync(path, stringify(content));
    return path;
  };

  it.each([...RULES])('%s has rules that Prometheus accepts', (path, { spec }) => {
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', write('rules.yaml', spec)], {
      encoding: 'utf8',
    });
    expect([status, stderr], path).toEqual([0, '']);
  });

  it.each(SCENES)('$name', ({ series, fires }) => {
    const spec = RULES.get('europe/monitoring/milan.yaml')?.spec;
    const metrics: Readonly<Record<string, string>> = {
      connected: 'liqo_peer_is_connected{driver="wireguard", cluster_id="milan", pod="gw-milan-a"}',
      latency: 'liqo_peer_latency_us{driver="wireguard", cluster_id="milan", pod="gw-milan-a"}',
    };
    const others = { series: 'liqo_peer_is_connected{driver="wireguard", cluster_id="rome"}', values: '0x40' };
    const names = spec?.groups.flatMap((group) => group.rules.map((rule) => rule.alert)) ?? [];
    const test = write('test.yaml', {
      rule_files: [write('rules.yaml', spec)],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: [...Object.entries(series).map(([key, values]) => ({ series: metrics[key], values })), others],
          promql_expr_test: names.map((name) => ({
            expr: `count(ALERTS{alertname="${name}", alertstate="firing", local_cluster_id="europe", cluster_id="milan"})`,
            eval_time: '20m',
            exp_samples: (fires as readonly string[]).includes(name) ? [{ labels: '{}', value: 1 }] : [],
          })),
        },
      ],
    });
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', test], { encoding: 'utf8' });
    expect(`${stdout}${stderr}`).toContain('SUCCESS');
    expect(status).toBe(0);
  });
});
