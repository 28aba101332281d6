import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = new URL('../src/', import.meta.url).pathname;

/** Who may import whom. A new arrow is argued for in the commit that adds it. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  // What Liqo does, release by release: facts with their sources.
  releases: [],
  source: ['core'],
  net: [],
  text: [],
  // Identities, paths, order and words that several rooms share; a lock key holds a network.
  core: ['net'],
  diagnostics: ['core', 'source'],
  topology: ['core', 'releases', 'source', 'diagnostics', 'net'],
  lock: ['core', 'source', 'diagnostics', 'net'],
  model: ['core', 'releases', 'topology', 'lock', 'diagnostics', 'source', 'net'],
  ipam: ['core', 'releases', 'model', 'lock', 'diagnostics', 'source', 'net'],
  liqo: ['core', 'releases', 'model', 'ipam', 'net', 'text'],
  nftables: ['core', 'releases', 'model', 'ipam', 'net', 'text'],
  gitops: ['core', 'releases', 'model', 'ipam', 'text'],
  // Two files at one path are a bug, which diagnostics/ throws.
  emit: ['core', 'diagnostics', 'model', 'ipam', 'liqo', 'nftables', 'gitops', 'text', 'net'],
  // Both sides of a plan are read from files; what no file says comes from the model.
  plan: ['core', 'releases', 'emit', 'ipam', 'model', 'diagnostics'],
  // Assertions are decided by walking, and a broken one is a mistake with a place: hence the first two.
  trace: ['core', 'releases', 'source', 'diagnostics', 'model', 'ipam', 'nftables', 'net'],
  // What receivers must see is what the walk says, and what gateways load is the emitted text.
  lab: ['core', 'releases', 'model', 'ipam', 'nftables', 'trace', 'net', 'text'],
  // Who peers with whom and which shortcuts the fork lists is asked of liqo/, which lowers the same.
  translate: ['core', 'releases', 'source', 'diagnostics', 'model', 'ipam', 'liqo', 'net'],
  // Reads back what was emitted. No arrow to a room that decides or emits: the proof shares no code with what it proves.
  verify: ['core', 'releases', 'source', 'diagnostics', 'topology', 'lock', 'net'],
  // The Secret must carry the names and labels that its gateway looks for, so those are asked of liqo/.
  keys: ['core', 'releases', 'model', 'liqo', 'text', 'topology', 'source', 'diagnostics'],
  report: [
    'core',
    'releases',
    'source',
    'diagnostics',
    'model',
    'ipam',
    'trace',
    'lab',
    'translate',
    'plan',
    'net',
    'text',
  ],
  // What a pull request says is a printed plan and printed diagnostics, in a template.
  github: ['core', 'plan', 'report', 'diagnostics', 'text'],
  // What touches files, folders and git on behalf of the front ends; it knows no topology.
  disk: ['core', 'diagnostics'],
  // Carries out a plan of lab/ on this machine.
  'lab-host': ['core', 'disk', 'lab', 'net'],
  // Use cases: what the command line, the Action and an editor ask for. It knows no flags, no colours and no exit codes.
  app: [
    ...['core', 'releases', 'source', 'diagnostics', 'net', 'text', 'topology', 'lock', 'model', 'ipam', 'keys'],
    ...['plan', 'trace', 'translate', 'verify', 'lab', 'report', 'github', 'disk', 'lab-host', 'compile.ts'],
    // The schema that `weft init` copies.
    '..',
  ],
  // What the command line and the Action share: the process around them, how they print, and texts of users as requests.
  front: ['app', 'core', 'diagnostics', 'disk', 'github', 'plan', 'report'],
  // Inputs of the GitHub Action as requests.
  action: ['front'],
  cli: ['*'],
  build: ['*'],
  'compile.ts': ['diagnostics', 'emit', 'ipam', 'keys', 'lock', 'model', 'source', 'topology', 'trace'],
};

/** Packages that one room wraps for all others. */
const ONE_ROOM: Readonly<Record<string, string>> = {
  'ip-num': 'net',
  yaml: 'source',
  'jsonc-parser': 'source',
  'handlebars/runtime.js': 'text',
  commander: 'cli',
  '@octokit/rest': 'github',
};

/** Rooms that touch the machine: its clock, chance, process, files and programs. */
const EDGE = ['action', 'front', 'cli', 'disk', 'lab-host', 'build'];

/** What would make the same input give other output, or reach outside. */
const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  'Date.now(': EDGE,
  'new Date(': EDGE,
  'Math.random(': EDGE,
  'process.': EDGE,
  "from 'node:": [...EDGE, 'app'],
  "from 'node:fs": EDGE,
  localeCompare: [],
  toLocaleString: [],
};

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((it) => it.isFile() && it.name.endsWith('.ts') && !it.name.endsWith('.d.ts'))
  .map((it) => join(it.parentPath ?? it.path, it.name).slice(SRC.length))
  .filter((it) => !it.startsWith('generated/'));

const roomOf = (path: string): string => path.split('/')[0] as string;

const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((it) => it[1] as string);

describe('the rooms', () => {
  it.each(files)('%s imports only what its room may', (file) => {
    const room = roomOf(file);
    const allowed = ALLOWED[room];
    expect(allowed, `src/${room} is a room that the table does not know`).toBeDefined();
    const text = readFileSync(join(SRC, file), 'utf8');
    for (const name of importsOf(text)) {
      if (!name.startsWith('.')) {
        const owner = ONE_ROOM[name];
        if (owner && room !== 'build') expect(owner, `${file} imports ${name}`).toBe(room);
        continue;
      }
      const target = roomOf(join(file, '..', name));
      if (target === room || target === 'generated' || allowed?.includes('*')) continue;
      expect(allowed, `${file} imports ${name}`).toContain(target);
    }
  });

  it.each(files)('%s gives the same output whenever and wherever it runs', (file) => {
    const code = readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [word, rooms] of Object.entries(FORBIDDEN)) {
      if (!rooms.includes(roomOf(file))) expect(code.includes(word), `${file} uses ${word}`).toBe(false);
    }
  });

  it('has no cycle between rooms', () => {
    const reach = (room: string, seen: readonly string[]): void => {
      expect(seen, `a cycle: ${[...seen, room].join(' -> ')}`).not.toContain(room);
      for (const next of ALLOWED[room] ?? []) if (next !== '*') reach(next, [...seen, room]);
    };
    for (const room of Object.keys(ALLOWED)) reach(room, []);
  });
});
