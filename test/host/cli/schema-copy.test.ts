import { describe, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { keepClusterNames } from '../../../src/host/app/editor-schema.ts';
import { schemaText } from '../../../src/host/app/editor-schema-text.ts';
import { namesAsWritten } from '../../../src/host/app/schema-names.ts';
import { DiskError } from '../../../src/host/disk/disk-error.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

/** The clusters of `TOPOLOGY`. */
const NAMES = ['europe', 'rome', 'milan'];

const PATH = 'schemas/topology.schema.json';
const modeline = (schema: string): string => `# yaml-language-server: $schema=${schema}\n${TOPOLOGY}`;
const FLEET = { 'topologies/topology.yaml': modeline(`../${PATH}`) };
const OLDER = schemaText(NAMES).replace('podCIDR', 'podCidr');
/** The copy of `weft init` before there was a schema for editors. */
const OLDEST = '{ "$id": "https://weft.dev/schemas/topology.schema.json", "title": "Topology" }\n';

describe('weft init --schema', () => {
  it.each([
    ['the schema of another weft', { ...FLEET, [PATH]: OLDER }],
    ['the schema that was copied at first', { ...FLEET, [PATH]: OLDEST }],
    ['nothing', FLEET],
  ])('writes the schema of this weft over %s, and nothing else', async (_, files) => {
    const it = workspace(files);
    expect(await it.weft('init', '--schema')).toEqual({ code: 0, stdout: `wrote ${PATH}\n`, stderr: '' });
    expect(it.read(PATH)).toBe(schemaText(NAMES));
    expect(it.read('topologies/topology.yaml')).toBe(FLEET['topologies/topology.yaml']);
    expect(await it.weft('init', '--schema')).toEqual({ code: 0, stdout: `${PATH} is up to date\n`, stderr: '' });
  });

  it('writes it where the topologies name it, also in another folder', async () => {
    const it = workspace({
      'fleet/topologies/asia.yaml': modeline('./asia.json'),
      'fleet/topologies/africa.yaml': modeline('../africa.json#'),
      'fleet/topologies/far.yaml': modeline('https://weft.dev/schemas/topology.schema.json'),
    });
    const { stdout } = await it.weft('init', 'fleet', '--schema');
    expect(stdout).toBe('wrote fleet/africa.json\nwrote fleet/topologies/asia.json\n');
    expect(it.read('fleet/topologies/asia.json')).toBe(schemaText(NAMES));
  });

  it.each([
    ['another schema', '{ "$id": "https://example.com/schema.json" }'],
    ['no JSON', 'mine\n'],
    ['JSON that is no map', 'null\n'],
  ])('writes nothing over %s', async (_, text) => {
    const it = workspace({ ...FLEET, [PATH]: text });
    const { code, stderr } = await it.weft('init', '--schema');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${PATH} is not a schema of weft; nothing is written`)]);
    expect(it.read(PATH)).toBe(text);
  });

  it('writes nothing out of the repository', async () => {
    const it = workspace({ 'topologies/topology.yaml': modeline('../../elsewhere.json') });
    expect((await it.weft('init', '--schema')).stdout).toBe(`wrote ${PATH}\n`);
  });

  it('goes alone', async () => {
    expect(await workspace(FLEET).weft('init', '--schema', '--drift')).toMatchObject({ code: 2, stdout: '' });
  });
});

it('weft init replaces the schema of another weft, and no file of somebody else', async () => {
  const outdated = workspace({ [PATH]: OLDER });
  expect((await outdated.weft('init')).stdout).toContain(`wrote ${PATH}\n`);
  expect(outdated.read(PATH)).toBe(schemaText(NAMES));
  const foreign = workspace({ [PATH]: '{}\n' });
  expect((await foreign.weft('init')).code).toBe(0);
  expect(foreign.read(PATH)).toBe('{}\n');
});

describe('weft validate', () => {
  it.each([
    ['of another weft', OLDER],
    ['that was copied at first', OLDEST],
  ])('notes at the first line that the schema for editors is one %s', async (_, text) => {
    const { stdout } = await workspace({ ...FLEET, [PATH]: text }).weft('validate', '-o', 'json');
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
    expect(diagnostics.find((it) => it.code === 'topology/other-schema')).toMatchObject({
      severity: 'note',
      message: `editors check this topology with ${PATH}, which is the schema of another version of weft, or was edited`,
      hint: 'run "weft init --schema"',
      line: 1,
      column: 33,
    });
  });

  it.each([
    ['is that of this weft', { ...FLEET, [PATH]: schemaText(NAMES) }],
    ['is indented in another way', { ...FLEET, [PATH]: JSON.stringify(JSON.parse(schemaText(NAMES))) }],
    ['is not of weft', { ...FLEET, [PATH]: '{}' }],
    ['is not there', FLEET],
    ['is not named', { 'topologies/topology.yaml': TOPOLOGY, [PATH]: OLDER }],
  ])('notes nothing where the schema %s', async (_, files) => {
    const { code, stderr } = await workspace(files).weft('validate', '--verbose');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('other-schema')]);
  });
});

describe('the schema of this weft', () => {
  const written = schemaText(NAMES);

  it('is recognised with any names, without the schema that it would be compared with', () => {
    expect(namesAsWritten(written)).toEqual(['europe', 'milan', 'rome']);
    expect(namesAsWritten(schemaText(['oslo "west"']))).toEqual(['oslo "west"']);
    expect(namesAsWritten(schemaText([]))).toEqual(['europe', 'milan', 'rome']);
  });

  it.each([
    ['edited before the names', OLDER],
    ['edited behind the names', `${written}\n`],
    ['cut off', written.slice(0, -3)],
    ['with names in another order', written.replaceAll('"rome"', '"athens"')],
    ['with an offer that inserts another name', written.replace('"body": "rome"', '"body": "milan"')],
    ['indented in another way', JSON.stringify(JSON.parse(written))],
    ['that is empty', ''],
  ])('is not recognised in a file %s', (_, text) => {
    expect(namesAsWritten(text)).toBeUndefined();
  });
});

describe('the names of clusters in the schema', () => {
  const OSLO = '  oslo: { podCIDR: 10.204.0.0/16 }\n';
  const GROWN = FLEET['topologies/topology.yaml'].replace('shortcuts:', `${OSLO}shortcuts:`);
  const OTHER = modeline(`../${PATH}`).replace('name: europe', 'name: africa').replaceAll('rome', 'cairo');
  const compiled = async (files: Readonly<Record<string, string>>, ...options: readonly string[]) => {
    const it = workspace(files);
    const { code } = await it.weft('compile', ...options);
    expect(code).toBe(0);
    return it;
  };

  it('are those of the fleet: compile adds a line for a new cluster, and one run more writes nothing', async () => {
    const it = await compiled({ 'topologies/topology.yaml': GROWN, [PATH]: schemaText(NAMES) });
    expect(it.read(PATH)).toBe(schemaText([...NAMES, 'oslo']));
    expect(it.read(PATH)).toContain('"label": "oslo"');
    const reindented = JSON.stringify(JSON.parse(it.read(PATH)));
    it.write(PATH, reindented);
    await it.weft('compile');
    expect(it.read(PATH)).toBe(reindented);
    it.write('topologies/topology.yaml', FLEET['topologies/topology.yaml']);
    await it.weft('compile');
    expect(it.read(PATH)).toBe(schemaText(NAMES));
  });

  it('are those of all topologies that name the schema, whichever is compiled', async () => {
    const it = await compiled(
      { 'topologies/topology.yaml': GROWN, 'topologies/africa.yaml': OTHER, [PATH]: schemaText(NAMES) },
      'topologies/africa.yaml',
    );
    expect(it.read(PATH)).toBe(schemaText([...NAMES, 'oslo', 'cairo']));
    expect((await it.weft('init', '--schema')).stdout).toBe(`${PATH} is up to date\n`);
  });

  it('include those of included files', async () => {
    const included = `${FLEET['topologies/topology.yaml']}include: [regions/]\n`;
    const it = await compiled({
      'topologies/topology.yaml': included,
      'topologies/regions/norway.yaml': `version: 1\nclusters:\n${OSLO}`,
      [PATH]: schemaText(NAMES),
    });
    expect(it.read(PATH)).toBe(schemaText([...NAMES, 'oslo']));
  });

  it('are repaired after git has merged the names of two branches', async () => {
    const broken = schemaText([...NAMES, 'oslo']).replace('"label": "oslo",', '"label": "oslo"\n"label": "bergen"');
    const it = await compiled({ 'topologies/topology.yaml': GROWN, [PATH]: broken });
    expect(it.read(PATH)).toBe(schemaText([...NAMES, 'oslo']));
  });

  it.each([
    ['a schema of another weft', OLDER, []],
    ['the schema that was copied at first', OLDEST, []],
    ['a foreign file', '{}\n', []],
    ['a run with --frozen-lock', schemaText(NAMES), ['--frozen-lock']],
    ['a run with --check and --frozen-lock', schemaText(NAMES), ['--check', '--frozen-lock']],
  ])('stay as they are in %s', async (_, text, options) => {
    const it = await compiled({ 'topologies/topology.yaml': GROWN });
    it.write(PATH, text);
    expect((await it.weft('compile', ...options)).code).toBe(0);
    expect(it.read(PATH)).toBe(text);
  });

  it('are a difference for --check, which writes nothing', async () => {
    const it = await compiled({ 'topologies/topology.yaml': GROWN });
    expect((await it.weft('compile', '--check')).code).toBe(0);
    it.write(PATH, schemaText(NAMES));
    const { code, stdout } = await it.weft('compile', '--check', '-o', 'json');
    expect([code, JSON.parse(stdout).results[0].differences]).toEqual([1, [{ action: 'change', file: PATH }]]);
    expect(it.read(PATH)).toBe(schemaText(NAMES));
    expect((await it.weftWith({ env: { CI: 'true' } }, 'compile', '--check')).code).toBe(0);
    await it.weft('compile');
    expect((await it.weft('compile', '--check')).code).toBe(0);
  });

  it('do not fail a run on a disk that is read-only', async () => {
    const it = workspace({ 'topologies/topology.yaml': GROWN, [PATH]: schemaText(NAMES) });
    const { files } = diskPorts(it.folder);
    const tried: string[] = [];
    const writeFile = async (path: string): Promise<void> => {
      tried.push(path);
      throw new DiskError('EROFS', path);
    };
    await keepClusterNames({ files, writeFile }, { path: 'topologies/topology.yaml', text: GROWN });
    expect(tried).toEqual([PATH]);
  });

  it('of a new fleet are those of its starter topology', async () => {
    const it = workspace();
    await it.weft('init');
    expect(it.read(PATH)).toBe(schemaText(NAMES));
  });

  it('of a fleet that init joins are those of its topology', async () => {
    const it = workspace({ 'topologies/topology.yaml': GROWN });
    await it.weft('init');
    expect(it.read(PATH)).toBe(schemaText([...NAMES, 'oslo']));
  });
});
