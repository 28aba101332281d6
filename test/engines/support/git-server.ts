import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Compiled, compile } from '../../../src/compile.ts';
import { serveGit } from '../../host/fake-git/serve-git.ts';
import { gitFolder } from '../../support/git-folder.ts';

/** A commit of a fleet, and what weft compiled for it. */
export interface Published {
  readonly commit: string;
  readonly compiled: Compiled;
  /** The Secrets with the private keys that are new in it, `CLUSTER.yaml` each; absent if none is. */
  readonly secrets: string;
}

/** A git repository with a topology and its bundles, which engines read over HTTP. */
export interface FleetRepository {
  /** The value of `gitops.repository`. */
  readonly url: string;
  /** The work tree, with `out/`. */
  readonly folder: string;
  /** Makes the keys that a topology lacks, compiles it and commits. */
  commit(topology: string): Promise<Published>;
  /** Removes a commit that was not pushed. */
  uncommit(): void;
  push(): void;
  /** Commits and pushes. */
  publish(topology: string): Promise<Published>;
  /** Runs weft in the work tree, and returns what it prints. */
  weft(...args: readonly string[]): Promise<string>;
  /** The number of requests of git: for the branch, or for its content. */
  reads(): number;
  stop(): Promise<void>;
}

/** The command that people run, as it was built before the tests. */
const WEFT = resolve('dist/weft.cjs');

/** Starts the server of an empty repository; everything is below `folder`. */
export async function serveFleet(folder: string): Promise<FleetRepository> {
  const [root, workTree] = [join(folder, 'served'), join(folder, 'fleet')];
  const bare = join(root, 'network', 'fleet.git');
  for (const it of [bare, join(workTree, 'topologies')]) mkdirSync(it, { recursive: true });
  gitFolder(bare).git('init', '--quiet', '--bare', '--initial-branch=main');
  const { git, commit, init } = gitFolder(workTree);
  init();
  git('remote', 'add', 'origin', bare);
  const server = await serveGit({ root, refuse: ({ service }) => (service === 'git-upload-pack' ? null : 403) });
  let commits = 0;
  const weft = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(process.execPath, [WEFT, ...args], { cwd: workTree })).stdout;
  const commitTopology = async (topology: string): Promise<Published> => {
    writeFileSync(join(workTree, FILES.topology), topology);
    commits += 1;
    const secrets = join(folder, 'secrets', `${commits}`);
    await weft('keys', 'generate', '--secrets-dir', secrets);
    await weft('compile');
    const id = commit('an edit of the topology');
    return { commit: id, compiled: compiledIn(workTree), secrets };
  };
  const push = () => git('push', '--quiet', 'origin', 'main');
  return {
    url: `${server.url}/network/fleet.git`,
    folder: workTree,
    weft,
    commit: commitTopology,
    uncommit: () => git('reset', '--quiet', '--hard', 'HEAD~1'),
    push,
    publish: async (topology) => {
      const published = await commitTopology(topology);
      push();
      return published;
    },
    reads: () => server.requests.length,
    stop: () => server.close(),
  };
}

const FILES = {
  topology: 'topologies/topology.yaml',
  keys: 'topologies/topology.keys.yaml',
  lock: 'topologies/topology.lock.yaml',
};

/** The result of the command as values: the texts, compiled once more. */
function compiledIn(folder: string): Compiled {
  const read = (path: string) => ({ path, text: readFileSync(join(folder, path), 'utf8') });
  const sources = {
    topology: read(FILES.topology),
    keys: existsSync(join(folder, FILES.keys)) ? read(FILES.keys) : undefined,
    lock: read(FILES.lock),
  };
  const result = compile(sources, { relock: [], only: null });
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return result.value;
}
