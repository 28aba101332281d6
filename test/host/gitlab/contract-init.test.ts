import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { memoryHost } from '../cli/memory-host.ts';
import { fleetOnGitLab, WITHOUT_SHORTCUT } from './job.ts';

interface GitLabJob {
  readonly extends: string;
  readonly rules: readonly { readonly if: string; readonly changes: readonly string[] }[];
  readonly variables?: Readonly<Record<string, string>>;
  readonly script: readonly string[];
  readonly interruptible: boolean;
  readonly resource_group?: string;
  readonly artifacts?: {
    readonly when?: string;
    readonly paths?: readonly string[];
    readonly reports?: Readonly<Record<string, string>>;
  };
}

/** The jobs that `weft init --forge gitlab` writes. */
async function jobs(): Promise<Readonly<Record<string, GitLabJob>>> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { host } = memoryHost(folder);
  expect(await runWeft(['init', '--forge', 'gitlab'], host)).toBe(0);
  return parse(readFileSync(join(folder, '.gitlab-ci.yml'), 'utf8'));
}

/**
 * True if GitLab adds a job to a pipeline with these variables: `==` and `&&`, and a variable that is not set is empty.
 */
function runs({ rules }: GitLabJob, variables: Readonly<Record<string, string>>): boolean {
  const valueOfTerm = (text: string): string =>
    text.startsWith('$') ? (variables[text.slice(1)] ?? '') : text.replace(/^"(.*)"$/, '$1');
  return rules.some((rule) =>
    rule.if.split(' && ').every((part) => {
      const [, left = '', right = ''] = /^(\S+) == (\S+)$/.exec(part) ?? [];
      return left !== '' && valueOfTerm(left) === valueOfTerm(right);
    }),
  );
}

const MERGE_REQUEST = {
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_DEFAULT_BRANCH: 'main',
  CI_MERGE_REQUEST_PROJECT_PATH: 'acme/fleet',
};

describe('the jobs that weft init writes', () => {
  it.each([
    [
      'a merge request',
      { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/fleet' },
      ['weft check', 'weft comment'],
    ],
    ['one from a fork', { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'mallory/fleet' }, ['weft check']],
    [
      'a push to main',
      { CI_PIPELINE_SOURCE: 'push', CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'main' },
      ['weft open'],
    ],
    ['a push elsewhere', { CI_PIPELINE_SOURCE: 'push', CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'edit' }, []],
    ['a schedule', { CI_PIPELINE_SOURCE: 'schedule', CI_DEFAULT_BRANCH: 'main', CI_COMMIT_BRANCH: 'main' }, []],
  ])('run for %s', async (_, variables, expected) => {
    const { '.weft': shared, ...all } = await jobs();
    expect(shared).toBeDefined();
    expect(
      Object.entries(all)
        .filter(([, job]) => runs(job, variables))
        .map(([name]) => name),
    ).toEqual(expected);
  });

  it('extend one another, and never overlap where they write', async () => {
    const { '.weft': shared, ...all } = await jobs();
    expect(shared).toBeDefined();
    for (const job of Object.values(all)) expect(job.extends).toBe('.weft');
    expect(all['weft open']).toMatchObject({ interruptible: false, resource_group: 'weft-open' });
    expect(all['weft comment']?.resource_group).toContain('$CI_MERGE_REQUEST_IID');
    expect(all['weft check']?.rules[0]?.changes).toContain('.gitlab-ci.yml');
  });

  it('do their work, with their own variables and no token where they need none', async () => {
    const all = await jobs();
    const it = await fleetOnGitLab();
    const reporter = it.fake.signUp({
      login: 'project_7_bot_comment',
      kind: 'bot',
      grants: { '*': { contents: 'read', pulls: 'write' } },
    });
    const run = (name: string, on: string, token: string, pull?: { readonly number: number }) => {
      const { script = [], variables = {}, artifacts } = all[name] ?? {};
      expect(script).toHaveLength(1);
      const [, mode, diff] =
        /^weft pr (check|comment|open) --all(?: --diff (\S+) --report \2)?$/.exec(script[0] ?? '') ?? [];
      expect(artifacts?.paths).toEqual(diff === undefined ? undefined : [`${diff}/`]);
      // Files of a job are made in its folder; those of tests are not looked for there.
      const { WEFT_DOTENV: _, WEFT_CODE_QUALITY: __, ...rest } = variables;
      const secrets: Readonly<Record<string, string>> = { WEFT_COMMENT_TOKEN: reporter.token };
      const own = Object.entries(rest).map(([key, value]) => [key, secrets[value.replace(/^\$/, '')] ?? value]);
      return it.weftPr({
        mode: mode as 'check',
        options: { all: true, ...(diff === undefined ? {} : { diff, report: diff }) },
        on,
        token,
        env: Object.fromEntries(own),
        ...(pull === undefined ? {} : { pull }),
      });
    };
    expect(await run('weft open', 'main', it.fake.bot.token)).toMatchObject({ code: 0 });
    await it.fake.merge(1);
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.fake.openPull({ number: 7, branch: 'edit', author: it.fake.user });
    expect(await run('weft check', 'edit', '', { number: 7 })).toMatchObject({ code: 0 });
    expect(await run('weft comment', 'edit', '', { number: 7 })).toMatchObject({ code: 0 });
    expect(it.fake.comments[0]?.author.login).toBe('project_7_bot_comment');
    expect(it.fake.comments[0]?.body).toMatch(/weft-diff\.html.*artifacts of \[this run\]/);
    expect(it.fake.comments[0]?.body).toMatch(
      /\n\*\*Before and after\*\*: the fleet as a page, \[`weft-report\.html`\]\(http:\S+\/acme\/fleet\/-\/jobs\/\d+\/artifacts\/file\/weft-review\/weft-report\.html\)\.\n/,
    );
    for (const name of ['weft check', 'weft open']) {
      const { variables = {}, artifacts } = all[name] ?? {};
      const { dotenv, codequality } = artifacts?.reports ?? {};
      expect([variables['WEFT_DOTENV'], variables['WEFT_CODE_QUALITY']]).toEqual([dotenv, codequality]);
    }
  });
});
