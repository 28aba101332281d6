import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const works = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** True if `nft` can run here: that needs root, and a network namespace so that nothing of the machine is touched. */
export const nftAvailable = (): boolean => works('unshare', '-n', 'nft', 'list', 'ruleset');

/**
 * Reads all files in one process, each into an empty ruleset: nothing of one file is there for the next. For every
 * single check the kernel waits until no processor can be using the old rules, which takes longer than the check.
 */
const ALL_AT_ONCE = 'for file in "$0"/*.nft; do echo "include \\"$file\\""; echo "flush ruleset"; done | nft -c -f -';

/** One process a file, so that what is wrong with one hides nothing of another. */
const EACH_ALONE = 'failed=0; for file in "$0"/*.nft; do nft -c -f "$file" || failed=1; done; exit $failed';

/** The kernel takes so many rulesets in one message, and no more. */
const AT_ONCE = 500;

/** The errors of `nft` about texts that are each loaded into a separate namespace. */
export function nftProblems(texts: readonly string[]): string {
  const problems: string[] = [];
  for (let i = 0; i < texts.length; i += AT_ONCE) problems.push(problemsOf(texts.slice(i, i + AT_ONCE)));
  return problems.join('');
}

function problemsOf(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-nft-'));
  const run = (script: string) => spawnSync('unshare', ['-n', 'sh', '-c', script, folder], { encoding: 'utf8' });
  try {
    texts.forEach((text, index) => {
      writeFileSync(join(folder, `${index}.nft`), text);
    });
    const together = run(ALL_AT_ONCE);
    if (together.status === 0) return '';
    const alone = run(EACH_ALONE);
    return `${alone.stdout}${alone.stderr}` || `${together.stdout}${together.stderr}` || `status ${together.status}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
