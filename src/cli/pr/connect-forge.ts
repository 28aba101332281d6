import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../github/clock.ts';
import { connectOctokit } from '../../github/connect-octokit.ts';
import type { Forge, Repository } from '../../github/forge.ts';
import { octokitForge } from '../../github/octokit-forge.ts';

export interface ForgeSettings {
  readonly repository: Repository;
  readonly token: string;
  readonly apiUrl: string;
  /** Of weft. */
  readonly version: string;
}

/** How `weft pr` gets at GitHub. Tests bring one of their own. */
export type Connect = (settings: ForgeSettings) => Forge;

const clock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** Milliseconds. A tree of a hundred files takes GitHub some seconds; who says nothing for this long says nothing. */
const PATIENCE = 120_000;

const patientFetch: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(PATIENCE) });

export const connectForge: Connect = ({ repository, ...settings }) =>
  octokitForge({ octokit: connectOctokit({ ...settings, clock, fetch: patientFetch }), repository, clock });
