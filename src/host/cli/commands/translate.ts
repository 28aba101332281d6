import { translateAnswer } from '../../../answers/report/translation.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../../base/diagnostics/outcome.ts';
import { type Source, startOf } from '../../../base/source/source.ts';
import { printYaml } from '../../../bundle/emit/print-yaml.ts';
import { WAYS } from '../../../reach/translate/translation.ts';
import { diskPorts } from '../../app/disk-ports.ts';
import { translateForCluster } from '../../app/translate-for-cluster.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import { EXIT, type ExitCode, type Host } from '../../front/host.ts';
import { show } from '../../front/show.ts';
import type { Call, OptionsOf } from '../options-of.ts';

/** `weft translate [topology] --in HUB --for LEAF`: translates the endpoints on stdin as the cluster receives them. */
export async function translateCommand(host: Host, { args, options, help }: Call<'translate'>): Promise<ExitCode> {
  const [hub, receiver] = [needed(options, 'in'), needed(options, 'for')];
  if (hub === receiver) {
    throw new CommandFailure(
      `"${hub}" does not reflect endpoints to itself`,
      'name two different clusters with --in and --for',
    );
  }
  // On a terminal, the command would wait for input forever.
  if (host.stdin.isTTY) {
    if (options.output === 'json') throw new CommandFailure(NO_INPUT.message, NO_INPUT.hint);
    return printHelp(host, help);
  }
  const ports = { files: diskPorts(host.cwd).files, readEndpoints: () => readStdin(host) };
  const result = await translateForCluster(ports, { topology: args[0], lock: options.lock, hub, receiver });
  const { way, explain } = options;
  return show(host, options, translateAnswer, result, (translated) => ({
    ...translated,
    explain,
    ways: WAYS.filter((it) => way === undefined || it === way),
    printYaml,
    format: translated.translation.translated.kind === 'slices' ? ('yaml' as const) : ('text' as const),
    report: {},
  }));
}

function needed(options: OptionsOf<'translate'>, option: 'in' | 'for'): string {
  const cluster = options[option];
  if (cluster !== undefined) return cluster;
  throw new CommandFailure(
    `missing option --${option}`,
    'run "weft translate --in CLUSTER --for CLUSTER < slices.yaml"',
  );
}

const NO_INPUT = {
  message: 'stdin is a terminal',
  hint: 'pipe EndpointSlices or addresses into "weft translate"',
};

async function printHelp(host: Host, help: () => string): Promise<ExitCode> {
  await host.stderr.write(`${NO_INPUT.message}: ${NO_INPUT.hint}\n\n`);
  await host.stderr.write(help());
  return EXIT.unable;
}

const STDIN = 'stdin';

/** Reads stdin. Input that is not text is a diagnostic with a place. */
async function readStdin(host: Host): Promise<Outcome<Source>> {
  const read = await host.stdin.read();
  const at = startOf({ path: STDIN, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path: STDIN, text: read.text });
    case 'not-utf8':
      return failure([diagnostic('source/not-text', at, 'stdin is not UTF-8 text')]);
    case 'too-large':
      return failure([diagnostic('source/too-large', at, `stdin has more than ${read.limitBytes} bytes`)]);
    case 'missing':
    case 'is-directory':
      throw new CommandFailure('stdin cannot be read', 'pipe EndpointSlices or addresses into "weft translate"');
    case 'unreadable':
      throw new CommandFailure(`cannot read stdin: ${read.reason}`, read.hint);
  }
}
