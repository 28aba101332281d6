/*
 * Everything that weft prints and writes over the fleets of the tests, as hashes: a refactoring must not change one.
 *
 *   npm run frozen                  compares with test/frozen/frozen.txt; exit 1 names what differs
 *   npm run frozen -- --record      writes test/frozen/frozen.txt
 *   npm run frozen -- --texts DIR   also writes the texts themselves, to compare those of two commits with `diff -r`
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runWeft } from '../../src/host/cli/run-weft.ts';
import type { Host } from '../../src/host/front/host.ts';
import { frozenFleets } from './fleets.ts';

const RECORD = join(process.cwd(), 'test/frozen/frozen.txt');

/** The results of one fleet: a hash for each command, by name. */
type Hashes = ReadonlyMap<string, string>;

async function freeze(texts: string | null): Promise<ReadonlyMap<string, Hashes>> {
  const frozen = new Map<string, Hashes>();
  for (const { name, files, calls } of frozenFleets()) {
    const folder = mkdtempSync(join(tmpdir(), 'weft-frozen-'));
    try {
      writeAll(folder, files);
      const printed = new Map<string, string>();
      for (const call of calls) {
        for (const [path, text] of Object.entries(call.files ?? {})) writeAll(folder, { [path]: text });
        const answer = await run(folder, call);
        const group = call.argv.find((it) => !it.startsWith('-')) ?? 'weft';
        printed.set(group, `${printed.get(group) ?? ''}${answer.replaceAll(folder, '<folder>')}`);
      }
      printed.set('files', textOfFolder(folder, files));
      if (texts !== null) for (const [group, text] of printed) writeAll(texts, { [`${name}/${group}.txt`]: text });
      frozen.set(name, new Map([...printed].map(([group, text]) => [group, hashOf(text)])));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return frozen;
}

export interface Call {
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** Files that are written before it runs. */
  readonly files?: Readonly<Record<string, string>>;
}

async function run(cwd: string, { argv, stdin }: Call): Promise<string> {
  const said = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY: false,
    write: async (text: string) => {
      said[name] += text;
      return true;
    },
  });
  const host: Host = {
    cwd,
    env: {},
    version: '9.9.9',
    build: '9.9.9 (01234567)',
    release: null,
    docs: '/weft/docs',
    readBeside: async (name) => `<!doctype html>${name}`,
    pathBeside: (name) => join('dist', name),
    stdin: { isTTY: stdin === undefined, read: async () => ({ kind: 'ok', text: stdin ?? '' }) },
    stdout: { ...output('stdout'), columns: undefined },
    stderr: output('stderr'),
    stdoutTarget: () => ({ kind: 'reader' }),
    onInterrupt: () => () => undefined,
  };
  const code = await runWeft(argv, host);
  return `$ weft ${argv.join(' ')}\n${said.stdout}\n--- stderr, exit ${code}\n${said.stderr}\n`;
}

/** Every file that commands wrote, after all of them. */
function textOfFolder(folder: string, given: Readonly<Record<string, string>>): string {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .map((it) => join(it.parentPath, it.name).slice(folder.length + 1))
    .sort();
  return paths
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const)
    .filter(([path, text]) => given[path] !== text)
    .map(([path, text]) => `=== ${path}\n${text.replaceAll(folder, '<folder>')}`)
    .join('\n');
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const printRecord = (frozen: ReadonlyMap<string, Hashes>): string =>
  [...frozen]
    .map(([name, hashes]) => `${name}\n${[...hashes].map(([group, hash]) => `  ${hash} ${group}\n`).join('')}`)
    .join('');

const args = process.argv.slice(2);
const texts = args.includes('--texts') ? (args[args.indexOf('--texts') + 1] ?? null) : null;
const now = printRecord(await freeze(texts));
if (args.includes('--record')) {
  writeFileSync(RECORD, now);
} else {
  const differing = differences(existsSync(RECORD) ? readFileSync(RECORD, 'utf8') : '', now);
  for (const it of differing) console.log(it);
  console.log(differing.length === 0 ? 'every byte is as recorded' : `${differing.length} differ`);
  if (differing.length > 0) process.exitCode = 1;
}

/** `golden/a-retired-cluster-leaves: plan`, for each hash that only one of two records has. */
function differences(before: string, after: string): readonly string[] {
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.filter((it) => was.get(it) !== is.get(it));
}

function rowsOf(record: string): ReadonlyMap<string, string> {
  let fleet = '';
  const rows = new Map<string, string>();
  for (const line of record.split('\n')) {
    const [, hash, group] = /^ {2}(\S+) (.*)$/.exec(line) ?? [];
    if (hash === undefined) fleet = line;
    else rows.set(`${fleet}: ${group}`, hash);
  }
  return rows;
}
