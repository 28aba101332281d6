import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode } from '../../front/host.ts';
import { nameOf } from '../../github/forge.ts';
import type { Proposed } from '../../github/propose-manifests.ts';
import { someOf } from '../../report/count-of.ts';
import { type PrCall, say } from './pr-call.ts';
import { type Outputs, writeOutputs } from './write-outputs.ts';

export interface Between {
  readonly base: string;
  readonly branch: string;
  readonly outputs: Outputs;
}

/** What came of a proposal: for people, and for the steps that follow. */
export async function reportProposed(
  { host, request }: PrCall,
  done: Proposed,
  { outputs, base, branch }: Between,
): Promise<ExitCode> {
  const { context } = request;
  switch (done.kind) {
    case 'nothing-to-do': {
      const closed = done.closed.map((it) => `; closed #${it.number}`).join('');
      await say(host, `${base} has all that the topology says${closed}`);
      await writeOutputs(context, { ...outputs, changed: 'false' });
      return EXIT.yes;
    }
    case 'outdated':
      await say(
        host,
        `${done.path} is another on ${base} than here: commit and push it first; a newer run does the rest${
          context.pull === null ? '' : ' (a job of a pull request has to check out its head, not its merge)'
        }`,
      );
      await writeOutputs(context, { ...outputs, changed: 'false' });
      return EXIT.yes;
    case 'proposed': {
      const { pull, change } = done;
      await say(host, `${PROPOSED[change]} #${pull.number}: ${pull.url}`);
      for (const it of remarksOn(done)) await say(host, it);
      // Source: docs.github.com, "Triggering a workflow from a workflow".
      if (change !== 'unchanged' && pull.author === 'github-actions[bot]')
        await say(
          host,
          'pushes with the token of GitHub Actions start no workflows: required checks wait until somebody closes and reopens the pull request, or weft gets the token of a GitHub App',
        );
      const found = { 'pull-request-number': String(pull.number), 'pull-request-url': pull.url };
      await writeOutputs(context, { ...outputs, changed: 'true', ...found });
      return EXIT.yes;
    }
    case 'not-opened': {
      const { repository } = request;
      const where = repository === null ? '' : nameOf(repository);
      const link = `${context.serverUrl}/${where}/compare/${base}...${branch}?expand=1`;
      await writeOutputs(context, { ...outputs, changed: 'true' });
      throw new CommandFailure(
        `${done.reason.message}\nthe branch is pushed; open it by hand: ${link}`,
        done.reason.hint,
      );
    }
  }
}

const PROPOSED = { opened: 'opened', refreshed: 'brought up to date', unchanged: 'nothing new for' } as const;

function remarksOn({ overwritten, kept, conflicts }: Extract<Proposed, { kind: 'proposed' }>): readonly string[] {
  const some = (paths: readonly string[]): string => someOf(paths, 5);
  return [
    ...(overwritten.length > 0
      ? [`written again over edits of others, which stay in the history: ${some(overwritten)}`]
      : []),
    ...(kept.length > 0 ? [`no longer compiled, but edited by others, so they stay: ${some(kept)}`] : []),
    ...(conflicts.length > 0 ? [`changed on both branches, so somebody has to merge: ${some(conflicts)}`] : []),
  ];
}
