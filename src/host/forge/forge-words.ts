/** What people call things on a forge: every message that names one of these takes it from here. */
export interface ForgeTerms {
  /** Of the forge: `GitHub`. */
  readonly name: string;
  readonly pull: 'pull request' | 'merge request';
  /** Before the number of one. */
  readonly mark: '#' | '!';
  /** Where requests wait until they are merged one after the other. */
  readonly queue: 'merge queue' | 'merge train';
  /** The variables for its token. */
  readonly token: `WEFT_TOKEN or ${string}`;
}

/** Its terms, and what to know and to do there. */
export interface ForgeWords extends ForgeTerms {
  /** Below a proposal: why its checks may not start; empty where they do. */
  readonly checksNote: string;
  /** What to do when labels are declined, and when teams are. */
  readonly labelsHint: string;
  readonly teamsHint: string;
}

/** The terms of GitHub, which are also those of messages about no forge. */
export const GITHUB_TERMS: ForgeTerms = {
  name: 'GitHub',
  pull: 'pull request',
  mark: '#',
  queue: 'merge queue',
  token: 'WEFT_TOKEN or GITHUB_TOKEN',
};
