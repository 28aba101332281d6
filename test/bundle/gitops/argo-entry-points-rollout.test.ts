import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { law } from '../../laws/law.ts';
import { applicationsOf, resourcesOf, specOf } from './read-entry-points.ts';
import { Schedule } from './schedule.ts';

/** The applied entry points of a commit, and the folders in it. */
class EntryPointsCommit {
  readonly folders: readonly string[];
  readonly objects: readonly EntryPointManifest[];
  readonly application: EntryPointManifest;
  readonly live: readonly string[];

  constructor({ bundle, model }: Compiled) {
    const read = (file: string): EntryPointManifest => parse(bundle.get(`_argocd/${file}`) ?? '');
    this.folders = [
      ...new Set([...bundle.keys()].filter((it) => it.includes('/')).map((it) => `out/${it.split('/')[0]}`)),
    ];
    this.objects = resourcesOf(bundle.get('_argocd/kustomization.yaml') ?? '').map(read);
    this.application = read('application.yaml');
    this.live = [...model.clusters.keys()];
  }
}

type Destination = Readonly<Record<'name' | 'server' | 'namespace', string>>;

/**
 * The controllers of Argo CD for entry points: one applies the Application that reads them from git, one makes the
 * Applications of an ApplicationSet, and one compares each with its project. Each looks at its own times.
 * Source: argoproj/argo-cd applicationset/controllers/applicationset_controller.go, util/argo/argo.go (ValidatePermissions).
 */
class SimulatedArgoServer {
  readonly applications = new Map<string, EntryPointManifest>();
  readonly #live = new Map<string, EntryPointManifest>();
  readonly #schedule: Schedule;
  #application: EntryPointManifest | undefined;
  #source: EntryPointsCommit | undefined;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
    this.#repeat(180, () => this.#applyFromGit());
    this.#repeat(180, () => this.#generate());
  }

  fetch(commit: EntryPointsCommit): void {
    this.#source = commit;
  }

  /** `kubectl apply` of one of the documented files. */
  apply(manifest: EntryPointManifest): void {
    if (manifest.kind === 'Application') this.#application = manifest;
    else this.#live.set(manifest.kind, manifest);
  }

  /** The Applications that end in InvalidSpecError, because their project does not allow their destination or source. */
  get refused(): readonly string[] {
    return [...this.applications.values()].filter((it) => !this.#isAllowed(it)).map((it) => it.metadata.name);
  }

  #repeat(seconds: number, work: () => void): void {
    this.#schedule.after(this.#schedule.aWhile() * 10, () => {
      work();
      this.#schedule.after(seconds, () => this.#repeat(seconds, work));
    });
  }

  #applyFromGit(): void {
    if (this.#application === undefined) return;
    for (const it of this.#schedule.shuffled(this.#source?.objects ?? [])) this.#schedule.soon(() => this.apply(it));
  }

  /** `create-update`: nothing is deleted. */
  #generate(): void {
    const set = this.#live.get('ApplicationSet');
    if (set === undefined) return;
    for (const it of applicationsOf(set, this.#source?.folders ?? [])) this.applications.set(it.metadata.name, it);
  }

  #isAllowed(application: EntryPointManifest): boolean {
    const project = this.#live.get('AppProject');
    if (project === undefined) return false;
    const { source, destination } = specOf(application) as { source: { repoURL: string }; destination: Destination };
    const { sourceRepos, destinations } = specOf(project) as {
      sourceRepos: readonly string[];
      destinations: readonly Partial<Destination>[];
    };
    return (
      sourceRepos.includes(source.repoURL) &&
      destinations.some(
        (one) =>
          one.namespace === destination.namespace &&
          (destination.server === '' ? one.name === destination.name : one.server === destination.server),
      )
    );
  }
}

const SETTINGS = [
  '',
  'gitops: { name: prod-%s }',
  'gitops: { server: "https://%s.example.com:6443" }',
  'liqo: { namespace: liqo-system }',
  'retired: true',
];

/** A fleet by the settings of its spokes; `null` for a place without one. */
type Spokes = readonly (number | null)[];

function commitOf(spokes: Spokes): EntryPointsCommit {
  const text = `version: 1
name: europe
hub: hub
gitops: { repository: https://github.com/example/network, argo: {} }
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${spokes.map((it, i) => (it === null ? '' : `  spoke-${i}: { podCIDR: 10.${i + 1}.0.0/16, ${(SETTINGS[it] ?? '').replace('%s', `spoke-${i}`)} }\n`)).join('')}`;
  const sources = { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined };
  const result = compile(sources, { only: null, relock: [] });
  if (!result.ok) throw new Error(result.diagnostics.map((one) => one.message).join('\n'));
  return new EntryPointsCommit(result.value);
}

const spokes = fc.array(fc.option(fc.nat(SETTINGS.length - 1)), { minLength: 1, maxLength: 4 });

describe('Argo CD, when the entry points change', () => {
  law(
    'gives every cluster an Application that its project allows, once the Application of the entry points is applied',
    200,
    fc.property(
      fc.integer(),
      fc.array(fc.record({ spokes, after: fc.nat(900) }), { minLength: 1, maxLength: 4 }),
      (seed, story) => {
        const commits = story.map((it) => commitOf(it.spokes));
        const [first, last] = [commits[0] as EntryPointsCommit, commits.at(-1) as EntryPointsCommit];
        const schedule = new Schedule(seed);
        const argo = new SimulatedArgoServer(schedule);
        argo.apply(first.application);
        let time = 0;
        for (const [i, commit] of commits.entries()) {
          schedule.after(time, () => argo.fetch(commit));
          time += story[i]?.after ?? 0;
        }
        schedule.until(time + 3600);
        const named = (cluster: string): string => `weft-europe.${cluster}`;
        expect([...argo.applications.keys()]).toEqual(expect.arrayContaining(last.live.map(named)));
        expect(argo.refused.filter((it) => last.live.map(named).includes(it))).toEqual([]);
      },
    ),
  );

  it('would leave a new cluster out if they were applied once', () => {
    const schedule = new Schedule(1);
    const argo = new SimulatedArgoServer(schedule);
    const [first, second] = [commitOf([0]), commitOf([0, 0])];
    for (const object of first.objects) argo.apply(object);
    argo.fetch(first);
    schedule.until(3600);
    expect(argo.refused).toEqual([]);
    argo.fetch(second);
    schedule.until(7200);
    expect(argo.refused).toEqual(['weft-europe.spoke-1']);
  });
});
