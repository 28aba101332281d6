import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compareTree } from '../../../../src/host/disk/tree/inspect-tree.ts';
import type { TreeRequest } from '../../../../src/host/disk/tree/tree-request.ts';
import { type TreeResult, writeTree } from '../../../../src/host/disk/tree/write-tree.ts';
import { putFiles, readTree, recordedPaths, withFolder, withoutWriting, writtenTree } from './temp-folder.ts';

type Files = Readonly<Record<string, string>>;

const request = (root: string, files: Files, more: Partial<TreeRequest> = {}): TreeRequest => ({
  root,
  files: new Map(Object.entries(files)),
  scope: null,
  lockFile: null,
  ...more,
});

const write = (root: string, files: Files, more: Partial<TreeRequest> = {}): Promise<TreeResult> =>
  writeTree(request(root, files, more), { waitMilliseconds: 0 });

const written = (more: Partial<Extract<TreeResult, { kind: 'written' }>>) => ({
  kind: 'written',
  created: [],
  changed: [],
  removed: [],
  keptEdited: [],
  unchanged: 0,
  lockChanged: false,
  ...more,
});

/** The tree must be refused with these problems, by kind and path below root, and nothing may change on disk. */
async function expectRefused(root: string, files: Files, problems: readonly string[], more: Partial<TreeRequest> = {}) {
  const before = existsSync(root) ? readTree(root) : undefined;
  for (const result of [await compareTree(request(root, files, more)), await write(root, files, more)]) {
    if (result.kind !== 'refused') throw new Error(`was ${result.kind}`);
    expect(result.problems.map((it) => `${it.kind} ${it.path.replace(`${root}/`, '')}`)).toEqual(problems);
    for (const it of result.problems) {
      expect(it.message).toMatch(/^["a-z].*[^.]$/);
      expect(it.hint).toMatch(/^[a-z].*[^.]$/);
    }
  }
  expect(existsSync(root) ? readTree(root) : undefined).toEqual(before);
}

const ROME = { 'rome/helm-values.yaml': 'rome\n', 'rome/peers/europe/europe.yaml': 'europe\n' };
const MILAN = { 'milan/helm-values.yaml': 'milan\n', 'milan/peers/europe/europe.yaml': 'europe\n' };

describe('a tree in which nothing can be written', () => {
  const onDisk = process.platform === 'win32' ? it.skip : it;
  const files = { ...ROME, ...MILAN };

  onDisk('is written when nothing has to be', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      chmodSync(folder, 0o755);
      await write(root, files);
      await withoutWriting(join(root, '.weft'), async () => {
        expect(await write(root, files)).toEqual(written({ unchanged: 4 }));
        const asked = await writeTree(request(root, files), { waitMilliseconds: 0, mayApply: async () => false });
        expect(asked).toEqual({ kind: 'not-allowed' });
        await expect(write(root, { ...files, 'rome/helm-values.yaml': 'other\n' })).rejects.toMatchObject({
          name: 'DiskError',
          code: 'EACCES',
        });
        await expect(write(root, ROME)).rejects.toMatchObject({ code: 'EACCES' });
      });
    }),
  );
});

describe('writing a tree', () => {
  it('makes out/ with all above it, and its record', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'deep', 'out');
      expect(await write(root, ROME)).toEqual(written({ created: Object.keys(ROME) }));
      expect(readTree(root)).toEqual(writtenTree(ROME));
    }));

  it('writes the same bytes for the same files, whatever their order', () =>
    withFolder(async (folder) => {
      await write(join(folder, 'a'), { ...ROME, ...MILAN });
      await write(join(folder, 'b'), Object.fromEntries(Object.entries({ ...ROME, ...MILAN }).reverse()));
      expect(readTree(join(folder, 'a'))).toEqual(readTree(join(folder, 'b')));
    }));

  it('gives new files mode 0644', () =>
    withFolder(async (root) => {
      const before = process.umask(0o022);
      await write(root, ROME);
      process.umask(before);
      for (const path of [...Object.keys(ROME), '.weft/rome.sha256'])
        expect(statSync(join(root, path)).mode & 0o777).toBe(0o644);
    }));

  it('touches only files whose bytes change', () =>
    withFolder(async (root) => {
      await write(root, ROME);
      const past = new Date(1_000_000_000_000);
      const all = [...Object.keys(ROME), '.weft/rome.sha256'];
      for (const path of all) utimesSync(join(root, path), past, past);
      expect(await write(root, ROME)).toEqual(written({ unchanged: 2 }));
      for (const path of all) expect(statSync(join(root, path)).mtime).toEqual(past);
      const next = { ...ROME, 'rome/helm-values.yaml': 'ROME\n' };
      expect(await write(root, next)).toEqual(written({ changed: ['rome/helm-values.yaml'], unchanged: 1 }));
      expect(statSync(join(root, 'rome/peers/europe/europe.yaml')).mtime).toEqual(past);
      expect(readTree(root)).toEqual(writtenTree(next));
    }));

  it('trusts bytes and not the record: an edited file that is still wanted is rewritten, of the same size too', () =>
    withFolder(async (root) => {
      await write(root, ROME);
      putFiles(root, { 'rome/helm-values.yaml': 'rOme\n', 'rome/peers/europe/europe.yaml': 'longer than before\n' });
      expect(await write(root, ROME)).toEqual(written({ changed: Object.keys(ROME) }));
      expect(readTree(root)).toEqual(writtenTree(ROME));
    }));

  it('puts back a file that somebody deleted', () =>
    withFolder(async (root) => {
      await write(root, ROME);
      rmSync(join(root, 'rome'), { recursive: true });
      expect(await write(root, ROME)).toEqual(written({ created: Object.keys(ROME) }));
      expect(readTree(root)).toEqual(writtenTree(ROME));
    }));

  it('removes stale files of its own with the folders that become empty', () =>
    withFolder(async (root) => {
      await write(root, { ...ROME, ...MILAN });
      expect(await write(root, MILAN)).toEqual(written({ removed: Object.keys(ROME), unchanged: 2 }));
      expect(readTree(root)).toEqual(writtenTree(MILAN));
    }));

  it('leaves an edited stale file, says so once, and calls it somebody else’s from then on', () =>
    withFolder(async (root) => {
      await write(root, { ...ROME, ...MILAN });
      putFiles(root, { 'rome/helm-values.yaml': 'my own\n' });
      expect(await write(root, MILAN)).toEqual(
        written({ removed: ['rome/peers/europe/europe.yaml'], keptEdited: ['rome/helm-values.yaml'], unchanged: 2 }),
      );
      expect(readTree(root)).toEqual({ ...writtenTree(MILAN), 'rome/': '', 'rome/helm-values.yaml': 'my own\n' });
      expect(await write(root, MILAN)).toEqual(written({ unchanged: 2 }));
      await expectRefused(root, { ...ROME, ...MILAN }, ['foreign-file rome/helm-values.yaml']);
    }));

  it('never touches a file that weft did not write', () =>
    withFolder(async (root) => {
      const foreign = { 'README.md': 'mine\n', 'rome/notes.txt': 'mine\n', 'rome/peers/x/y': 'mine\n', '.weft/z': '' };
      putFiles(root, foreign);
      await write(root, ROME);
      await write(root, {});
      expect(readTree(root)).toEqual({
        ...writtenTree({}),
        ...foreign,
        '.weft/': '',
        'rome/': '',
        'rome/peers/': '',
        'rome/peers/x/': '',
      });
    }));

  it('refuses when a foreign file is in the way, names every one, and writes nothing', () =>
    withFolder(async (root) => {
      putFiles(root, { 'rome/helm-values.yaml': 'mine\n', 'rome/peers/europe/europe.yaml': 'EUROPE\n' });
      const lockFile = { path: join(root, 'x.lock.yaml'), text: 'new\n' };
      await expectRefused(
        root,
        { ...ROME, ...MILAN },
        ['foreign-file rome/helm-values.yaml', 'foreign-file rome/peers/europe/europe.yaml'],
        { lockFile },
      );
    }));

  it('adopts a foreign file whose bytes are the wanted ones', () =>
    withFolder(async (root) => {
      putFiles(root, { 'rome/helm-values.yaml': 'rome\n' });
      expect(await write(root, ROME)).toEqual(written({ created: ['rome/peers/europe/europe.yaml'], unchanged: 1 }));
      expect(readTree(root)).toEqual(writtenTree(ROME));
      expect(await write(root, {})).toEqual(written({ removed: Object.keys(ROME) }));
    }));

  it('turns a file into a folder and back when both are its own', () =>
    withFolder(async (root) => {
      await write(root, { a: 'file\n', 'b/c/d': 'x\n', 'b/e': 'y\n' });
      const turned = { 'a/b/c': 'below\n', b: 'file\n' };
      expect(await write(root, turned)).toEqual(written({ created: ['a/b/c', 'b'], removed: ['a', 'b/c/d', 'b/e'] }));
      expect(readTree(root)).toEqual(writtenTree(turned));
    }));

  it('refuses a folder of somebody else where a file goes, and a file where a folder goes', () =>
    withFolder(async (root) => {
      await write(root, { 'a/b': 'ours\n', c: 'ours\n' });
      putFiles(root, { 'a/mine': 'x\n', c: 'edited\n' });
      await expectRefused(root, { a: 'file\n', 'c/d': 'x\n', 'c/e': 'x\n' }, ['directory a', 'not-a-file c']);
      rmSync(join(root, 'a/mine'));
      mkdirSync(join(root, 'a/empty'));
      await expectRefused(root, { a: 'file\n' }, ['directory a']);
    }));

  it.skipIf(process.platform === 'win32')('refuses a pipe where a file goes, without reading it', () =>
    withFolder(async (root) => {
      mkdirSync(join(root, 'rome'));
      execFileSync('mkfifo', [join(root, 'rome/helm-values.yaml')]);
      await expectRefused(root, ROME, ['not-a-file rome/helm-values.yaml']);
    }),
  );
});

describe('one cluster alone', () => {
  const all = { ...ROME, ...MILAN, 'addresses.json': '{}\n' };

  it('gives the bytes of a full compile, and looks at no other folder', () =>
    withFolder(async (root) => {
      await write(root, all);
      // Were milan looked at, these would be rewritten, reported, or refused.
      putFiles(root, { 'milan/helm-values.yaml': 'edited\n' });
      rmSync(join(root, 'milan/peers'), { recursive: true });
      symlinkSync('/nowhere', join(root, 'milan/peers'));
      const next = { 'rome/helm-values.yaml': 'ROME\n', 'rome/new.yaml': 'new\n' };
      expect(await write(root, next, { scope: ['rome'] })).toEqual(
        written({
          created: ['rome/new.yaml'],
          changed: ['rome/helm-values.yaml'],
          removed: ['rome/peers/europe/europe.yaml'],
        }),
      );
      rmSync(join(root, 'milan'), { recursive: true });
      putFiles(root, MILAN);
      expect(readTree(root)).toEqual(writtenTree({ ...MILAN, 'addresses.json': '{}\n', ...next }));
    }));

  it('writes into an empty out/ what a full compile then adds to', () =>
    withFolder(async (root) => {
      await write(root, ROME, { scope: ['rome'] });
      expect(readTree(root)).toEqual(writtenTree(ROME));
      expect(await write(root, all)).toEqual(
        written({ created: ['addresses.json', ...Object.keys(MILAN)], unchanged: 2 }),
      );
      expect(readTree(root)).toEqual(writtenTree(all));
    }));

  it('keeps what a killed full compile announced for others until a full compile settles it', () =>
    withFolder(async (root) => {
      await write(root, ROME);
      // The state after a kill: milan's file in place, in the journal, not yet in the record.
      await write(join(root, '../milan-only'), MILAN);
      const hash = readFileSync(join(root, '../milan-only/.weft/milan.sha256'), 'utf8').match(/[0-9a-f]{64}/)?.[0];
      rmSync(join(root, '../milan-only'), { recursive: true });
      putFiles(root, {
        'milan/helm-values.yaml': 'milan\n',
        '.weft/journal.json': `{"version": 1, "files": {"milan/helm-values.yaml": ["${hash}"]}}`,
      });
      await write(root, ROME, { scope: ['rome'] });
      expect(recordedPaths(root)).toEqual(Object.keys(ROME));
      expect(await write(root, ROME)).toEqual(written({ removed: ['milan/helm-values.yaml'], unchanged: 2 }));
      expect(readTree(root)).toEqual(writtenTree(ROME));
    }));
});

describe('names and links', () => {
  it.each([
    ['', 'bad-path '],
    ['/etc/passwd', 'bad-path /etc/passwd'],
    ['../x', 'bad-path ../x'],
    ['rome/../../x', 'bad-path rome/../../x'],
    ['rome/..', 'bad-path rome/..'],
    ['rome//x', 'bad-path rome//x'],
    ['rome/./x', 'bad-path rome/./x'],
    ['rome/', 'bad-path rome/'],
    ['rome\\x', 'bad-path rome\\x'],
    ['rome/\0', 'bad-path rome/\0'],
    ['c:/x', 'bad-path c:/x'],
    ['.weft/lock', 'bad-path .weft/lock'],
    ['.Weft', 'bad-path .Weft'],
  ])('the path %j never leaves out/', (path, problem) =>
    withFolder((folder) => expectRefused(join(folder, 'out'), { ...ROME, [path]: 'x' }, [problem])),
  );

  it('a scope is a name below out/, too', () =>
    withFolder((folder) => expectRefused(join(folder, 'out'), {}, ['bad-path ..'], { scope: ['..'] })));

  it('a linked cluster folder is refused, and what it leads to is untouched', () =>
    withFolder(async (folder) => {
      const [root, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')];
      putFiles(elsewhere, { 'helm-values.yaml': 'rome\n' });
      mkdirSync(root);
      symlinkSync(elsewhere, join(root, 'rome'));
      await expectRefused(root, { ...ROME, ...MILAN }, ['symbolic-link rome']);
      expect(readTree(elsewhere)).toEqual({ 'helm-values.yaml': 'rome\n' });
    }));

  it('a linked file is refused even when it leads to the wanted bytes', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      putFiles(folder, { elsewhere: 'rome\n' });
      mkdirSync(join(root, 'rome'), { recursive: true });
      symlinkSync('../../elsewhere', join(root, 'rome/helm-values.yaml'));
      await expectRefused(root, ROME, ['symbolic-link rome/helm-values.yaml']);
      expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('rome\n');
    }));

  it('a stale file behind a link is not removed', () =>
    withFolder(async (folder) => {
      const [root, elsewhere] = [join(folder, 'out'), join(folder, 'elsewhere')];
      await write(root, { ...ROME, ...MILAN });
      putFiles(elsewhere, { 'helm-values.yaml': 'rome\n', 'peers/europe/europe.yaml': 'europe\n' });
      rmSync(join(root, 'rome'), { recursive: true });
      symlinkSync(elsewhere, join(root, 'rome'));
      expect(await write(root, MILAN)).toEqual(written({ unchanged: 2 }));
      expect(readTree(root)).toEqual({ ...writtenTree(MILAN), rome: `-> ${elsewhere}` });
      expect(Object.keys(readTree(elsewhere))).toContain('peers/europe/europe.yaml');
    }));

  it.each(['.weft', '.weft/bundle.json', '.weft/rome.sha256', '.weft/journal.json', '.weft/lock', '.weft/staging'])(
    'a link at %s is refused',
    (path) =>
      withFolder(async (folder) => {
        const root = join(folder, 'out');
        mkdirSync(join(root, path, '..'), { recursive: true });
        mkdirSync(join(folder, 'elsewhere'));
        symlinkSync(join(folder, 'elsewhere'), join(root, path));
        await expectRefused(root, ROME, [`symbolic-link ${path}`]);
        expect(readTree(join(folder, 'elsewhere'))).toEqual({});
      }),
  );

  it('out/ itself may be a link to a folder, but must lead somewhere', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      symlinkSync(join(folder, 'real'), root);
      await expectRefusedRoot(root, 'symbolic-link');
      mkdirSync(join(folder, 'real'));
      await write(root, ROME);
      expect(readTree(join(folder, 'real'))).toEqual(writtenTree(ROME));
      expect(lstatSync(root).isSymbolicLink()).toBe(true);
    }));

  it('a file at out/ is refused', () =>
    withFolder(async (folder) => {
      putFiles(folder, { out: 'x' });
      await expectRefusedRoot(join(folder, 'out'), 'not-a-file');
    }));

  async function expectRefusedRoot(root: string, kind: string) {
    const result = await write(root, ROME);
    expect(result.kind === 'refused' && result.problems.map((it) => it.kind)).toEqual([kind]);
  }
});

describe('a record that cannot be read', () => {
  it.each([
    ['.weft/bundle.json', `{"version": 1, "files": {"../x": "${'a'.repeat(64)}"}}`],
    ['.weft/milan.sha256', `${'a'.repeat(64)}  ../x\n`],
    ['.weft/milan.sha256', 'no row\n'],
    ['.weft/journal.json', 'half'],
    ['.weft/journal.json', '{"version": 1, "files": {"x": "y"}}'],
  ])('%s with %j is refused, and deleting it helps', (path, text) =>
    withFolder(async (root) => {
      await write(root, ROME);
      putFiles(root, { [path]: text });
      await expectRefused(root, ROME, [`broken-record ${path}`]);
      rmSync(join(root, path));
      expect(await write(root, ROME)).toEqual(written({ unchanged: 2 }));
      expect(readTree(root)).toEqual(writtenTree(ROME));
    }),
  );
});

describe('the lock file', () => {
  it('is written when its bytes differ, and only then', () =>
    withFolder(async (folder) => {
      const root = join(folder, 'out');
      const path = join(folder, 'topologies/topology.lock.yaml');
      const go = (text: string) => write(root, ROME, { lockFile: { path, text } });
      expect(await go('one\n')).toMatchObject({ lockChanged: true });
      utimesSync(path, 1, 1);
      expect(await go('one\n')).toEqual(written({ unchanged: 2 }));
      expect(statSync(path).mtimeMs).toBe(1000);
      expect(await go('two\n')).toEqual(written({ unchanged: 2, lockChanged: true }));
      expect(readTree(join(folder, 'topologies'))).toEqual({ 'topology.lock.yaml': 'two\n' });
    }));

  it('may be a link, which is followed and stays', () =>
    withFolder(async (folder) => {
      putFiles(folder, { 'real.yaml': 'one\n' });
      const path = join(folder, 'topology.lock.yaml');
      symlinkSync('real.yaml', path);
      await write(join(folder, 'out'), ROME, { lockFile: { path, text: 'two\n' } });
      expect(readFileSync(join(folder, 'real.yaml'), 'utf8')).toBe('two\n');
      expect(lstatSync(path).isSymbolicLink()).toBe(true);
      rmSync(join(folder, 'real.yaml'));
      const result = await write(join(folder, 'out'), ROME, { lockFile: { path, text: 'two\n' } });
      expect(result).toMatchObject({ kind: 'refused', problems: [{ kind: 'symbolic-link', path }] });
    }));

  it('is no folder', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, 'lock'));
      const lockFile = { path: join(folder, 'lock'), text: 'x' };
      await expectRefused(join(folder, 'out'), ROME, [`directory ${join(folder, 'lock')}`], { lockFile });
    }));

  it.each([
    ['addresses.json', 'a bundle file of the whole fleet'],
    ['rome/helm-values.yaml', 'a bundle file of a cluster'],
    ['turin/helm-values.yaml', 'a bundle file of a cluster that is not written now'],
    ['rome/peers', 'the folder of a bundle file'],
    ['rome/helm-values.yaml/lock.yaml', 'a path below a bundle file'],
    ['', 'the folder of the bundles'],
    ['.weft/rome.sha256', 'the record'],
    ['.weft/lock', 'the lock of a running process'],
    ['.weft/topology.lock.yaml', "any file in weft's own folder"],
    ['.Weft/topology.lock.yaml', 'the same folder where case is ignored'],
  ])('is not at %j: %s', (path) =>
    withFolder(async (folder) => {
      const files = { ...ROME, 'addresses.json': '{}\n' };
      const lockFile = { path: join(folder, 'out', path), text: 'decisions\n' };
      const problem = `lock-in-the-way ${path === '' ? lockFile.path : path}`;
      await expectRefused(join(folder, 'out'), files, [problem], { lockFile });
    }),
  );

  it('is not at the path of a bundle file that a link leads to', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, 'real'));
      symlinkSync('real', join(folder, 'out'));
      const lockFile = { path: join(folder, 'real/addresses.json'), text: 'decisions\n' };
      const files = { 'addresses.json': '{}\n' };
      await expectRefused(join(folder, 'out'), files, [`lock-in-the-way ${lockFile.path}`], { lockFile });
      expect(readTree(join(folder, 'real'))).toEqual({});
    }));

  it('may be beside the bundles', () =>
    withFolder(async (root) => {
      const lockFile = { path: join(root, 'topology.lock.yaml'), text: 'decisions\n' };
      expect(await write(root, ROME, { lockFile })).toEqual(written({ created: Object.keys(ROME), lockChanged: true }));
      expect(await write(root, ROME, { lockFile })).toEqual(written({ unchanged: 2 }));
      expect(readTree(root)).toEqual({ ...writtenTree(ROME), 'topology.lock.yaml': 'decisions\n' });
    }));

  it('loses what killed processes left beside it, and nothing else', () =>
    withFolder(async (folder) => {
      const dead = Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));
      const path = join(folder, 'a.lock.yaml');
      putFiles(folder, {
        [`.a.lock.yaml.${dead}.weft-new`]: 'half',
        [`.a.lock.yaml.${process.ppid}.weft-new`]: 'of a running one',
        [`.b.lock.yaml.${dead}.weft-new`]: 'of another lock',
      });
      await write(join(folder, 'out'), {}, { lockFile: { path, text: 'x\n' } });
      expect(Object.keys(filesHere(folder))).toEqual([
        `.a.lock.yaml.${process.ppid}.weft-new`,
        `.b.lock.yaml.${dead}.weft-new`,
        'a.lock.yaml',
      ]);
    }));

  const filesHere = (folder: string) =>
    Object.fromEntries(Object.entries(readTree(folder)).filter(([path]) => !path.startsWith('out/')));
});

describe('a disk that says no', () => {
  it('is no excuse for a bug of ours: other errors pass unchanged', () =>
    withFolder(async (root) => {
      const stop = new RangeError('not the disk');
      const throwing = {
        onStep: () => {
          throw stop;
        },
      };
      await expect(writeTree(request(root, ROME), throwing)).rejects.toBe(stop);
      await expect(write(root, { a: '', 'a/b': '' })).rejects.toThrow('both a file and the folder');
      await expect(write(root, MILAN, { scope: ['rome'] })).rejects.toThrow('outside the scope');
      expect(readTree(root)).toEqual({});
    }));
});

describe('many files', () => {
  it('three thousand are written, found unchanged, and removed', () =>
    withFolder(async (root) => {
      const files = Object.fromEntries(
        Array.from({ length: 3000 }, (_, i) => [`c${i % 300}/peers/p${i}.yaml`, `text ${i}\n`]),
      );
      expect(await write(root, files)).toMatchObject({ kind: 'written', unchanged: 0 });
      expect(await write(root, files)).toEqual(written({ unchanged: 3000 }));
      expect(await compareTree(request(root, files))).toMatchObject({ isCurrent: true });
      expect(readTree(root)).toEqual(writtenTree(files));
      await write(root, {});
      expect(readTree(root)).toEqual(writtenTree({}));
    }));
});

describe('comparing a tree', () => {
  it('says what would change, and changes nothing', () =>
    withFolder(async (root) => {
      await write(root, { ...ROME, ...MILAN });
      putFiles(root, { 'milan/helm-values.yaml': 'edited\n' });
      const before = readTree(root);
      const next = {
        'rome/helm-values.yaml': 'ROME\n',
        'rome/new': 'x',
        'rome/peers/europe/europe.yaml': 'europe\n',
      };
      const lockFile = { path: join(root, 'none.yaml'), text: 'x' };
      expect(await compareTree(request(root, next, { lockFile }))).toEqual({
        kind: 'compared',
        created: ['rome/new'],
        changed: ['rome/helm-values.yaml'],
        removed: ['milan/peers/europe/europe.yaml'],
        keptEdited: ['milan/helm-values.yaml'],
        unchanged: 1,
        changedRecords: ['.weft/rome.sha256', '.weft/milan.sha256'],
        lockChanged: true,
        isCurrent: false,
      });
      expect(readTree(root)).toEqual(before);
    }));

  it('a missing, adopted or re-ordered record is a difference', () =>
    withFolder(async (root) => {
      await write(root, ROME);
      const isCurrent = async () => {
        const it = await compareTree(request(root, ROME));
        return it.kind === 'compared' && it.isCurrent;
      };
      expect(await isCurrent()).toBe(true);
      writeFileSync(join(root, '.weft/bundle.json'), '{"version": 1, "files": {}}');
      expect(await isCurrent()).toBe(false);
      rmSync(join(root, '.weft'), { recursive: true });
      expect(await isCurrent()).toBe(false);
      expect(existsSync(join(root, '.weft'))).toBe(false);
    }));
});

describe('a lock that another weft has changed since it was read', () => {
  it('is not overwritten, and nothing else is written either', () =>
    withFolder(async (folder) => {
      const path = join(folder, 'topology.lock.yaml');
      writeFileSync(path, 'theirs\n');
      const root = join(folder, 'out');
      const attempt = (before: string | null) =>
        writeTree(request(root, { 'rome/a.yaml': 'a\n' }, { lockFile: { path, text: 'ours\n', before } }));
      for (const before of ['what we read\n', null]) {
        const result = await attempt(before);
        expect(result.kind === 'refused' && result.problems.map((it) => it.kind)).toEqual(['lock-changed']);
        expect(readFileSync(path, 'utf8')).toBe('theirs\n');
        expect(existsSync(join(root, 'rome'))).toBe(false);
      }
      expect((await attempt('theirs\n')).kind).toBe('written');
      expect(readFileSync(path, 'utf8')).toBe('ours\n');
    }));
});

describe('an output folder that cannot be made', () => {
  it.skipIf(!existsSync('/proc/self'))('is one sentence, not an endless attempt (skipped without /proc)', async () => {
    await expect(writeTree(request('/proc/weft-out', { 'rome/a.yaml': 'a\n' }))).rejects.toThrow(
      /no folder can be created|permission|read-only/i,
    );
  });
});
