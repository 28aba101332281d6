import { expect, it } from 'vitest';
import { inWordsOf } from '../../../src/host/forge/forge-words.ts';
import { giteaWords } from '../../../src/host/gitea/ask-gitea.ts';
import { GITHUB_WORDS } from '../../../src/host/github/ask-github.ts';
import { GITLAB_WORDS } from '../../../src/host/gitlab/ask-gitlab.ts';

const MESSAGE = '"fix-#12 of a pull request" is the branch of #3 (a pull request), see https://x/y/#4; a merge queue';

it('has the words of the forge, but for names of users and addresses', () => {
  expect(inWordsOf(GITLAB_WORDS)(MESSAGE)).toBe(
    '"fix-#12 of a pull request" is the branch of !3 (a merge request), see https://x/y/#4; a merge train',
  );
  for (const words of [GITHUB_WORDS, giteaWords('Gitea')]) expect(inWordsOf(words)(MESSAGE)).toBe(MESSAGE);
});
