import { Octokit } from '@octokit/rest';
import type { Waiting } from '../http/clock.ts';
import { installRetries } from './retry.ts';

interface Connection extends Waiting {
  readonly token: string | undefined;
  /** `https://api.github.com`, or the one of a GitHub Enterprise Server. */
  readonly apiUrl: string;
  /** Of weft. */
  readonly version: string;
  /** The function that sends requests; the default is Node's own. */
  readonly fetch?: typeof fetch;
}

const silent = (): void => {};

/** Octokit with retries, without logging, and with one write at a time. */
export function connectOctokit({ token, apiUrl, version, clock, notify, fetch }: Connection): Octokit {
  const octokit = new Octokit({
    ...(token === undefined ? {} : { auth: token }),
    baseUrl: apiUrl.replace(/\/+$/, ''),
    userAgent: `weft/${version}`,
    // Octokit logs paths and warnings for programmers, which do not belong in the log of a job.
    log: { debug: silent, info: silent, warn: silent, error: silent },
    ...(fetch === undefined ? {} : { request: { fetch } }),
  });
  installRetries(octokit, { clock, notify });
  return octokit;
}
