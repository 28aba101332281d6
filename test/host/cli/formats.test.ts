import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { gitFolder } from '../../support/git-folder.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const { schema } = JSON.parse(readFileSync(new URL('../../support/sarif-schema-2.1.0.json', import.meta.url), 'utf8'));
// It is of draft 4, which names itself by `id`; nothing else in it is different in draft 7. One of its patterns has a bracket
// too many, which only the older reading of patterns lets pass.
const { id, $schema, ...draft7 } = schema;
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
formats.default(ajv);
const isSarif = ajv.compile({ $id: id, ...draft7 });

const COMMANDS = ['validate', 'compile --check', 'plan', 'verify', 'pr check --base HEAD'];

/** Text that tries to be something else where it is quoted. */
const HOSTILE = TOPOLOGY.replace('hub: europe', 'hub: "%0A::error::x, y: \\u001b[31m\\n::warning::z"');
const ACCEPTING = `${TOPOLOGY}accept: [{ code: keys/missing, reason: "later %0A::error::x \\"y\\"" }]\n`;
const WITHOUT_SHORTCUT = TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '');

/** A repository with the topology. */
function fleet() {
  const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
  const { init, commit } = gitFolder(it.folder);
  init();
  commit();
  return { ...it, commit };
}

/** Each with what the commands must have found something in. */
const CASES = [
  ['a topology with errors', (it: ReturnType<typeof fleet>) => it.write('topologies/topology.yaml', HOSTILE)],
  ['a fleet that is not compiled', (it: ReturnType<typeof fleet>) => it.write('out/.keep', '')],
  [
    'a fleet that accepts warnings',
    (it: ReturnType<typeof fleet>) => {
      it.write('topologies/topology.yaml', ACCEPTING);
      it.write('out/.keep', '');
    },
  ],
  [
    'an edit that breaks flows, and a file edited by hand',
    async (it: ReturnType<typeof fleet>) => {
      await it.weft('compile');
      it.commit();
      it.write('topologies/topology.yaml', WITHOUT_SHORTCUT);
      it.write('out/rome/nftables/europe.nft', `${it.read('out/rome/nftables/europe.nft')}drop\n`);
    },
  ],
] as const;

describe.each(CASES)('for %s, every command', (_, prepare) => {
  it('prints SARIF as its schema wants it, and a workflow command a line', async () => {
    const it = fleet();
    await prepare(it);
    for (const command of COMMANDS) {
      const { stdout, code } = await it.weft(...command.split(' '), '-o', 'sarif');
      const log = JSON.parse(stdout);
      isSarif(log);
      expect(isSarif.errors ?? [], command).toEqual([]);
      const errors = log.runs[0].results.filter((result: { level: string }) => result.level === 'error');
      // Only the exit code reports errors outside of files.
      if (errors.length > 0) expect(code, command).toBe(1);

      const lines = (await it.weft(...command.split(' '), '-o', 'github')).stdout.trimEnd().split('\n');
      for (const line of lines) {
        expect(line, command).toMatch(
          /^::(error|warning|notice) file=[^:,]+,line=\d+,endLine=\d+,(col=\d+,endColumn=\d+,)?title=[a-z0-9/-]+::\S/,
        );
      }
    }
  });
});

it('refuses what is not SARIF, so the schema is at work', () => {
  expect(isSarif({ version: '2.1.0', runs: [{ tool: { driver: {} }, results: [] }] })).toBe(false);
  expect(isSarif({ version: '2.1.0', runs: [], more: 1 })).toBe(false);
});

it('tells broken promises of plan and verify in SARIF', async () => {
  const it = fleet();
  await CASES[3][1](it);
  const rules = async (command: string): Promise<readonly string[]> =>
    JSON.parse((await it.weft(command, '-o', 'sarif')).stdout).runs[0].results.map(
      (result: { ruleId: string }) => result.ruleId,
    );
  expect((await rules('plan')).some((rule) => rule.startsWith('plan/'))).toBe(true);
  expect((await rules('verify')).some((rule) => rule.startsWith('verify/'))).toBe(true);
});
