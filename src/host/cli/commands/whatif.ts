import { whatIfAnswer } from '../../../answers/report/what-if.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { whatIfFleet } from '../../app/what-if-fleet.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/**
 * `weft whatif [topology]`: the consequences of failures. It is no judgement, so it exits with 0: an assertion says what
 * must hold without a part.
 */
export async function whatifCommand(host: Host, { args, options }: Call<'whatif'>): Promise<ExitCode> {
  const request = { topology: args[0], lock: options.lock, without: options.without };
  return show(host, options, whatIfAnswer, await whatIfFleet(diskPorts(host.cwd).files, request), (it) => it);
}
