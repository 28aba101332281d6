import { changesKeys, printGeneratedKeys, printRotatedKeys } from '../../../answers/report/print-made-keys.ts';
import { diskKeys, diskPorts } from '../../app/disk-ports.ts';
import { generateFleetKeys } from '../../app/generate-fleet-keys.ts';
import { rotateFleetKeys } from '../../app/rotate-fleet-keys.ts';
import { bundlesFolder, secretsTarget, targetsOf } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
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

/** `weft keys rotate`: makes the next keys of links, or uses them. Only Secrets are printed to stdout. --check: no if any is due. */
export async function keysRotateCommand(host: Host, { args, options }: Call<'keys rotate'>): Promise<ExitCode> {
  const { lock, link, olderThan, switch: toNext, inRepository, check } = options;
  if (link.length === 0 && olderThan === undefined && !toNext)
    throw new CommandFailure(
      'no link is named',
      'name links with --link rome/milan or --link all, or their age with --older-than 180d',
    );
  const ports = {
    ...diskPorts(host.cwd),
    ...{ keys: diskKeys(host.cwd), day: dayBefore },
    ...{ writeStream: host.stdout.write, streamTarget: host.stdoutTarget },
  };
  // No target is every link.
  const targets = link.includes('all') ? [] : targetsOf('link', link);
  const olderThanDays = olderThan === undefined ? null : daysOf(olderThan);
  const request = { topology: args[0], lock, targets, olderThanDays, toNext, inRepository, check };
  const result = await rotateFleetKeys(ports, { ...request, secrets: secretsTarget(host, options) });
  if (result.kind !== 'rotated') return showUnanswered(host, options, result);
  const paint = choosePaint(options.color, host.env, host.stderr);
  if (!options.quiet) await host.stderr.write(printRotatedKeys({ ...result, ...request }, paint));
  return check && result.links.length > 0 ? EXIT.no : EXIT.yes;
}

function daysOf(text: string): number {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return Number(days);
  throw new CommandFailure(`--older-than requires days, not "${text}"`, 'write --older-than 180d');
}
