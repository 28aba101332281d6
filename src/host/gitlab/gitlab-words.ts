import type { ForgeWords } from '../forge/forge-words.ts';

export const GITLAB_WORDS: ForgeWords = {
  name: 'GitLab',
  pull: 'merge request',
  mark: '!',
  checksNote: '',
  labelsHint: 'add them by hand, or create them in the project',
  teamsHint: 'name people instead, or let an approval rule name the group',
};
