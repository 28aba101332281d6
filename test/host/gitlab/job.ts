import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { CommandFailure } from '../../../src/host/front/command-failure.ts';
import { openGitLab } from '../../../src/host/gitlab/open-gitlab.ts';
import type { ConnectForge } from '../../../src/host/http/proxies.ts';
import { memoryHost, TOPOLOGY } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { expectNoViolations } from '../fake-github/expect-no-violations.ts';
import type { FakeGitHubOptions } from '../fake-github/fake-github.ts';
import { fakeGitLab } from '../fake-gitlab/fake-gitlab.ts';

export const TOPOLOGY_PATH = 'topologies/topology.yaml';
export const BRANCH = 'weft/europe';
export const WITHOUT_SHORTCUT = TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '');

interface Job {
  readonly mode?: 'check' | 'comment' | 'open';
  readonly options?: Readonly<Record<string, unknown>>;
  /** The branch that the job checks out. */
  readonly on?: string;
  /** The merge request whose pipeline it is; `from` is the project of its source. */
  readonly pull?: { readonly number: number; readonly from?: string; readonly isTrain?: boolean };
  readonly token?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A GitLab with a fleet on it, and jobs of GitLab CI that check it out with the real git and call `weft pr`. */
export async function fleetOnGitLab(options: FakeGitHubOptions = {}, owner = 'acme') {
  const files = { [TOPOLOGY_PATH]: TOPOLOGY, 'README.md': 'a fleet\n' };
  const fake = await fakeGitLab({ repositories: [{ owner, name: 'fleet', files }], ...options });
  const scratch = mkdtempSync(join(tmpdir(), 'weft-jobs-'));
  onTestFinished(async () => {
    rmSync(scratch, { recursive: true, force: true });
    expectNoViolations(fake);
    await fake.close();
  });
  const path = `${owner}/fleet`;
  const said: string[] = [];
  const connect: ConnectForge = ({ proxies, env, ...settings }) =>
    openGitLab({ ...settings, clock: fake.clock, fetch: fake.fetch }, { proxies, env });
  let jobs = 0;

  /** The variables of a job. Source: docs.gitlab.com, "Predefined CI/CD variables reference". */
  const variables = (folder: string, { on = 'main', pull, token = fake.bot.token }: Job) => ({
    PATH: process.env['PATH'] ?? '',
    ...{ CI: 'true', GITLAB_CI: 'true', CI_PROJECT_PATH: path, CI_PROJECT_DIR: folder, WEFT_TOKEN: token },
    ...{
      CI_SERVER_URL: fake.git.url,
      CI_API_V4_URL: fake.apiUrl,
      CI_JOB_URL: `${fake.git.url}/${path}/-/jobs/${jobs}`,
    },
    ...{ CI_COMMIT_SHA: fake.headOf(on) ?? '', CI_COMMIT_BEFORE_SHA: '0'.repeat(40), CI_JOB_TOKEN: 'glcbt-64_job' },
    ...(pull === undefined
      ? { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: on }
      : {
          ...{ CI_PIPELINE_SOURCE: 'merge_request_event', CI_MERGE_REQUEST_IID: String(pull.number) },
          ...{ CI_MERGE_REQUEST_PROJECT_PATH: path, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: pull.from ?? path },
          ...{ CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: on, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main' },
          CI_MERGE_REQUEST_DIFF_BASE_SHA:
            fake.world.repositories[0]?.store.mergeBase(fake.headOf('main') ?? '', fake.headOf(on) ?? '') ?? '',
          CI_MERGE_REQUEST_EVENT_TYPE: pull.isTrain ? 'merge_train' : 'detached',
        }),
  });

  async function weftPr(job: Job = {}) {
    const { mode = 'open', options: given = {}, on = 'main', env = {} } = job;
    jobs++;
    const folder = fake.at(path).checkout(on);
    const dotenv = join(scratch, `weft-${jobs}.env`);
    const quality = join(scratch, `quality-${jobs}.json`);
    const all = { ...variables(folder, job), WEFT_DOTENV: dotenv, WEFT_CODE_QUALITY: quality, ...env };
    const { host, said: told } = memoryHost(folder, { env: all });
    const code = await prCommand(host, { args: [mode], options: optionsFor('pr', given) }, connect).catch(
      (error: unknown) => {
        if (error instanceof CommandFailure) return `${error.message}\n${error.hint ?? ''}`;
        throw error;
      },
    );
    const ran = { code, ...told(), outputs: readOr(dotenv), quality: readOr(quality) };
    said.push(JSON.stringify(ran));
    for (const { token } of [fake.bot, fake.user])
      if (said.some((it) => it.includes(token))) throw new Error('a token was printed');
    return ran;
  }
  return {
    fake,
    weftPr,
    edit: (text: string, branch = 'main') => fake.at(path).commit(branch, { [TOPOLOGY_PATH]: text }),
    at: fake.at(path),
  };
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
