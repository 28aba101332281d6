import { expect } from 'vitest';
import { bundleOf } from './bundle-of.ts';
import { compareFleet } from './compare.ts';
import type { Engine } from './engine.ts';
import type { FleetEngine } from './engines.ts';
import type { Published } from './git-server.ts';
import type { LiveObject } from './kube.ts';
import { LiqoFleet } from './liqo-fleet.ts';
import {
  bundleVersions,
  type Changes,
  changesBetween,
  type EngineWrites,
  refusedIn,
  type Version,
  writesOf,
} from './observe.ts';
import { until } from './processes.ts';
import type { LiqoMinor } from './programs.ts';
import { Recorder } from './recorder.ts';
import { Row } from './table.ts';

/** A topology of these loops. */
export interface State {
  readonly release: LiqoMinor;
  /** The keys of each cluster, without those that the engine needs. */
  readonly clusters: Readonly<Record<string, string>>;
  readonly shortcuts?: string;
}

/** A step of `weft plan -o json`. */
export interface PlanStep {
  readonly when: 'before' | 'together' | 'after';
  readonly what: string;
  readonly on: readonly string[];
  readonly commands: readonly string[];
  readonly kinds: readonly string[];
}

/** The hub, where the engine runs. */
export const HOME = 'europe';

/** A fleet with Liqo's own controllers that an engine keeps as it is compiled. */
export class EngineRun {
  readonly fleet: LiqoFleet;
  readonly row: Row;
  readonly #recorder: Recorder;
  readonly #tool: FleetEngine;
  #engine: Engine | null = null;
  #now: Published | null = null;

  private constructor(fleet: LiqoFleet, tool: FleetEngine, title: string) {
    this.fleet = fleet;
    this.row = new Row(title, tool.name);
    this.#recorder = new Recorder(`${tool.name} ${title}`);
    this.#tool = tool;
  }

  /**
   * Rolls a fleet out.
   *
   * @param title the run in tables and recordings, without the engine
   */
  static async start(tool: FleetEngine, state: State, title: string): Promise<EngineRun> {
    const run = new EngineRun(await LiqoFleet.start(), tool, title);
    try {
      await run.publish(state);
      run.row.begin();
      run.#engine = await tool.start(run.fleet, HOME);
      await run.engine.ready(run.now.commit);
      run.row.end('first rollout');
      return run;
    } catch (error) {
      await run.stop();
      throw error;
    }
  }

  get engine(): Engine {
    if (this.#engine === null) throw new Error('the engine has not been started');
    return this.#engine;
  }

  get now(): Published {
    if (this.#now === null) throw new Error('nothing has been committed');
    return this.#now;
  }

  get names(): readonly string[] {
    return [...this.fleet.clusters.keys()];
  }

  async publish(state: State): Promise<void> {
    await this.commit(state);
    await this.push();
  }

  /** Compiles a topology and commits it; the engine does not see it yet. */
  async commit({ release, clusters, shortcuts = '[]' }: State): Promise<void> {
    const lines = Object.entries(clusters).map(([name, keys]) => {
      const all = [keys, this.#tool.keysOf(name, HOME)].filter((it) => it !== '').join(', ');
      return `  ${name}: { ${all} }\n`;
    });
    this.#now = await this.fleet.repository.commit(`version: 1
name: engines
hub: ${HOME}
liqo: { version: "${release}" }
gitops: { repository: "${this.fleet.repository.url}", ${this.#tool.gitops} }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
${lines.join('')}shortcuts: ${shortcuts}
`);
  }

  /** Starts the clusters that are new in the commit, and lets the engine see it. */
  async push(): Promise<void> {
    const known = this.names;
    await this.fleet.push(this.now);
    if (this.#engine === null) return;
    for (const it of this.names) if (!known.includes(it)) await this.#engine.addCluster(this.fleet.plane(it));
  }

  /** Lets the engine apply the last commit; `except` is a cluster that does not run any more. */
  async apply(except?: string): Promise<void> {
    await this.engine.fetchNow();
    // Flux may check the health of an object that the same commit removes, until its timeout of five minutes.
    await this.engine.ready(this.now.commit, { seconds: 420, ...(except === undefined ? {} : { except }) });
    if (except !== undefined) await this.engine.forgetCluster?.(except);
  }

  /** The changes of objects in each cluster that runs before an action and after it. */
  async changesOf(
    action: () => Promise<unknown>,
    by: keyof Version = 'content',
  ): Promise<Readonly<Record<string, Changes>>> {
    const before = await this.#versions();
    await action();
    const after = await this.#versions();
    return Object.fromEntries([...after].map(([name, it]) => [name, changesBetween(before.get(name) ?? {}, it, by)]));
  }

  async #versions() {
    const all = this.names.map(async (it) => [it, await bundleVersions(this.fleet.plane(it).kube)] as const);
    return new Map(await Promise.all(all));
  }

  writesSince(since: number): EngineWrites {
    const planes = this.names.map((it) => this.fleet.plane(it));
    return writesOf(this.engine.agents, planes, since);
  }

  /** The objects that each bundle contains, by name. */
  bundles(): ReadonlyMap<string, readonly string[]> {
    return new Map(this.names.map((it) => [it, bundleOf(this.fleet, it).map(idOf)]));
  }

  /** The steps of the last commit, as its plan prints them. */
  async steps(): Promise<readonly PlanStep[]> {
    const { stdout, stderr } = await this.fleet.weft('plan', '--base', 'HEAD~1', '-o', 'json');
    const { plan } = JSON.parse(stdout) as { readonly plan?: { readonly steps: readonly PlanStep[] } };
    if (plan === undefined) throw new Error(stderr);
    return plan.steps;
  }

  /** Runs the commands of a step, but for those in clusters that do not run any more. */
  async runCommands({ commands }: PlanStep): Promise<void> {
    for (const it of commands) {
      const context = /^kubectl --context (\S+)/.exec(it)?.[1];
      if (context === undefined || this.names.includes(context)) await this.fleet.shell(it);
    }
  }

  /** Tenant namespaces are deleted by a person, with the commands of the plan. */
  async deleteNamespaces(moment: string): Promise<void> {
    const steps = (await this.steps()).filter((it) => it.kinds.includes('delete-tenant-namespaces'));
    if (steps.length > 0) await this.#recorder.at(`${moment}, but for namespaces`, this.fleet);
    for (const it of steps) await this.runCommands(it);
  }

  /** Every object of the bundles with its identity, but for those of one cluster and its links. */
  async identities(without = ''): Promise<readonly string[]> {
    const all = await this.#versions();
    all.delete(without);
    return [...all].flatMap(([name, versions]) =>
      Object.entries(versions)
        .filter(([id]) => without === '' || !id.includes(`liqo-tenant-${without}`))
        .map(([id, { uid }]) => `${name} ${id} ${uid}`),
    );
  }

  /** Everything that holds whenever everything has come to rest. */
  async holds(moment: string): Promise<void> {
    await until(
      'every tunnel is up',
      () => this.fleet.waiting().length === 0 || Promise.reject(new Error(this.fleet.waiting().join('; '))),
      90,
    );
    const { compared, different } = await compareFleet(this.fleet);
    this.row.compared += compared;
    this.row.different += different.length;
    expect(different).toEqual([]);
    const drift = await this.fleet.weft('drift', '--wait', '30s', ...this.fleet.contexts());
    expect(drift.stdout + drift.stderr).toContain('no drift');
    expect(drift.code).toBe(0);
    await this.#recorder.at(moment, this.fleet);
  }

  async stop(): Promise<void> {
    this.row.refused = this.names.flatMap((it) =>
      refusedIn(this.fleet.plane(it).auditLog).filter((one) => this.#engine?.agents.test(one.agent)),
    ).length;
    this.row.print();
    await this.#engine?.stop();
    await this.fleet.stop();
  }
}

function idOf({ kind, metadata }: LiveObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
}
