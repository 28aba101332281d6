import { describe, expect, it } from 'vitest';
import { schemaText } from '../../../src/host/app/editor-schema.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'schemas/topology.schema.json';
const modeline = (schema: string): string => `# yaml-language-server: $schema=${schema}\n${TOPOLOGY}`;
const FLEET = { 'topologies/topology.yaml': modeline(`../${PATH}`) };
const OLDER = schemaText().replace('podCIDR', 'podCidr');
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
    expect(it.read(PATH)).toBe(schemaText());
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
    expect(it.read('fleet/topologies/asia.json')).toBe(schemaText());
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
  expect(outdated.read(PATH)).toBe(schemaText());
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
    ['is that of this weft', { ...FLEET, [PATH]: schemaText() }],
    ['is indented in another way', { ...FLEET, [PATH]: JSON.stringify(JSON.parse(schemaText())) }],
    ['is not of weft', { ...FLEET, [PATH]: '{}' }],
    ['is not there', FLEET],
    ['is not named', { 'topologies/topology.yaml': TOPOLOGY, [PATH]: OLDER }],
  ])('notes nothing where the schema %s', async (_, files) => {
    const { code, stderr } = await workspace(files).weft('validate', '--verbose');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('other-schema')]);
  });
});
