import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workspace } from '../host/cli/memory-host.ts';
import {
  FLEETS,
  filesOfFleet,
  type Names,
  namesOfToday,
  RECORDS,
  record,
  recordAt,
  VERSION,
  versions,
} from './kept.ts';

/** Every file of a fleet with its path: what a repository has once the fleet is compiled. */
type Repository = Readonly<Record<string, string>>;

/** Compiles a fleet, and returns the repository with it. */
async function compiled(folder: string): Promise<Repository> {
  const files = [...filesOfFleet(folder)].map(([name, text]) => [`topologies/${name}`, text]);
  const it = workspace(Object.fromEntries(files));
  expect(await it.weft('compile')).toMatchObject({ code: 0 });
  return repositoryIn(it.folder);
}

const repositoryIn = (folder: string): Repository =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((it) => statSync(join(folder, it)).isFile())
      .sort()
      .map((it) => [it, readFileSync(join(folder, it), 'utf8')]),
  );

/** The parts of a recorded value that another one does not have. Lists of maps are entries of a lock or of a document. */
function missingIn(now: unknown, before: unknown, at = ''): readonly string[] {
  if (typeof before !== 'object' || before === null)
    return before === now ? [] : [`${at}: ${String(before)}, now ${String(now)}`];
  if (typeof now !== 'object' || now === null) return [at];
  return Object.entries(before).flatMap(([key, value]) =>
    missingIn((now as Readonly<Record<string, unknown>>)[key], value, `${at}/${key}`),
  );
}

const LOCK = 'topologies/topology.lock.yaml';

if (RECORDS)
  describe('what this version promises', () => {
    it('is recorded', async () => {
      record('names.json', `${JSON.stringify(namesOfToday(), null, 1)}\n`);
      for (const [name, folder] of Object.entries(FLEETS))
        record(`${name}.json`, `${JSON.stringify(await compiled(folder), null, 1)}\n`);
    });
  });

it('what the version in package.json promises is recorded: npm run stability', () => {
  expect(versions()).toContain(VERSION);
});

describe.each(versions())('what %s has', (version) => {
  it('is there under the same names', () => {
    const today = namesOfToday();
    const before: Names = JSON.parse(recordAt(version, 'names.json'));
    const gone = Object.entries(before).flatMap(([kind, names]) => {
      const known = new Set(today[kind] ?? []);
      return names.filter((name) => !known.has(name)).map((name) => `${kind}: ${name}`);
    });
    expect(
      gone,
      version === VERSION ? 'restore them; until the release, "npm run stability" records again' : '',
    ).toEqual([]);
    expect(Object.values(before).flat().length).toBeGreaterThan(2000);
  });

  describe.each(Object.keys(FLEETS))('of the fleet %s', (fleet) => {
    const before: Repository = JSON.parse(recordAt(version, `${fleet}.json`));

    it('is read without an error, and its lock keeps every decision', async () => {
      const it = workspace(before);
      expect(await it.weft('compile')).toMatchObject({ code: 0 });
      expect(missingIn(parse(it.read(LOCK)), parse(before[LOCK] ?? ''))).toEqual([]);
    });

    it('is planned to become what is compiled today without breaking a flow or a change of trust', async () => {
      const it = workspace(before);
      const { code, stdout } = await it.weft('plan', '-o', 'json');
      expect(code).toBe(0);
      const { plan } = JSON.parse(stdout);
      expect(
        plan.changes.filter(
          (one: { readonly disruptive: boolean; readonly trust: boolean }) => one.disruptive || one.trust,
        ),
      ).toEqual([]);
    });

    it('is replaced by a compile as far as weft wrote it', async () => {
      const it = workspace({ ...before, 'out/rome/note.txt': 'of a person\n' });
      expect(await it.weft('compile')).toMatchObject({ code: 0 });
      expect(await it.weft('compile', '--check')).toMatchObject({ code: 0 });
      expect(it.read('out/rome/note.txt')).toBe('of a person\n');
    });
  });
});

describe('a promise that is broken is noticed', () => {
  it('in a lock', () => {
    const before = { joins: { 'rome/milan': 1 }, ports: [{ cluster: 'rome', port: 30000 }] };
    expect(missingIn(before, before)).toEqual([]);
    expect(missingIn({ ...before, more: 1 }, before)).toEqual([]);
    expect(missingIn({ ...before, joins: { 'rome/milan': 2 } }, before)).toEqual(['/joins/rome/milan: 1, now 2']);
    expect(missingIn({ ...before, ports: [] }, before)).toEqual(['/ports/0']);
  });
});
