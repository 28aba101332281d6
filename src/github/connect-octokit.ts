import { Octokit } from '@octokit/rest';
import type { Clock } from './clock.ts';
import { installRetries } from './retry.ts';

export interface Connection {
  readonly token: string | undefined;
  /** `https://api.github.com`, or the one of a GitHub Enterprise Server. */
  readonly apiUrl: string;
  /** Of weft. */
  readonly version: string;
  readonly clock: Clock;
  /** How requests leave the process; Node's own unless told. */
  readonly fetch?: typeof fetch;
}

const silent = (): void => {};

/** Octokit as weft uses it: patient, silent, and one write at a time. */
export function connectOctokit({ token, apiUrl, version, clock, fetch }: Connection): Octokit {
  const octokit = new Octokit({
    ...(token === undefined ? {} : { auth: token }),
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: `weft/${version}`,
    // What it would log are paths and warnings for programmers, into the log of somebody's job.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...(fetch === undefined ? {} : { request: { fetch } }),
  });
  installRetries(octokit, clock);
  return octokit;
}
