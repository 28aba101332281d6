import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const WEFT = fileURLToPath(new URL('../../dist/weft.cjs', import.meta.url));

/** The result of a command line. */
export interface Said {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user with a shell, the built weft, an empty folder, and a home elsewhere. */
export interface Person {
  readonly types: (line: string) => Said;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
  /** The content of the clusters for kubectl: the list of a dump by the name of a context. */
  readonly hasClusters: (dumps: ReadonlyMap<string, string>) => void;
}

/**
 * Answers `get` with the objects of a dump, as kubectl does: as JSON, or as a table of names and labels. Applies what is
 * there, and no Secret whose namespace was not made in that cluster.
 */
const KUBECTL = `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync } = require('node:fs');
const args = process.argv.slice(2);
if (!args.includes('get')) {
  const after = (flag) => args[args.indexOf(flag) + 1];
  const made = process.env.CLUSTERS + '/' + after('--context') + '.namespaces';
  const files = ['-f', '-k', '--patch-file'].filter((it) => args.includes(it)).map(after);
  const missing = files.filter((it) => !existsSync(it)).map((it) => it + ' does not exist');
  const texts = files.filter((it) => it === after('-f') && existsSync(it)).map((it) => readFileSync(it, 'utf8'));
  const needed = texts.flatMap((it) => (it.includes('kind: Secret') ? it.match(/(?<=^  namespace: ).*/gm) : []));
  const there = existsSync(made) ? readFileSync(made, 'utf8') : '';
  const refused = [...missing, ...needed.filter((it) => !there.includes(it)).map((it) => 'namespaces ' + it + ' not found')];
  if (args.includes('namespace')) appendFileSync(made, JSON.stringify(after('namespace')));
  process.stdout.write(refused.join('\\n') || 'applied\\n');
  process.exit(refused.length > 0 ? 1 : 0);
}
const resources = args[args.indexOf('get') + 1].split(',').map((it) => it.split('.')[0]);
const pluralOf = (kind) => (kind.toLowerCase() + 's').replace(/ys$/, 'ies');
const { items } = JSON.parse(readFileSync(process.env.CLUSTERS + '/' + args.find((it) => it.startsWith('--context=')).slice(10) + '.json', 'utf8'));
const [label, value] = args.find((it) => it.startsWith('--selector='))?.slice(11).split('=') ?? [];
const isSelected = ({ metadata: { labels = {} } }) =>
  label === undefined || (label in labels && (value === undefined || labels[label] === value));
const wanted = items.filter((it) => resources.includes(pluralOf(it.kind)) && isSelected(it));
const publicHalf = ({ data: { publicKey } = {}, ...it }) => ({ ...it, data: { publicKey }, partsRead: ['metadata.labels', 'data.publicKey'] });
if (args.some((it) => it.startsWith('--output=go-template=')))
  process.stdout.write(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: wanted.map(publicHalf) }));
else if (!args.includes('--output=json')) {
  const row = ({ namespace, name, labels = {} }) =>
    [namespace, name, 'Opaque', 2, '1d', Object.entries(labels).map((it) => it.join('=')).join(',')].join('   ');
  process.stdout.write(wanted.map((it) => row(it.metadata) + '\\n').join(''));
} else process.stdout.write(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: wanted }));
`;

export function person(): Person {
  const home = mkdtempSync(join(tmpdir(), 'weft-person-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const fleet = join(home, 'fleet');
  const put = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const program = (name: string, text: string) => {
    put(join(home, 'bin', name), text);
    chmodSync(join(home, 'bin', name), 0o755);
  };
  program('weft', `#!/bin/sh\nexec '${process.execPath}' '${WEFT}' "$@"\n`);
  // Installs nothing, but needs the values.
  program('helm', '#!/bin/sh\nwhile [ "$#" -gt 1 ]; do test "$1" != --values || exec cat "$2"; shift; done\n');
  // Seals nothing: what comes in goes out.
  program('kubeseal', '#!/bin/sh\nexec cat\n');
  mkdirSync(fleet);
  const env = {
    PATH: `${join(home, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`,
    HOME: home,
    CLUSTERS: join(home, 'clusters'),
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((it) => [
        [`GIT_${it}_NAME`, 'Ada'],
        [`GIT_${it}_EMAIL`, 'ada@example.com'],
      ]),
    ),
  };
  return {
    types: (line) => {
      const { status, stdout, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', line], {
        cwd: fleet,
        env,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
    read: (path) => readFileSync(join(fleet, path), 'utf8'),
    write: (path, text) => put(join(fleet, path), text),
    hasClusters: (dumps) => {
      program('kubectl', KUBECTL);
      mkdirSync(join(home, 'clusters'), { recursive: true });
      for (const [context, text] of dumps) put(join(home, 'clusters', `${context}.json`), text);
    },
  };
}
