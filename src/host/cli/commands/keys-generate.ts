import { changesKeys, printGeneratedKeys } from '../../../answers/report/print-made-keys.ts';
import { diskKeys, diskPorts } from '../../app/disk-ports.ts';
import { generateFleetKeys } from '../../app/generate-fleet-keys.ts';
import { bundlesFolder, secretsTarget } from '../../front/argument-values.ts';
import { dayBefore, EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { choosePaint, showUnanswered } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/**
 * `weft keys generate`: keys for gateways and consumers without one. Only Secrets are printed to stdout. --check: no if a
 * key is missing.
 */
export async function keysGenerateCommand(host: Host, { args, options }: Call<'keys generate'>): Promise<ExitCode> {
  const ports = {
    ...diskPorts(host.cwd),
    keys: diskKeys(host.cwd),
    day: dayBefore,
    writeStream: host.stdout.write,
    streamTarget: host.stdoutTarget,
  };
  const { lock, cluster: clusters, replace, inRepository, check } = options;
  const secrets = secretsTarget(host, options);
  const request = { topology: args[0], lock, clusters, out: bundlesFolder(options), replace, inRepository, check };
  const result = await generateFleetKeys(ports, { ...request, secrets });
  if (result.kind !== 'generated') return showUnanswered(host, options, result);
  const paint = choosePaint(options.color, host.env, host.stderr);
  if (!options.quiet) await host.stderr.write(printGeneratedKeys({ ...result, ...request }, paint));
  return check && changesKeys(result) ? EXIT.no : EXIT.yes;
}
