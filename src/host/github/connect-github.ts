import type { Clock } from '../http/clock.ts';
import type { ConnectForge } from '../http/connect-forge.ts';
import { networkFetch } from '../http/network-fetch.ts';
import { connectOctokit } from './connect-octokit.ts';
import { openForge } from './open-forge.ts';

/** GitHub over the network. */
export const connectGitHub =
  (clock: Clock): ConnectForge =>
  ({ repository, ...settings }) =>
    openForge({
      octokit: connectOctokit({ ...settings, clock, fetch: networkFetch(settings.proxies) }),
      repository,
      clock,
      notify: settings.notify,
    });
