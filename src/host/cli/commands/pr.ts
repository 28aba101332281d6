import type { ExitCode, Host } from '../../front/host.ts';
import { PULL_REQUEST_MODES } from '../../front/pull-request/pull-request-call.ts';
import { runPullRequest } from '../../front/pull-request/run-pull-request.ts';
import type { ConnectForge } from '../../http/proxies.ts';
import type { Call } from '../options-of.ts';

/** `weft pr`: checks, comments on or opens a pull request in CI. */
export function prCommand(
  host: Host,
  { args: [named, topology], options }: Omit<Call<'pr'>, 'help'>,
  connect?: ConnectForge,
): Promise<ExitCode> {
  const mode = PULL_REQUEST_MODES.find((it) => it === named) ?? 'check';
  return runPullRequest(host, { ...options, mode, topology }, options, connect);
}
