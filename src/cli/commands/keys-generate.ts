import { dirname, resolve } from 'node:path';
import { compile, type Sources } from '../../compile.ts';
import { bug } from '../../diagnostics/bug.ts';
import { andThen } from '../../diagnostics/outcome.ts';
import { newKeyPair } from '../../disk/new-key-pair.ts';
import { writeFileWhole } from '../../disk/write-file-whole.ts';
import { type SecretsFolder, secretsFolder, writeSecrets } from '../../disk/write-secrets.ts';
import type { PublicKeys } from '../../keys/gateway.ts';
import { generateKeys } from '../../keys/generate-keys.ts';
import { missingKeys } from '../../keys/missing-keys.ts';
import { countOf } from '../../report/count-of.ts';
import { parseKeys } from '../../topology/parse-keys.ts';
import { refuseUnknown } from '../compile-topology.ts';
import { findTopology } from '../find-topology.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import type { Call, OptionsOf } from '../options-of.ts';
import { readSources } from '../read-sources.ts';
import { Refusal } from '../refusal.ts';
import { reportDiagnostics } from '../report-diagnostics.ts';

/** `weft keys generate`: pairs for the gateways that have none. */
export async function keysGenerateCommand(host: Host, { args, options }: Call<'keys generate'>): Promise<ExitCode> {
  const files = await findTopology(host.cwd, args[0], options.lock);
  const sources = await readSources(host.cwd, files);
  const compiled = andThen(sources, (it) => compile(it, { relock: [], only: [] }));
  if (!sources.ok || !compiled.ok) {
    await reportDiagnostics(host, options, compiled.diagnostics);
    return EXIT.no;
  }
  const { model } = compiled.value;
  const clusters = options.cluster;
  refuseUnknown(model, clusters);
  const missing = missingKeys(model, clusters.length === 0 ? null : clusters);
  if (missing.length === 0) {
    await host.stderr.write(`Every gateway has a public key in ${files.keys}; there is nothing to do.\n`);
    return EXIT.yes;
  }
  const folder = destination(host, options, files.topology);
  const { keysFile, secrets } = generateKeys({
    missing,
    recorded: recordedKeys(sources.value),
    secretName: model.fleet.keySecretName,
    newPair: newKeyPair,
  });
  // First the private halves, then the record of the public ones: a crash in between leaves Secrets without a use, never a
  // public key whose private half nobody has.
  const where = await deliver(host, folder, secrets);
  await writeFileWhole(resolve(host.cwd, files.keys), keysFile);
  await host.stderr.write(
    [
      `${countOf(missing.length, 'Secret')} for ${countOf(secrets.size, 'cluster')} ${where}; public halves in ${files.keys}.`,
      'Each Secret belongs into the cluster named above it. Nobody else has the private keys: deliver them now.',
      'Next: weft compile',
      '',
    ].join('\n'),
  );
  return EXIT.yes;
}

/** The folder for the Secrets; `null` for stdout. */
function destination(host: Host, options: OptionsOf<'keys generate'>, topology: string): SecretsFolder | null {
  const folder = options.secretsDir;
  if (folder !== undefined) {
    const found = secretsFolder(host.cwd, folder, topology);
    if (found !== null) return found;
    throw new Refusal(
      `${folder} is inside the repository of ${topology}: private keys would be one git add away from everybody`,
      'choose a folder outside of it, or pipe the Secrets to what encrypts them',
    );
  }
  if (host.stdout.isTTY && !options.show) {
    throw new Refusal(
      'stdout is a terminal, and private keys would stay in its history',
      `pipe them to what seals or applies them, or use --secrets-dir DIR outside ${dirname(topology)}, or insist with --show`,
    );
  }
  return null;
}

async function deliver(
  host: Host,
  folder: SecretsFolder | null,
  secrets: ReadonlyMap<string, string>,
): Promise<string> {
  if (folder !== null) {
    const written = await writeSecrets(folder, secrets);
    if (written.kind === 'exists')
      throw new Refusal(
        `${written.path} is there already, and may hold keys that are nowhere else; nothing is written`,
        'deliver what is in it and move it away, or choose another folder',
      );
    return `in ${folder.typed}/ (${countOf(written.paths.length, 'file')}, mode 0600)`;
  }
  const read = await host.stdout.write([...secrets.values()].join(''));
  if (!read) throw new Refusal('nobody read the Secrets to the end; no key is recorded', 'run it again');
  return 'on stdout';
}

function recordedKeys({ keys }: Sources): PublicKeys {
  if (keys === undefined) return new Map();
  const parsed = parseKeys(keys);
  if (!parsed.ok) return bug(`${keys.path} was compiled with, and cannot be read`);
  const byCluster = parsed.value.reading.at('keys').entries();
  return new Map(byCluster.map(({ name, value }) => [name.value, new Map(Object.entries(value.textMap()))]));
}
