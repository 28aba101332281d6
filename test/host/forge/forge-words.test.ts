import { expect, it } from 'vitest';
import { describeProposed, proposalRemarks } from '../../../src/host/forge/describe-proposed.ts';
import { FORGES } from '../../../src/host/front/pull-request/forges.ts';
import { describeRefusal } from '../../../src/host/front/refused.ts';

const PULL = { number: 3, url: 'https://x/y/#4', body: '', base: 'main', author: 'ann' };
const BRANCH = { branch: 'fix-#12 of a pull request', base: 'dev', pull: 3, into: 'main' };

it.each([
  ['github', 'there is no token for GitHub', 'WEFT_TOKEN or GITHUB_TOKEN', 'pull request', '#'],
  ['gitlab', 'there is no token for GitLab', 'WEFT_TOKEN or GITLAB_TOKEN', 'merge request', '!'],
  ['gitea', 'there is no token for Gitea', 'WEFT_TOKEN or GITEA_TOKEN', 'pull request', '#'],
  ['forgejo', 'there is no token for Forgejo', 'WEFT_TOKEN or FORGEJO_TOKEN', 'pull request', '#'],
] as const)(
  'messages are in the terms of %s, but for names of users and addresses',
  (kind, noToken, token, pull, mark) => {
    const { words, tokens } = FORGES[kind];
    expect(describeRefusal({ kind: 'no-token' }, words)).toEqual({ message: noToken, hint: `set ${token}` });
    expect(tokens({}).slice(0, 2).join(' or ')).toBe(token);
    expect(describeRefusal({ kind: 'no-pull-request' }, words).message).toBe(`the ${pull} is not known`);
    expect(describeRefusal({ kind: 'branch-of-other-base', ...BRANCH }, words)).toEqual({
      message: `"fix-#12 of a pull request" is the branch of ${mark}3, which merges into "main" and not into "dev"; nothing is sent`,
      hint: `close ${mark}3, or name another branch with --branch`,
    });
    const around = { base: 'main', isInPullRequest: true, words };
    const pushed = { commit: 'c', head: 'c', overwritten: [], kept: [], conflicts: ['x'] };
    const declined = [{ what: 'reviewers', names: ['ann'], reason: null }] as const;
    const proposed = { kind: 'proposed', pull: PULL, change: 'opened', declined, ...pushed } as const;
    expect(describeProposed(proposed, around)).toBe(`opened ${mark}3: https://x/y/#4`);
    expect(proposalRemarks(proposed, around)).toMatchObject([
      { hint: `merge "main" into the branch of ${mark}3 and resolve the conflicts` },
      { message: `no review is requested from ann: the author of a ${pull} cannot review it` },
    ]);
    expect(proposalRemarks({ kind: 'nothing-to-do', closed: [], branch: 'has-other-pull' }, around)).toMatchObject([
      { message: `the branch is not deleted: another ${pull} is open from it` },
    ]);
  },
);
