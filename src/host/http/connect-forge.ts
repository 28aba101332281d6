import type { Forge, Repository } from '../forge/forge.ts';
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
  /** Of this process: what git needs of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Creates a forge from its settings. Tests use one that connects to a fake. */
export type ConnectForge = (settings: ForgeSettings) => Promise<Forge>;
