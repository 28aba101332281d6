import { beforeAll, describe, expect, it } from 'vitest';
import { diagnosticsDocument, printJson } from '../../src/answers/report/diagnostics-document.ts';
import { planDocument } from '../../src/answers/report/plan/plan-answer.ts';
import { compile } from '../../src/compile.ts';
import type { Plan } from '../../src/plan/plan-changes.ts';
import { TOPOLOGY } from '../host/cli/memory-host.ts';
import { DELIVERED, EDITS } from '../plan/edits.ts';
import { planBetween, runEdit, stateOf } from '../plan/run-edit.ts';
import { drawn, nightly, runsOf } from '../support/drawn.ts';
import { type CompiledFleet, compiledFleets, keyedFleetNames, keyedFleets } from '../support/fleets.ts';
import { compileGolden, goldenNames } from '../support/golden.ts';
import { faultsOf, fileOf, isMap, JSON_COMMANDS, readSchema, type Schema } from '../support/json-documents.ts';
import { planOf } from '../support/plan-of.ts';
import { answersAbout } from './documents-of-model.ts';
import { partsIn, partsOf } from './parts-of-schema.ts';
import { type PrintedDocument, printedDocuments } from './printed-documents.ts';

const PLAN_FILE = 'plan.schema.json';

const common = readSchema('common.schema.json')['$defs'] as Schema;

/**
 * Parts that no document here reaches: those in closed sets, which `schemas.test.ts` compares with the code, and what
 * needs a real lab or a branch that moves meanwhile. A reached part must be removed.
 */
const ELSEWHERE: readonly RegExp[] = [
  /^#fate = ambiguous$/,
  /^#linkFault\/kind = /,
  /^drift: #uncompared\/why = forbidden$/,
  /^import: #changeGroup\/(kind|effect) = /,
  /^lab: \/removed/,
  /^pr: \/result = outdated$/,
];

/** Plans of what no edit of a topology does. */
function otherPlans(): readonly Plan[] {
  const [edit] = EDITS;
  if (edit === undefined) throw new Error('there are no edits');
  const head = stateOf(runEdit(edit).before);
  const [[path = '', text = ''] = []] = [...head.files].filter(([it]) => it.endsWith('/europe.yaml'));
  const decisions = (head.lock ?? '').trimEnd().split('\n');
  return [
    { ...head, files: new Map([...head.files, [path, text.replace('spec:\n', 'spec:\n\n')]]) },
    { ...head, files: new Map([...head.files, [path, text.replace(/mtu: \d+/, 'mtu: 1')]]) },
    { ...head, lock: `${decisions.slice(0, -1).join('\n')}\n` },
  ]
    .map((base) => planOf({ base, head }))
    .concat(planOf({ base: head, head, demands: { before: null, after: [] } }), withAnyRepository())
    .concat(planBetween(compiledText(TOPOLOGY), compiledText(OTHER_NETWORKS)))
    .concat(planBetween(compiledText(DELIVERED.replace(/ {2}rome:.*\n/, '')), compiledText(DELIVERED)));
}

/** The project of Argo CD allows every repository. */
function withAnyRepository(): Plan {
  const edit = EDITS.find((it) => it.name === 'take-bundles-of-another-revision');
  if (edit === undefined) throw new Error('there is no such edit');
  const head = stateOf(runEdit(edit).before);
  const path = '_argocd/appproject.yaml';
  const text = new Map([...head.files]).get(path) ?? '';
  return planOf({
    base: { ...head, files: new Map([...head.files, [path, text.replace('- "https:', '- "http:')]]) },
    head,
  });
}

/** Services and the internal CIDR are others, which an edit of a fleet that runs cannot have. */
const OTHER_NETWORKS = TOPOLOGY.replace('serviceCIDR: 10.96.0.0/12', 'serviceCIDR: 10.112.0.0/12').replace(
  '{ podCIDR: 10.202.0.0/16 }',
  '{ podCIDR: 10.202.0.0/16, internalCIDR: 10.90.0.0/16 }',
);

function compiledText(text: string) {
  const outcome = compile(
    { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('\n'));
  return outcome.value;
}

describe('what commands print as JSON', () => {
  const documents: PrintedDocument[] = [];

  const add = (command: string, answer: object): void => {
    documents.push({ command, document: JSON.parse(printJson({ ...diagnosticsDocument([]), ...answer })) });
  };

  beforeAll(() => {
    // Without keys there is less to ask about, so some of these are enough, and those that share.
    const isAsked = ({ name }: CompiledFleet, i: number) => i % 10 === 0 || /sharing|answer/.test(name);
    for (const { compiled } of [...drawn(compiledFleets().filter(isAsked)), ...keyedFleets(drawn(keyedFleetNames()))])
      for (const { command, answer } of answersAbout(compiled)) add(command, answer);
    for (const name of drawn(goldenNames())) {
      const { diagnostics } = compileGolden(name);
      documents.push({ command: 'validate', document: JSON.parse(printJson(diagnosticsDocument(diagnostics))) });
    }
    for (const edit of drawn(EDITS)) {
      const { before, after, plan, planOfFiles } = runEdit(edit);
      for (const it of [plan, planOfFiles, planBetween(after, before)]) add('plan', { plan: planDocument(it) });
    }
    for (const it of otherPlans()) add('plan', { plan: planDocument(it) });
  });

  it('is as the schema of the command describes it, and has no key besides', () => {
    const faulty = documents.flatMap(({ command, document }) => {
      const faults = faultsOf(fileOf(command), document);
      return faults.length === 0 ? [] : [{ faults, document: JSON.stringify(document).slice(0, 500) }];
    });
    expect(faulty).toEqual([]);
    expect(documents.length).toBeGreaterThan(runsOf(1000));
  });

  it('has a plan as the file of --plan-json has it', () => {
    const plans = documents.flatMap(({ document }) => (isMap(document) && document['plan'] ? [document['plan']] : []));
    expect(plans.length).toBeGreaterThan(runsOf(100));
    expect(plans.flatMap((it) => faultsOf(PLAN_FILE, it))).toEqual([]);
  });

  nightly('has every key and every value that a schema describes, in some fleet', async () => {
    const printed = [...documents, ...(await printedDocuments())];
    const nameOf = (command: string, part: string): string => {
      const [, definition = ''] = /^#([^/[ ]+)/.exec(part) ?? [];
      return definition in common ? part : `${command}: ${part}`;
    };
    const seen = new Set<string>();
    for (const { command, document } of printed)
      for (const part of partsIn(readCached(command), document)) seen.add(nameOf(command, part));
    const described = JSON_COMMANDS.flatMap((command) =>
      [...partsOf(readCached(command))].map((part) => nameOf(command, part)),
    );
    const unseen = [...new Set(described)].filter((it) => !seen.has(it));
    expect(unseen.filter((it) => !ELSEWHERE.some((one) => one.test(it))).sort()).toEqual([]);
    expect(ELSEWHERE.filter((one) => !unseen.some((it) => one.test(it)))).toEqual([]);
  });
});

const schemas = new Map<string, Schema>();

function readCached(command: string): Schema {
  const known = schemas.get(command) ?? readSchema(fileOf(command));
  schemas.set(command, known);
  return known;
}
