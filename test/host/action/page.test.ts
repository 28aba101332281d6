import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ACTION_INPUTS } from '../../../src/host/action/run-action.ts';
import { STEP_OUTPUTS } from '../../../src/host/front/pull-request/actions-context.ts';
import { type ActionFile, actionTables } from './action-table.ts';

const PAGE = new URL('../../../docs/pull-requests.md', import.meta.url);
const BLOCK = /(<!-- inputs and outputs of action\.yml -->\n)([\s\S]*?)(<!-- end of inputs and outputs -->)/;

const action: ActionFile = parse(readFileSync(new URL('../../../action.yml', import.meta.url), 'utf8'));

it('the page about pull requests lists the inputs and outputs of action.yml, recorded with UPDATE_GOLDEN=1', () => {
  const text = readFileSync(PAGE, 'utf8');
  const tables = `\n${actionTables(action)}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'])
    writeFileSync(
      PAGE,
      text.replace(BLOCK, (_, start: string, __, end: string) => `${start}${tables}${end}`),
    );
  expect(BLOCK.exec(readFileSync(PAGE, 'utf8'))?.[2]).toBe(tables);
});

it('action.yml documents what the code reads and writes, and nothing else', () => {
  expect(Object.keys(action.inputs).sort()).toEqual([...ACTION_INPUTS].sort());
  expect(Object.keys(action.outputs).sort()).toEqual([...STEP_OUTPUTS].sort());
});
