import { printGeneratedKeys } from '../../../answers/report/print-generated-keys.ts';
import { visibleText } from '../../../base/core/visible-text.ts';
import { listOf } from '../../../base/core/words.ts';
import { diskKeys, diskPorts } from '../../app/disk-ports.ts';
import { generateFleetKeys, type SecretsTarget } from '../../app/generate-fleet-keys.ts';
import { bundlesFolder } from '../../front/argument-values.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { showUnanswered } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft keys generate`: keys for gateways and consumers without one. */
export async function keysGenerateCommand(host: Host, { args, options }: Call<'keys generate'>): Promise<ExitCode> {
  const ports = {
    ...diskPorts(host.cwd),
    keys: diskKeys(host.cwd),
    writeStream: host.stdout.write,
    streamTarget: host.stdoutTarget,
  };
  const { lock, cluster: clusters } = options;
  const result = await generateFleetKeys(ports, {
    topology: args[0],
    lock,
    clusters,
    out: bundlesFolder(options),
    replace: options.replace,
    secrets: target(host, options),
    inRepository: options.inRepository,
  });
  switch (result.kind) {
    case 'none-missing':
      await host.stderr.write(
        `${visibleText(`Every gateway${result.consumers === 0 ? '' : ' and every cluster that borrows resources'} has a public key in ${result.files.keys}; there is nothing to do. ${options.replace ? 'To replace a key, remove its entry there first.' : 'Secrets are written once, when keys are made: to make a lost one again, remove the entry of its key there and pass --replace.'}`)}\n`,
      );
      return EXIT.yes;
    case 'renamed':
      await host.stderr.write(
        `${visibleText(`${result.files.keys} has the keys of ${listOf(result.clusters)} under the new name now.`)}\n`,
      );
      return EXIT.yes;
    case 'generated':
      await host.stderr.write(printGeneratedKeys(result));
      return EXIT.yes;
    default:
      return showUnanswered(host, options, result);
  }
}

function target({ stdout }: Host, { secretsDir, show }: OptionsOf<'keys generate'>): SecretsTarget {
  if (secretsDir !== undefined) return { kind: 'folder', folder: secretsDir };
  return { kind: stdout.isTTY && !show ? 'terminal' : 'stream' };
}
