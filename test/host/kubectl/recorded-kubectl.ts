import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { groupBy } from '../../../src/base/core/collections.ts';

const PROGRAM = new URL('./recorded-kubectl.mjs', import.meta.url).pathname;

interface RecordedItem {
  readonly apiVersion: string;
  readonly kind: string;
}

type Environment = Readonly<Record<string, string>>;

const known = new Map<string, Environment>();

/**
 * The environment of a kubectl that answers from recorded objects.
 *
 * @param clusters objects by the name of the context that leads to them
 */
export function recordedKubectl(clusters: Readonly<Record<string, readonly RecordedItem[]>>): Environment {
  const key = JSON.stringify(clusters);
  const environment = known.get(key) ?? kubectlIn(mkdtempSync(join(tmpdir(), 'weft-recorded-')), clusters);
  known.set(key, environment);
  return environment;
}

function kubectlIn(folder: string, clusters: Readonly<Record<string, readonly RecordedItem[]>>): Environment {
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const [context, items] of Object.entries(clusters)) {
    mkdirSync(join(folder, context));
    for (const [resource, some] of groupBy(items, (it) => [resourceOf(it)]))
      writeFileSync(join(folder, context, resource), JSON.stringify(some));
  }
  mkdirSync(join(folder, 'answers'));
  const path = join(folder, 'kubectl');
  writeFileSync(path, scriptIn(folder));
  chmodSync(path, 0o755);
  return { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
}

/** Keeps each answer that is no error, as a start of Node takes longer than all that it does here. */
const scriptIn = (folder: string): string => `#!/bin/sh
IFS=_
# A list of many kinds is longer than a name of a file may be.
kept="${folder}/answers/$(printf %s "$*" | tr , /)"
[ ! -e "$kept" ] || exec cat "$kept"
case $* in
  *--output=json*) ;;
  *) exec '${process.execPath}' '${PROGRAM}' '${folder}' "$@" ;;
esac
mkdir -p "\${kept%/*}"
'${process.execPath}' '${PROGRAM}' '${folder}' "$@" >"$kept.$$" || { status=$?; rm "$kept.$$"; exit "$status"; }
mv "$kept.$$" "$kept"
exec cat "$kept"
`;

/** `identities.authentication.liqo.io`, `secrets`. */
function resourceOf({ apiVersion, kind }: RecordedItem): string {
  const [group, version] = apiVersion.split('/');
  return `${pluralOf(kind)}${version === undefined ? '' : `.${group}`}`;
}

function pluralOf(kind: string): string {
  // The name in the CRD.
  if (kind === 'PublicKey') return 'publickeies';
  return kind.toLowerCase().replace(/y$/, 'ie').concat('s');
}
