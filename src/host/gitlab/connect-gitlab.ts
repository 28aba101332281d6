import type { Clock } from '../http/clock.ts';
import type { ConnectForge } from '../http/connect-forge.ts';
import { networkFetch } from '../http/network-fetch.ts';
import { openGitLab } from './open-gitlab.ts';

/** GitLab over the network. */
export const connectGitLab =
  (clock: Clock): ConnectForge =>
  ({ proxies, env, ...settings }) =>
    openGitLab({ ...settings, clock, fetch: networkFetch(proxies) }, { proxies, env });
