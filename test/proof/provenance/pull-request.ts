import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { recordFiles } from '../../../src/host/disk/tree/bundle-record.ts';
import type { Comment, Forge } from '../../../src/host/forge/forge.ts';
import { CommandFailure } from '../../../src/host/front/command-failure.ts';
import { memoryHost, TOPOLOGY } from '../../host/cli/memory-host.ts';
import { optionsFor } from '../../host/cli/options-for.ts';
import { gitFolder } from '../../support/git-folder.ts';

/** A valid public key whose bytes are all this number. */
export const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');

export const KEYS = `version: 1
keys:
  europe: { milan: ${keyOf(11)}, rome: ${keyOf(12)} }
  milan: { europe: ${keyOf(13)}, rome: ${keyOf(14)} }
  rome: { europe: ${keyOf(15)}, milan: ${keyOf(16)} }
`;

export const FLEET = TOPOLOGY.replace(
  'clusters:\n',
  'gitops: { repository: https://git.example.com/fleet.git }\nclusters:\n',
);

/** The files of the base branch before it is compiled: path -> text. */
export const FILES: Readonly<Record<string, string>> = {
  'topologies/topology.yaml': FLEET,
  'topologies/topology.keys.yaml': KEYS,
};

export interface Answer {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly summary: string;
  /** The comment, after `weft pr comment`. */
  readonly comment: string | undefined;
}

export interface Given {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly topology?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly event?: object;
}

const PULL = {
  number: 4,
  head: { ref: 'edit', repo: { full_name: 'acme/fleet' } },
  base: { repo: { full_name: 'acme/fleet' } },
};

/** A forge on which only comments work. */
const commentForge = (comments: Comment[]): Forge =>
  ({
    login: async () => 'weft',
    listComments: async () => comments,
    createComment: async (_pull: number, body: string) => {
      const comment = { id: 1, url: 'https://github.com/acme/fleet/pull/4#1', body, author: 'weft', byBot: true };
      comments.push(comment);
      return comment;
    },
    close: async () => {},
  }) satisfies Partial<Forge> as unknown as Forge;

/** A repository on disk, in which a pull request is prepared. */
export function repositoryIn(folder: string) {
  const at = (path: string): string => join(folder, path);
  const write = (path: string, text: string | Buffer): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
  };
  const read = (path: string): string => readFileSync(at(path), 'utf8');
  const run = async (
    mode: 'check' | 'comment',
    { options = {}, topology, env = {}, event = {} }: Given = {},
  ): Promise<Answer> => {
    const comments: Comment[] = [];
    const runs = mkdtempSync(join(tmpdir(), 'weft-run-'));
    writeFileSync(join(runs, 'event.json'), JSON.stringify({ pull_request: PULL, ...event }));
    writeFileSync(join(runs, 'summary.md'), '');
    const { host, said } = memoryHost(folder, {
      env: {
        ...{ GITHUB_WORKSPACE: folder, GITHUB_REPOSITORY: 'acme/fleet', GITHUB_TOKEN: 'secret' },
        ...{ GITHUB_EVENT_PATH: join(runs, 'event.json'), GITHUB_STEP_SUMMARY: join(runs, 'summary.md') },
        ...env,
      },
    });
    const call = {
      args: topology === undefined ? [mode] : [mode, topology],
      options: optionsFor('pr', { base: 'main', forge: 'github', ...options }),
    };
    const code = await prCommand(host, call, async () => commentForge(comments)).catch((error: unknown) => {
      if (error instanceof CommandFailure) return `${error.exitCode}: ${error.message}; ${error.hint}`;
      throw error;
    });
    const summary = readFileSync(join(runs, 'summary.md'), 'utf8');
    rmSync(runs, { recursive: true });
    return { code, ...said(), summary, comment: comments[0]?.body };
  };
  return {
    folder,
    ...gitFolder(folder),
    at,
    write,
    read,
    edit: (path: string, from: string | RegExp, to: string): void => {
      const text = read(path);
      const edited = text.replace(from, to);
      if (edited === text) throw new Error(`${path} has no ${from}`);
      write(path, edited);
    },
    remove: (path: string): void => rmSync(at(path), { recursive: true }),
    link: (path: string, target: string): void => {
      rmSync(at(path), { force: true });
      symlinkSync(target, at(path));
    },
    chmod: (path: string, mode: number): void => chmodSync(at(path), mode),
    /** Files below `out/` without weft's own folder, by path below it. */
    bundles: (out = 'out'): ReadonlyMap<string, string> => {
      const entries = readdirSync(at(out), { recursive: true, withFileTypes: true });
      const paths = entries.filter((it) => it.isFile()).map((it) => join(it.parentPath ?? it.path, it.name));
      const below = paths.map((it) => it.slice(at(out).length + 1)).filter((it) => !it.startsWith('.weft'));
      return new Map(below.map((it) => [it, read(join(out, it))]));
    },
    compile: async (...flags: readonly string[]): Promise<void> => {
      const { host, said } = memoryHost(folder);
      if ((await runWeft(['compile', ...flags], host)) !== 0) throw new Error(said().stderr);
    },
    /** The result of a careful forger: the records of weft list the existing files with their hashes. */
    forgeRecord(): void {
      for (const [path, text] of recordFiles(this.bundles())) write(join('out', path), text);
    },
    check: (given?: Given) => run('check', given),
    comment: (given?: Given) => run('comment', given),
  };
}

export type Repository = ReturnType<typeof repositoryIn>;

const compiled = new Map<string, string>();

/**
 * A repository whose branch `main` has a compiled fleet, and whose branch `edit` is checked out. The files of equal fleets
 * are compiled once and copied.
 */
export async function pullRequest(
  files: Readonly<Record<string, string>> = FILES,
  flags: readonly string[] = [],
): Promise<Repository> {
  const key = JSON.stringify(files);
  const folder = mkdtempSync(join(tmpdir(), 'weft-pull-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const known = compiled.get(key);
  if (known !== undefined) cpSync(known, folder, { recursive: true, verbatimSymlinks: true });
  const it = repositoryIn(folder);
  if (known !== undefined) return it;
  for (const [path, text] of Object.entries(files)) it.write(path, text);
  it.init();
  await it.compile(...flags);
  it.commit('the fleet');
  it.git('checkout', '--quiet', '-b', 'edit');
  const copy = mkdtempSync(join(tmpdir(), 'weft-compiled-'));
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  compiled.set(key, copy);
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  return it;
}
