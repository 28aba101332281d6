import { compile } from '../../compile.ts';
import { bug } from '../../diagnostics/bug.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { andThen, failure, type Outcome, outcome } from '../../diagnostics/outcome.ts';
import { printYaml } from '../../emit/print-yaml.ts';
import type { AddressedModel } from '../../ipam/addressed-model.ts';
import { diagnosticsDocument, printJson } from '../../report/diagnostics-document.ts';
import { printReceivedSlices } from '../../report/print-received-slices.ts';
import { printTranslation } from '../../report/print-translation.ts';
import { translationDocument } from '../../report/translation-document.ts';
import { type Source, startOf } from '../../source/source.ts';
import { parseInput } from '../../translate/parse-input.ts';
import { type Reflection, reflectionOf } from '../../translate/reflection.ts';
import { translateEndpoints } from '../../translate/translate-endpoints.ts';
import { type Translation, WAYS } from '../../translate/translation.ts';
import { choosePaint } from '../choose-paint.ts';
import { refuseUnknown } from '../compile-topology.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { readSources } from '../read-sources.ts';
import { Refusal } from '../refusal.ts';
import { reportDiagnostics } from '../report-diagnostics.ts';

/** `weft translate [topology] --in HUB --for LEAF`: what a provider gets of the endpoints that come in on stdin. */
export async function translateCommand(host: Host, { args, options, help }: Call<'translate'>): Promise<ExitCode> {
  const names = { hub: needed(options, 'in'), receiver: needed(options, 'for') };
  if (names.hub === names.receiver) {
    throw new Refusal(`"${names.hub}" reflects nothing to itself`, '--in and --for name two clusters');
  }
  // A person who waits for an answer would wait for ever.
  if (host.stdin.isTTY) return printHelp(host, help);
  const files = await findTopology(host.cwd, args[0], options.lock);
  const compiled = andThen(await readSources(host.cwd, files), (it) => compile(it, { relock: [], only: [] }));
  const translation = compiled.ok
    ? andThen(await readStdin(host), (input) => translate(reflect(compiled.value.model, names), input))
    : failure<Translation>(compiled.diagnostics);
  await reportDiagnostics(host, options, translation.diagnostics);
  await host.stdout.write(print(host, options, translation));
  return translation.ok ? EXIT.yes : EXIT.no;
}

function needed(options: OptionsOf<'translate'>, option: 'in' | 'for'): string {
  const cluster = options[option];
  if (cluster !== undefined) return cluster;
  throw new Refusal(`--${option} is missing`, 'weft translate --in CLUSTER --for CLUSTER < slices.yaml');
}

async function printHelp(host: Host, help: () => string): Promise<ExitCode> {
  await host.stderr.write('nothing is piped into weft translate: stdin is a terminal\n\n');
  await host.stderr.write(help());
  return EXIT.unable;
}

const STDIN = 'stdin';

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
      throw new Refusal('stdin cannot be read', 'pipe EndpointSlices or addresses into weft translate');
    case 'unreadable':
      throw new Refusal(`cannot read stdin: ${read.reason}`, read.hint);
  }
}

function reflect(model: AddressedModel, names: { readonly hub: string; readonly receiver: string }): Reflection {
  refuseUnknown(model, [names.hub, names.receiver]);
  const clusterOf = (name: string) => model.clusters.get(name) ?? bug(`no cluster "${name}" to translate for`);
  const reflection = reflectionOf(model, { hub: clusterOf(names.hub), receiver: clusterOf(names.receiver) });
  if (reflection !== undefined) return reflection;
  throw new Refusal(
    `"${names.hub}" and "${names.receiver}" have no link, so nothing is reflected from one to the other`,
    `weft view ${names.receiver} shows its peers`,
    EXIT.no,
  );
}

const translate = (reflection: Reflection, source: Source): Outcome<Translation> =>
  andThen(parseInput(source), (it) => translateEndpoints(reflection, it));

function print(host: Host, options: OptionsOf<'translate'>, translation: Outcome<Translation>): string {
  const asked = options.output;
  const document = diagnosticsDocument(translation.diagnostics);
  if (!translation.ok) return asked === 'json' ? printJson(document) : '';
  const { value } = translation;
  const ways = WAYS.filter((it) => [undefined, it].includes(options.way));
  const explain = options.explain;
  const { translated } = value;
  const format = asked ?? (translated.kind === 'slices' ? 'yaml' : 'text');
  if (format === 'json') return printJson({ ...document, translation: translationDocument(value, ways) });
  if (format === 'text') {
    return printTranslation(value, { paint: choosePaint(options.color, host.env, host.stdout), explain, ways });
  }
  if (translated.kind === 'addresses') return printYaml(translationDocument(value, ways));
  return printReceivedSlices(value, translated.slices, { explain, ways, printYaml });
}
