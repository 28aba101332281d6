import type { Clock } from '../http/clock.ts';
import type { ConnectForge } from '../http/connect-forge.ts';
import { networkFetch } from '../http/network-fetch.ts';
import type { GiteaProduct } from './ask-gitea.ts';
import { openGitea } from './open-gitea.ts';

/** Gitea or Forgejo over the network. */
export const connectGitea =
  (product: GiteaProduct, clock: Clock): ConnectForge =>
  ({ proxies, env, ...settings }) =>
    openGitea({ ...settings, product, clock, fetch: networkFetch(proxies) }, { proxies, env });
