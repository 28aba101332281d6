import type { ForgeWords } from '../forge/forge-words.ts';
import type { GiteaProduct } from './ask-gitea.ts';

export const giteaWords = (name: GiteaProduct): ForgeWords => ({
  name,
  pull: 'pull request',
  mark: '#',
  checksNote: '',
  labelsHint: 'add them by hand, and give the token the scope write:issue',
  teamsHint: 'request it by hand: teams are those of an organization, and need access to the repository',
});
