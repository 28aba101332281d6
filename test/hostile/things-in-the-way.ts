import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Place {
  readonly folder: string;
  /** Below the folder. */
  readonly path: string;
}

type PutThere = (at: string, place: Place) => void;

const text =
  (of: string | Buffer): PutThere =>
  (at) =>
    writeFileSync(at, of);
const link =
  (target: string): PutThere =>
  (at) =>
    symlinkSync(target, at);

/** The text that was there before, changed; nothing if there was none. */
const changed =
  (change: (before: Buffer) => Buffer): PutThere =>
  (at, { folder, path }) =>
    writeFileSync(at, change(readFileSync(join(folder, BEFORE, path))));

/** The folder with copies of the files that weft wrote. */
export const BEFORE = '../before';

const DEEP = 50_000;

/** Objects at the path of a file or of a folder of weft, by name. */
export const THINGS: Readonly<Record<string, PutThere>> = {
  nothing: () => undefined,
  'an empty file': text(''),
  'a NUL byte': text('\0'),
  'bytes that are not UTF-8': text(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a])),
  'a byte order mark': text('\uFEFF'),
  null: text('null\n'),
  'a number': text('1e999\n'),
  'a list': text('[]\n'),
  'an empty map': text('{}\n'),
  'a map of the wrong types': text(
    '{"version":1,"topology":[],"name":{},"clusters":[null,7],"links":{"a":1},"files":{"a":1},"liqo":3,"pairs":0}\n',
  ),
  'clusters of the wrong types': text(
    '{\n  "version": 1,\n  "topology": "europe",\n  "clusters": { "rome": { "podCIDR": 7, "peers": [[]] }, "milan": null }\n}\n',
  ),
  'a map with the names of a prototype': text(
    '{"__proto__":{"a":1},"constructor":{"prototype":[]},"files":{"__proto__":[]}}\n',
  ),
  'keys that are there twice': text('version: 1\nversion: 1\nclusters: {}\nclusters: {}\n'),
  'a version of the future': text('{"version": 99, "files": {}}\n'),
  'deep lists': text('['.repeat(DEEP)),
  'deep maps': text('{"a":'.repeat(DEEP)),
  'a deep block': text(Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')),
  'aliases of aliases': text(
    `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}\n`,
  ),
  'an alias of itself': text('a: &a [*a]\nclusters: *a\n'),
  'the marks of a merge': changed((it) => {
    const lines = it.toString().split('\n');
    return Buffer.from(
      ['<<<<<<< ours', ...lines.slice(0, 4), '=======', ...lines.slice(0, 3), '>>>>>>> theirs', ...lines].join('\n'),
    );
  }),
  'the first half': changed((it) => it.subarray(0, it.length >> 1)),
  'the second half': changed((it) => it.subarray(it.length >> 1)),
  'itself twice': changed((it) => Buffer.concat([it, it])),
  'one flipped bit': changed((it) => {
    const bytes = Buffer.from(it);
    if (bytes.length > 0) bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 0x10, bytes.length >> 1);
    return bytes;
  }),
  'two gibibytes of nothing': (at) => {
    writeFileSync(at, '');
    truncateSync(at, 2 ** 31);
  },
  'a long line': text('x'.repeat(3_000_000)),
  'a pipe': (at) => void execFileSync('mkfifo', [at]),
  'an empty folder': (at) => mkdirSync(at),
  'a folder with a file': (at) => {
    mkdirSync(at);
    writeFileSync(join(at, 'mine'), 'mine');
  },
  'a folder with a broken link and odd names': (at) => {
    mkdirSync(at);
    symlinkSync('nowhere', join(at, 'link'));
    writeFileSync(Buffer.concat([Buffer.from(`${at}/`), Buffer.from([0xff, 0x0a, 0x1b])]), 'odd');
    writeFileSync(join(at, '-rf *\n$(x)'), 'odd');
  },
  'a link to nothing': link('nowhere'),
  'a link to itself': (at) => symlinkSync(at, at),
  'a link to a file elsewhere': (at, { folder }) => symlinkSync(join(folder, '../elsewhere/file'), at),
  'a link to a folder elsewhere': (at, { folder }) => symlinkSync(join(folder, '../elsewhere'), at),
  'a link to its own folder': link('.'),
  'a link to a device': link('/dev/zero'),
};

/** The paths of weft in the workspace of a test. */
export const PLACES = [
  'rome.json',
  'out',
  'out/.weft',
  'out/.weft/rome.sha256',
  'out/.weft/_fleet.sha256',
  'out/.weft/bundle.json',
  'out/.weft/journal.json',
  'out/.weft/journal.json.new',
  'out/.weft/lock',
  'out/.weft/lock.0123456789abcdef',
  'out/.weft/staging',
  'out/.weft/more.sha256',
  'out/addresses.json',
  'out/README.md',
  'out/rome',
  'out/rome/kustomization.yaml',
  'out/berlin',
  'topologies',
  'topologies/topology.yaml',
  'topologies/topology.lock.yaml',
  'topologies/topology.keys.yaml',
  '.git',
  '.git/HEAD',
  '.git/config',
];

/** Replaces whatever is at a path. */
export function putInTheWay(thing: string, place: Place): void {
  const at = join(place.folder, place.path);
  try {
    rmSync(at, { recursive: true, force: true });
    mkdirSync(dirname(at), { recursive: true });
    THINGS[thing]?.(at, place);
  } catch (error) {
    // An earlier object prevents this one, or there was no text before.
    if (
      !['EEXIST', 'ENOTDIR', 'ENOENT', 'EISDIR', 'ELOOP', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      throw error;
  }
}
