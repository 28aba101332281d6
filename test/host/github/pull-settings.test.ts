import { expect, it } from 'vitest';
import { pullSettings } from '../../../src/host/front/pull-request/pull-request-call.ts';

const NOTHING = {
  ...{ title: undefined, bodyPrefix: undefined, commitMessage: undefined },
  ...{ labels: undefined, reviewers: undefined, teamReviewers: undefined, assignees: undefined },
  ...{ draft: false, deleteBranch: false, signoff: false },
};

it('reads lists with commas or, for names that contain them, with line breaks', () => {
  const { details } = pullSettings({
    ...NOTHING,
    labels: 'a, b\nc\r\n\nc\n',
    reviewers: ' @ada ,dependabot[bot],x_acme,, ada',
    teamReviewers: 'net-work',
  });
  expect(details).toEqual({
    labels: ['a, b', 'c'],
    assignees: [],
    people: ['ada', 'dependabot[bot]', 'x_acme'],
    teams: ['net-work'],
  });
});

it.each([
  [{ title: 'a\nb' }, '--title has several lines'],
  [{ title: 'x'.repeat(257) }, '--title has 257 characters'],
  [{ bodyPrefix: 'x'.repeat(10_001) }, '--body-prefix has 10001 characters'],
  [{ commitMessage: 'fix\n\nWeft-Topology: other.yaml' }, '--commit-message contains a line of weft'],
  [{ labels: 'x'.repeat(51) }, 'is longer than 50 characters'],
  [{ reviewers: 'acme/network' }, '"acme/network" in --reviewers is not a login'],
  [{ reviewers: '-x' }, '"-x" in --reviewers is not a login'],
  [{ assignees: 'ada lovelace' }, '"ada lovelace" in --assignees is not a login'],
  [{ assignees: 'abcdefghijk'.split('').join() }, '--assignees has 11 names'],
  [{ teamReviewers: 'acme/network' }, '"acme/network" in --team-reviewers is not the slug of a team'],
])('refuses %j before anything is sent', (texts, message) => {
  expect(() => pullSettings({ ...NOTHING, ...texts })).toThrow(message);
});
