import { changesKeys, printGeneratedKeys } from '../../../answers/report/print-generated-keys.ts';
import { diskKeys, diskPorts } from '../../app/disk-ports.ts';
import { generateFleetKeys, type SecretsTarget } from '../../app/generate-fleet-keys.ts';
import { bundlesFolder } from '../../front/argument-values.ts';
import { EXIT, type ExitCode, type Host, systemClock } from '../../front/host.ts';
import { choosePaint, showUnanswered } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/**
 * `weft keys generate`: keys for gateways and consumers without one. Only Secrets are printed to stdout. --check: no if a
 * key is missing.
 */
export async function keysGenerateCommand(host: Host, { args, options }: Call<'keys generate'>): Promise<ExitCode> {
  const ports = {
    ...diskPorts(host.cwd),
    keys: diskKeys(host.cwd),
    now: systemClock.now,
    writeStream: host.stdout.write,
    streamTarget: host.stdoutTarget,
  };
  const { lock, cluster: clusters, replace, inRepository, check } = options;
  const secrets = target(host, options);
  const request = { topology: args[0], lock, clusters, out: bundlesFolder(options), replace, inRepository, check };
  const result = await generateFleetKeys(ports, { ...request, secrets });
  if (result.kind !== 'generated') return showUnanswered(host, options, result);
  const paint = choosePaint(options.color, host.env, host.stderr);
  if (!options.quiet) await host.stderr.write(printGeneratedKeys({ ...result, ...request }, paint));
  return check && changesKeys(result) ? EXIT.no : EXIT.yes;
}

function target({ stdout }: Host, { secretsDir, show }: OptionsOf<'keys generate'>): SecretsTarget {
  if (secretsDir !== undefined) return { kind: 'folder', folder: secretsDir };
  return { kind: stdout.isTTY && !show ? 'terminal' : 'stream' };
}
