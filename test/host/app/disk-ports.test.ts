import { describe, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { workspace } from '../cli/memory-host.ts';

const request = (root: string, files: Readonly<Record<string, string>>) => ({
  root,
  files: new Map(Object.entries(files)),
  scope: null,
  lockFile: null,
});

describe('the disk behind the ports', () => {
  it('reads and writes by paths from the folder that weft was called in', async () => {
    const { folder, read } = workspace({ 'a/one.yaml': '1', 'a/.hidden': '', 'a/b/two.yaml': '2' });
    const { files, tree } = diskPorts(folder);
    expect(await files.readText('a/one.yaml')).toEqual({ kind: 'ok', text: '1' });
    expect(await files.namesIn('a')).toEqual(['one.yaml']);
    expect(await files.namesIn('c')).toBeUndefined();
    const found = await files.readFolder('a', (path) => path.endsWith('.yaml'));
    expect(found.kind === 'read' && [...found.files]).toEqual([
      ['one.yaml', '1'],
      ['b/two.yaml', '2'],
    ]);
    expect(await tree.write(request('out', { 'rome/x.yaml': 'x\n' }))).toMatchObject({ created: ['rome/x.yaml'] });
    expect(read('out/rome/x.yaml')).toBe('x\n');
  });

  it('names problems by the paths that were given, however they were given', async () => {
    const { folder } = workspace({ 'out/rome/x.yaml': 'not ours\n' });
    const { tree } = diskPorts(folder);
    for (const root of ['out', './out', `${folder}/out`]) {
      const found = await tree.compare(request(root, { 'rome/x.yaml': 'x\n' }));
      const typed = root.startsWith('./') ? 'out' : root;
      expect(found).toMatchObject({ kind: 'refused', problems: [{ path: `${typed}/rome/x.yaml` }] });
    }
  });

  it('knows which texts are those that weft wrote', async () => {
    const { folder } = workspace();
    const { tree } = diskPorts(folder);
    await tree.write(request('out', { 'rome/x.yaml': 'x\n' }));
    const isOurs = tree.writtenByWeft('out');
    expect([isOurs('rome/x.yaml', 'x\n'), isOurs('rome/x.yaml', 'y\n'), isOurs('rome/y.yaml', 'x\n')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
