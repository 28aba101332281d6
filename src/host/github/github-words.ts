import type { ForgeWords } from '../forge/forge-words.ts';

export const GITHUB_WORDS: ForgeWords = {
  name: 'GitHub',
  pull: 'pull request',
  mark: '#',
  checksNote:
    ' If checks do not start, GitHub Actions has opened this pull request with its own token: close and reopen it, or give weft the token of a GitHub App.',
  labelsHint: 'add them by hand, and give the token the permission "Pull requests: write"',
  teamsHint: 'request it by hand: the token of a job cannot name teams, and a GitHub App needs "Members: read"',
};
