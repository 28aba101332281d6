import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printHeader } from '../../../../src/base/core/generated-files.ts';
import { sha256 } from '../../../../src/host/disk/tree/tree-path.ts';
import type { TreeRequest } from '../../../../src/host/disk/tree/tree-request.ts';
import { writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { putFiles, readTree, withFolder, writtenTree } from './temp-folder.ts';

type Files = Readonly<Record<string, string>>;

const write = (root: string, files: Files, scope: TreeRequest['scope'] = null) =>
  writeTree({ root, files: new Map(Object.entries(files)), scope, lockFile: null }, { waitMilliseconds: 0 });

const header = printHeader('topology.yaml');
const addresses = (views: string) => `{\n  "version": 1,\n  "topology": "europe",\n  "views": [${views}]\n}\n`;

/** A cluster with one file of each kind: shared ones, which have no row in the record, and others. */
const cluster = (name: string): Files => ({
  [`${name}/expected/networks.yaml`]: `${header}networks of ${name}\n`,
  [`${name}/helm-values.yaml`]: `${header}values of ${name}\n`,
  [`${name}/kustomization.yaml`]: `${header}list of ${name}\n`,
});
const entry = (name: string): Files => ({ [`_flux/clusters/${name}/${name}.yaml`]: `${header}flux of ${name}\n` });
const ROME = { ...cluster('rome'), ...entry('rome') };
const FLEET = { '_flux/kustomization.yaml': `${header}fleet\n`, 'addresses.json': addresses('') };
const ALL = { ...ROME, ...cluster('milan'), ...entry('milan'), ...FLEET };
const LEFT = { ...cluster('milan'), ...entry('milan'), ...FLEET };

describe('files that several links share', () => {
  it('are known by their first line, so that they are rewritten, edited or merged', () =>
    withFolder(async (root) => {
      await write(root, ALL);
      putFiles(root, {
        'rome/kustomization.yaml': `${header}<<<<<<< ours\nlist of rome\n=======\n>>>>>>> theirs\n`,
        'addresses.json': addresses('half'),
        '_flux/kustomization.yaml': '',
      });
      expect(await write(root, ALL)).toMatchObject({
        kind: 'written',
        changed: ['_flux/kustomization.yaml', 'addresses.json', 'rome/kustomization.yaml'],
      });
      expect(readTree(root)).toEqual(writtenTree(ALL));
    }));

  it('include the list of a cluster that has a record, whatever somebody wrote into it', () =>
    withFolder(async (root) => {
      await write(root, ALL);
      putFiles(root, { 'rome/kustomization.yaml': 'resources: [edited.yaml]\n' });
      expect(await write(root, ALL)).toMatchObject({ changed: ['rome/kustomization.yaml'] });
    }));

  it('are removed with their cluster', () =>
    withFolder(async (root) => {
      await write(root, ALL);
      expect(await write(root, LEFT)).toMatchObject({ removed: Object.keys(ROME).sort(), keptEdited: [] });
      expect(readTree(root)).toEqual(writtenTree(LEFT));
      expect(await write(root, {})).toMatchObject({ removed: Object.keys(LEFT).sort() });
      expect(readTree(root)).toEqual(writtenTree({}));
    }));

  it('are removed with a cluster that has no other file', () =>
    withFolder(async (root) => {
      const retired = { 'rome/kustomization.yaml': `${header}nothing\n` };
      await write(root, { ...LEFT, ...retired });
      expect(await write(root, LEFT)).toMatchObject({ removed: Object.keys(retired) });
      expect(readTree(root)).toEqual(writtenTree(LEFT));
    }));

  it('are not those of somebody else, in the way or not', () =>
    withFolder(async (root) => {
      await write(root, LEFT);
      putFiles(root, { 'rome/kustomization.yaml': 'mine\n', 'milan/shortcuts/kustomization.yaml': 'mine\n' });
      expect(await write(root, LEFT)).toMatchObject({ removed: [], keptEdited: [] });
      expect(await write(root, ALL)).toMatchObject({ kind: 'refused', problems: [{ kind: 'foreign-file' }] });
      expect(readFileSync(join(root, 'rome/kustomization.yaml'), 'utf8')).toBe('mine\n');
    }));

  it('are not those of a copy of a folder, although it has the same first lines', () =>
    withFolder(async (root) => {
      await write(root, ALL);
      const copy = Object.fromEntries(Object.entries(cluster('rome')).map(([path, it]) => [`copy-of-${path}`, it]));
      putFiles(root, copy);
      expect(await write(root, ALL)).toMatchObject({ removed: [], unchanged: Object.keys(ALL).length });
      for (const path of Object.keys(copy)) expect(existsSync(join(root, path))).toBe(true);
    }));
});

describe('the one record of earlier versions', () => {
  const old = (files: Files): string => {
    const rows = Object.entries(files).map(([path, text]) => [path, sha256(text)]);
    return JSON.stringify({ version: 1, files: Object.fromEntries(rows) });
  };
  const asBefore = async (root: string) => {
    await write(root, ALL);
    rmSync(join(root, '.weft'), { recursive: true });
    putFiles(root, { '.weft/bundle.json': old(ALL) });
  };

  it('is replaced by one for each cluster, and no file changes', () =>
    withFolder(async (root) => {
      await asBefore(root);
      expect(await write(root, ALL)).toMatchObject({ changed: [], created: [], unchanged: Object.keys(ALL).length });
      expect(readTree(root)).toEqual(writtenTree(ALL));
    }));

  it('shows which files are stale, and which were edited', () =>
    withFolder(async (root) => {
      await asBefore(root);
      writeFileSync(join(root, 'rome/helm-values.yaml'), 'mine\n');
      const stale = Object.keys(ROME).filter((it) => it !== 'rome/helm-values.yaml');
      expect(await write(root, LEFT)).toMatchObject({
        removed: stale.sort(),
        keptEdited: ['rome/helm-values.yaml'],
      });
    }));

  it('is moved to the records of all clusters by a run for one of them, also when a merge brought it back', () =>
    withFolder(async (root) => {
      await asBefore(root);
      await write(root, cluster('milan'), ['milan']);
      expect(readTree(root)).toEqual(writtenTree(ALL));
      putFiles(root, { '.weft/bundle.json': old({ 'rome/old.yaml': 'old\n' }), 'rome/old.yaml': 'old\n' });
      await write(root, cluster('milan'), ['milan']);
      expect(existsSync(join(root, '.weft/bundle.json'))).toBe(false);
      expect(await write(root, ALL)).toMatchObject({ removed: ['rome/old.yaml'] });
      expect(readTree(root)).toEqual(writtenTree(ALL));
    }));
});

describe('line ends of Windows', () => {
  const asCrlf = (root: string) => {
    for (const [path, text] of Object.entries(readTree(root)))
      if (!path.endsWith('/')) writeFileSync(join(root, path), text.replaceAll('\n', '\r\n'));
  };

  it('are no difference: nothing is rewritten, and an edit rewrites what it changes', () =>
    withFolder(async (root) => {
      await write(root, ALL);
      asCrlf(root);
      const before = readTree(root);
      expect(await write(root, ALL)).toMatchObject({ created: [], changed: [], removed: [] });
      expect(readTree(root)).toEqual(before);
      const next = { ...ALL, 'rome/helm-values.yaml': `${header}other values\n` };
      expect(await write(root, next)).toMatchObject({ changed: ['rome/helm-values.yaml'] });
    }));

  it('do not make a stale file an edited one', () =>
    withFolder(async (root) => {
      await write(root, ALL);
      asCrlf(root);
      expect(await write(root, LEFT)).toMatchObject({ removed: Object.keys(ROME).sort(), keptEdited: [] });
    }));

  it('do not hide an edit of a stale file, wherever a piece of it ends', () =>
    withFolder(async (root) => {
      const long = `${'x'.repeat((1 << 16) - 1)}\n${'y'.repeat(1 << 16)}\n`;
      const files = { 'rome/a.yaml': long, 'rome/b.yaml': 'b\n', 'rome/c.yaml': 'c\n' };
      await write(root, files);
      asCrlf(root);
      putFiles(root, { 'rome/b.yaml': 'b\r\r\n', 'rome/c.yaml': 'c\r' });
      expect(await write(root, {})).toMatchObject({
        removed: ['rome/a.yaml'],
        keptEdited: ['rome/b.yaml', 'rome/c.yaml'],
      });
    }));
});
