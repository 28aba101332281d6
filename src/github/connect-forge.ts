import type { Clock } from './clock.ts';
import { connectOctokit } from './connect-octokit.ts';
import type { Forge, Repository } from './forge.ts';
import { openForge } from './open-forge.ts';
import { proxyFetch } from './proxy-fetch.ts';
import type { ProxySettings } from './proxy-settings.ts';

interface ForgeSettings {
  readonly repository: Repository;
  readonly token: string;
  readonly apiUrl: string;
  /** Of weft. */
  readonly version: string;
  /** Takes lines for people who wait. */
  readonly notify: (line: string) => void;
  readonly proxies: ProxySettings;
}

/** Creates a forge from its settings. Tests use one that connects to a fake. */
export type ConnectForge = (settings: ForgeSettings) => Promise<Forge>;

/** A tree of a hundred files takes GitHub some seconds; a request that takes this long has failed. */
const TIMEOUT_MILLISECONDS = 120_000;

const withTimeout =
  (send: typeof fetch): typeof fetch =>
  (input, init) =>
    send(input, { ...init, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) });

/** The forge over the network. */
export const connectForge =
  (clock: Clock): ConnectForge =>
  ({ repository, ...settings }) =>
    openForge({
      octokit: connectOctokit({ ...settings, clock, fetch: withTimeout(proxyFetch(settings.proxies)) }),
      repository,
      clock,
      notify: settings.notify,
    });
