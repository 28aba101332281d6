import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Compiled, compile } from '../../../src/compile.ts';
import { Commit } from './commit.ts';
import { LiqoAnswers } from './liqo-answers.ts';
import { Schedule } from './schedule.ts';
import { SimulatedArgo } from './simulated-argo.ts';
import { SimulatedFlux } from './simulated-flux.ts';

const SPOKES = 12;
const spoke = (i: number): string => `spoke-${String(i).padStart(2, '0')}`;

/** A hub whose spokes all have Liqo's default external CIDR, so every link of the hub needs an order. */
function compiledHub({ flux = '2.7', edited = '' } = {}, lock?: string): Compiled {
  const clusters = Array.from(
    { length: SPOKES },
    (_, i) =>
      `  ${spoke(i)}: { podCIDR: 10.${i + 1}.0.0/16${spoke(i) === edited ? ', gateway: { mtu: 1300 }' : ''} }\n`,
  );
  const text = `version: 1
name: europe
hub: hub
gitops: { repository: https://github.com/example/network, argo: {}, flux: { version: "${flux}" } }
defaults: { serviceCIDR: 172.20.0.0/16, reserved: [192.168.0.0/24] }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${clusters.join('')}`;
  const sources = {
    topology: { path: 'topology.yaml', text },
    keys: undefined,
    lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  const result = compile(sources, { only: null, relock: [] });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return result.value;
}

/** The hub before and after an edit of one gateway. */
function commitsOf(flux?: string): readonly [Commit, Commit] {
  const before = compiledHub(flux === undefined ? {} : { flux });
  const after = compiledHub({ ...(flux === undefined ? {} : { flux }), edited: spoke(7) }, before.lock);
  return [new Commit(before, 'hub', 'main@sha1:0'), new Commit(after, 'hub', 'main@sha1:1')];
}

function clusterFor(commit: Commit) {
  const schedule = new Schedule(1);
  const answer = (work: () => void) => schedule.after(1, work);
  return { schedule, cluster: new LiqoAnswers(() => commit.freshIpam(), answer, { gatewaysHang: true }) };
}

/** The Configurations of the hub in the order of applying. */
const inOrder = ({ objects, ordered }: Commit): readonly string[] => [
  ...objects
    .filter((it) => it.kind === 'Configuration')
    .map(({ metadata: { namespace, name } }) => `Configuration ${namespace}/${name}`)
    .filter((it) => !ordered.includes(it)),
  ...ordered,
];

describe('Argo CD, for a hub with many links that hang', () => {
  it('applies one Configuration after the other, and walks through the same waves for an edit, writing only that', () => {
    const [before, after] = commitsOf();
    const { schedule, cluster } = clusterFor(before);
    const { syncOptions } = parse(before.applicationSet).spec.template.spec.syncPolicy;
    const argo = new SimulatedArgo(cluster, schedule, syncOptions);
    argo.fetch(before);
    while (cluster.created.length < SPOKES) schedule.until(schedule.now + 10);
    // With real controllers, 50 links took 6.5 minutes.
    expect(schedule.now / SPOKES).toBeGreaterThan(5);
    expect(schedule.now / SPOKES).toBeLessThan(9);
    schedule.until(3600);
    expect([argo.isAtRest, cluster.created]).toEqual([true, inOrder(before)]);
    // All namespaces, the links without an order, the others one by one, then all gateways.
    const waves = 1 + (before.ordered.length < SPOKES ? 1 : 0) + before.ordered.length + 1;
    expect(argo.waves).toBe(waves);
    const writes = cluster.writes;
    argo.fetch(after);
    schedule.until(2 * 3600);
    expect([argo.isAtRest, argo.waves, cluster.writes]).toEqual([true, 2 * waves, writes + 1]);
  });
});

describe('Flux, for a hub with many links that hang', () => {
  const settings = { workers: 4, cancelsHealthChecks: false };

  /** Minutes until all links are at the first commit, and then at the second. */
  function minutes(version: string, requeueDependency = 30): readonly [number, number] {
    const commits = commitsOf(version);
    const { schedule, cluster } = clusterFor(commits[0]);
    const flux = new SimulatedFlux(cluster, schedule, { ...settings, requeueDependency });
    const [first, second] = commits.map((it) => {
      const start = schedule.now;
      flux.fetch(it);
      flux.applyEntryPoints(it);
      while (!flux.isAppliedAt(it.revision)) schedule.until(schedule.now + 10);
      return (schedule.now - start) / 60;
    });
    expect(cluster.created).toEqual(inOrder(commits[0]));
    schedule.until(schedule.now + 1200);
    return [first ?? 0, second ?? 0];
  }

  it('applies one link after the other, and an edit to all at once', () => {
    const [first, edit] = minutes('2.7');
    // With real controllers, 50 links took 25 minutes.
    expect((first * 60) / SPOKES).toBeGreaterThan(20);
    expect((first * 60) / SPOKES).toBeLessThan(35);
    expect(edit).toBeLessThan(3);
    // Some requests to the API server take many seconds here, whatever the setting is.
    expect(minutes('2.7', 5)[0]).toBeLessThan(0.75 * first);
  });

  it('walks through the whole chain at each commit before 2.7, which has no readyExpr', () => {
    const [first, edit] = minutes('2.6');
    expect(first).toBeGreaterThan(3);
    expect(edit).toBeGreaterThan(3);
  });
});
