import type { PullDetails } from '../forge/add-details.ts';
import type { PullWording } from '../forge/pull-text.ts';

/** What the user wants of the pull request with the manifests, besides its files. */
export interface PullSettings extends PullWording {
  /** Open it as a draft. */
  readonly isDraft: boolean;
  readonly details: PullDetails;
  /** Commits end with a sign-off of the owner of the token. */
  readonly signsOff: boolean;
}
