/** The terms of a forge. Every message that names one of these takes it from here. */
export interface ForgeTerms {
  /** The name of the forge: `GitHub`. */
  readonly name: string;
  readonly pull: 'pull request' | 'merge request';
  /** Before the number of one. */
  readonly mark: '#' | '!';
  /** The queue in which requests wait until they are merged one after the other. */
  readonly queue: 'merge queue' | 'merge train';
  /** The variables for its token. */
  readonly token: `WEFT_TOKEN or ${string}`;
}

/** The terms of a forge, and advice for its users. */
export interface ForgeWords extends ForgeTerms {
  /** Below a proposal: why its checks may not start; empty where they do. */
  readonly checksNote: string;
  /** Advice for declined labels; `teamsHint` for declined teams. */
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
