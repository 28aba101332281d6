import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runWeft } from '../../src/host/cli/run-weft.ts';
import { memoryHost } from '../host/cli/memory-host.ts';
import { law } from '../laws/law.ts';

const WEFT = fileURLToPath(new URL('../../dist/weft.cjs', import.meta.url));
const KILL_AT = new URL('kill-at.mjs', import.meta.url).href;
const TOPOLOGY_PATH = 'topologies/topology.yaml';
/** The lock, and what a killed run prepared for it. */
const LOCK = /^fleet\/topologies\/(?:topology\.lock\.yaml|\.topology\.lock\.yaml\.\d+\.weft-new)$/;

/** A topology for each of eight numbers: other clusters, networks and links. */
function topologyOf(seed: number): string {
  const cluster = (name: string, i: number): string =>
    `  ${name}: { podCIDR: ${seed & 1 ? '10.202.0.0/16' : `10.${202 + i}.0.0/16`} }\n`;
  const names = ['rome', 'milan', 'oslo'].slice(0, 1 + ((seed >> 1) % 3));
  return `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, gateway: { mtu: ${1300 + (seed % 8)} } }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
${names.map(cluster).join('')}`;
}

/** The events of a fleet: commands of weft, and manual edits below `out/`. */
type Event =
  | { readonly kind: 'edit'; readonly seed: number }
  | { readonly kind: 'run'; readonly argv: readonly string[] }
  | { readonly kind: 'killed'; readonly at: number }
  | { readonly kind: 'commit' | 'checkout' | 'merge' }
  | { readonly kind: Hand; readonly file: number };

const COMPILE = ['compile', '-q', '--allow-destroy', '--allow-empty'];
const RUNS = [
  COMPILE,
  [...COMPILE, '--cluster', 'rome'],
  [...COMPILE, '--cluster', 'europe', '--cluster', 'milan'],
  [...COMPILE, '--relock', 'europe'],
  ['compile', '--check'],
  ['plan', '-q'],
  ['verify', '-q'],
];

class Fleet {
  readonly home = mkdtempSync(join(tmpdir(), 'weft-life-'));
  readonly folder = join(this.home, 'fleet');

  constructor() {
    mkdirSync(join(this.folder, 'topologies'), { recursive: true });
    mkdirSync(join(this.home, 'elsewhere'));
    writeFileSync(join(this.home, 'elsewhere/file'), 'mine\n');
    this.edit(0);
    this.git('init', '-q', '-b', 'main');
    this.git('add', '-A');
    this.git('commit', '-q', '-m', 'start');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  edit(seed: number): void {
    writeFileSync(this.path(TOPOLOGY_PATH), topologyOf(seed));
  }

  git(...args: readonly string[]): boolean {
    const name = ['-c', 'user.name=a', '-c', 'user.email=a@b', '-c', 'core.hooksPath=/dev/null'];
    return spawnSync('git', [...name, ...args], { cwd: this.folder, stdio: 'ignore' }).status === 0;
  }

  /** Runs weft, which ends with 0, 1 or 2 and leaves what is not its own as it is. */
  async weft(argv: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
    const { host, said } = memoryHost(this.folder);
    const before = this.others();
    const code = await runWeft(argv, host);
    const text = `weft ${argv.join(' ')}: ${code}\n${said().stderr}`;
    expect([0, 1, 2], text).toContain(code);
    expect(this.others(), text).toEqual(before);
    return { code, text };
  }

  /** Everything but the lock and what is below `out/`, and there the files of other users. */
  others(): Readonly<Record<string, string>> {
    const isOther = (path: string): boolean =>
      !LOCK.test(path) && (!path.startsWith('fleet/out/') || basename(path).startsWith('mine'));
    const all = Object.entries(contentOf(this.home));
    return Object.fromEntries(all.filter(([it]) => isOther(it) && !/^(?:fleet\/\.git|fresh)\//.test(it)));
  }

  /** Runs weft until its change of the disk with this number; without one that late, to its end. */
  killed(at: number): string {
    const env = { ...process.env, KILL_AT: String(at) };
    const argv = ['--import', KILL_AT, WEFT, ...COMPILE];
    const { status, signal } = spawnSync(process.execPath, argv, { cwd: this.folder, env, stdio: 'ignore' });
    const end = String(status ?? signal);
    expect(['0', '1', '2', 'SIGKILL']).toContain(end);
    return end;
  }

  close(): void {
    execFileSync('chmod', ['-R', 'u+rwX', this.home]);
    rmSync(this.home, { recursive: true, force: true });
  }
}

const below = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort() : [];

/** Regular files below a folder with their texts, links with their targets. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const it of below(folder)) {
    const stat = lstatSync(join(folder, it), { throwIfNoEntry: false });
    if (stat?.isSymbolicLink()) content[it] = `-> ${readlinkSync(join(folder, it))}`;
    else if (stat?.isFile()) content[it] = readFileSync(join(folder, it), 'utf8');
  }
  return content;
}

interface Target {
  readonly fleet: Fleet;
  /** Below `out/`, and on the disk. */
  readonly path: string;
  readonly at: string;
  readonly isFile: boolean;
  readonly number: number;
}

const HANDS = {
  append: ({ at, isFile }) => {
    if (isFile) appendFileSync(at, '# by hand\n');
  },
  empty: ({ at, isFile }) => {
    if (isFile) writeFileSync(at, '');
  },
  delete: ({ at }) => rmSync(at, { recursive: true }),
  'replace by a link': ({ at, fleet }) => {
    rmSync(at, { recursive: true });
    symlinkSync(join(fleet.home, 'elsewhere'), at);
  },
  'replace by a folder': ({ at, path }) => {
    rmSync(at, { recursive: true });
    mkdirSync(at);
    // `.weft/` belongs to weft, whatever is in it.
    if (!path.startsWith('.weft')) writeFileSync(join(at, 'mine'), 'mine\n');
  },
  'read only': ({ at, isFile }) => {
    if (isFile) chmodSync(at, 0o444);
  },
  rename: ({ at }) => renameSync(at, `${at}.old`),
  add: ({ at, path, isFile, number }) => {
    const mine = join(isFile ? dirname(at) : at, `mine-${number % 7}.txt`);
    if (!path.startsWith('.weft') && !existsSync(mine)) writeFileSync(mine, `mine ${number}\n`);
  },
} satisfies Readonly<Record<string, (target: Target) => void>>;

type Hand = keyof typeof HANDS;

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), seed: fc.nat({ max: 47 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('run' as const), argv: fc.constantFrom(...RUNS) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('killed' as const), at: fc.nat({ max: 150 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('commit', 'checkout', 'merge') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom(...(Object.keys(HANDS) as Hand[])), file: fc.nat() }) },
);

/** By hand, at one of the paths below `out/`. */
function byHand(fleet: Fleet, kind: Hand, number: number): void {
  const paths = below(fleet.path('out')).filter((it) => !it.startsWith('.weft/lock'));
  const path = paths[number % Math.max(1, paths.length)];
  if (path === undefined) return;
  const at = fleet.path(`out/${path}`);
  HANDS[kind]({ fleet, path, at, isFile: lstatSync(at).isFile(), number });
}

async function happen(fleet: Fleet, it: Event): Promise<void> {
  switch (it.kind) {
    case 'edit':
      fleet.edit(it.seed);
      break;
    case 'run':
      await fleet.weft(it.argv);
      break;
    case 'killed':
      fleet.killed(it.at);
      break;
    case 'commit':
      fleet.git('add', '-A');
      fleet.git('commit', '-q', '-m', 'a change');
      break;
    case 'checkout':
      fleet.git('checkout', '-q', '-B', 'other', 'HEAD~1');
      break;
    case 'merge':
      // A conflict is left as it is, with its marks.
      fleet.git('merge', '-q', '-m', 'a merge', 'main');
      break;
    default:
      byHand(fleet, it.kind, it.file);
  }
}

/** Follows the hints of a compile: what is in its way is deleted, and then it is run again. */
async function compileAsAdvised(fleet: Fleet): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const { code, text } = await fleet.weft(COMPILE);
    if (code === 0) return;
    const blocked = [
      ...text.matchAll(/(?:^|\s|")((?:out\/|topologies\/topology\.lock)[^\s:",]*|out)(?=[\s:",])/gm),
    ].map((it) => it[1] ?? '');
    expect(blocked, `a refusal names the path to look at\n${text}`).not.toEqual([]);
    for (const path of blocked) rmSync(fleet.path(path), { recursive: true, force: true });
  }
  throw new Error('no compile succeeds, although every hint was followed');
}

describe.skipIf(process.platform === 'win32')('whatever happens to a fleet', () => {
  it('a run is killed at the change of the disk that is asked for', () => {
    const fleet = new Fleet();
    try {
      expect([fleet.killed(0), below(fleet.path('out'))]).toEqual(['SIGKILL', []]);
      expect([fleet.killed(20), existsSync(fleet.path('out/.weft/staging'))]).toEqual(['SIGKILL', true]);
      expect([fleet.killed(10_000), existsSync(fleet.path('out/.weft/staging'))]).toEqual(['0', false]);
    } finally {
      fleet.close();
    }
  });

  law(
    'every answer is one, files of others stay, and following the hints leads to what a fresh compile writes',
    12,
    fc.asyncProperty(fc.array(event, { minLength: 4, maxLength: 14 }), async (events) => {
      const fleet = new Fleet();
      try {
        expect((await fleet.weft(COMPILE)).code).toBe(0);
        fleet.git('add', '-A');
        fleet.git('commit', '-q', '-m', 'compiled');
        for (const it of events) await happen(fleet, it);
        if (readFileSync(fleet.path(TOPOLOGY_PATH), 'utf8').includes('<<<<<<<')) fleet.edit(1);
        await compileAsAdvised(fleet);
        // The topology and the lock in an empty folder.
        expect((await fleet.weft([...COMPILE, '--out', '../fresh'])).code).toBe(0);
        const [is, fresh] = [contentOf(fleet.path('out')), contentOf(join(fleet.home, 'fresh'))];
        expect(is).toMatchObject(fresh);
        const check = await fleet.weft(['compile', '--check']);
        expect(check.code, check.text).toBe(0);
        expect(existsSync(fleet.path('out/.weft/staging'))).toBe(false);
      } finally {
        fleet.close();
      }
    }),
  );
});
