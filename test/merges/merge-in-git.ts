import { execFileSync, spawnSync } from 'node:child_process';
import { workspace } from '../host/cli/memory-host.ts';
import type { FleetTexts, Pair } from './parallel-edits.ts';

export interface Merged {
  /** Files that git could not merge. */
  readonly conflicts: readonly string[];
  /**
   * The exit codes of `weft compile` after a merge without conflicts, and then of `weft compile --check`; -1 for
   * neither.
   */
  readonly compiled: number;
  readonly checked: number;
  readonly stderr: string;
}

const TOPOLOGY = 'topologies/topology.yaml';
const KEYS = 'topologies/topology.keys.yaml';

/**
 * A repository with a compiled fleet, in which pairs of branches are compiled and merged by the real git.
 *
 * @param withKeys whether missing keys are made before every compile
 */
export async function fleetRepository(base: FleetTexts, attributes: string | null, withKeys = false) {
  const { folder, read, write, weft } = workspace();
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...NEUTRAL, ...args], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
  const commitCompiled = async (texts: FleetTexts, message: string) => {
    write(TOPOLOGY, texts.topology);
    write(KEYS, texts.keys);
    if (withKeys) await weft('keys', 'generate', '-q');
    const { code, stderr } = await weft('compile', '-q', '--allow-destroy');
    if (code !== 0) throw new Error(`${message}: ${stderr}`);
    git('add', '-A');
    git('commit', '-qm', message);
  };
  git('init', '-q', '-b', 'main');
  if (attributes !== null) write('.gitattributes', attributes);
  await commitCompiled(base, 'base');
  const start = { ...base, keys: read(KEYS) };
  return async ({ left, right }: Pair): Promise<Merged> => {
    for (const [name, edit] of [
      ['left', left],
      ['right', right],
    ] as const) {
      git('checkout', '-q', '-B', name, 'main');
      await commitCompiled(edit(start), name);
    }
    const merge = spawnSync('git', [...NEUTRAL, 'merge', '-q', '--no-edit', 'left'], { cwd: folder, encoding: 'utf8' });
    if (merge.status !== 0) {
      const conflicts = git('diff', '--name-only', '--diff-filter=U')
        .trim()
        .split('\n')
        .filter((it) => it !== '');
      if (conflicts.length === 0) throw new Error(merge.stderr);
      git('merge', '--abort');
      return { conflicts, compiled: -1, checked: -1, stderr: '' };
    }
    const compiled = await weft('compile', '-q');
    const checked = await weft('compile', '--check', '--frozen-lock', '-q');
    git('reset', '-q', '--hard');
    git('clean', '-qfd');
    return { conflicts: [], compiled: compiled.code, checked: checked.code, stderr: compiled.stderr };
  };
}

/** Without the settings of this machine. */
const NEUTRAL = [
  '-c',
  'user.name=t',
  '-c',
  'user.email=t@example.com',
  '-c',
  'core.autocrlf=false',
  '-c',
  'core.attributesFile=/dev/null',
];
