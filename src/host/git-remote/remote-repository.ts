import type { Author } from '../forge/forge.ts';
import type { ForgeFailure } from '../forge/forge-error.ts';
import type { Waiting } from '../http/clock.ts';
import type { ProxySettings } from '../http/proxy-settings.ts';

/** A repository on a server that speaks git over HTTP. */
export interface RemoteRepository extends Waiting {
  /** The address to clone it from, without user and password. */
  readonly url: string;
  /** As messages show it. */
  readonly name: string;
  /** As messages call the server: `GitLab`. */
  readonly forge: string;
  /** The user name that belongs to the token, for basic authentication. */
  readonly user: string;
  readonly token: string;
  /** The author and committer of commits. It is asked for once, before the first commit. */
  readonly author: () => Promise<Author>;
  readonly proxies: ProxySettings;
  /** What to do about a failure, where the forge has its own advice. */
  readonly hints: Partial<Readonly<Record<ForgeFailure, string>>>;
}
