import { printAddress } from '../../../base/net/text.ts';
import type { ObservedAssertion } from '../../../reach/probes/judge-answers.ts';
import { isUnexpected } from '../../../reach/probes/judge-answers.ts';
import type { ProbePath, UndialledPath } from '../../../reach/probes/plan-probes.ts';
import { element, svgText } from '../../graph/svg/markup.ts';
import type { Answer } from '../answer.ts';
import { placeRow } from '../diagnostics-document.ts';
import type { LiveNames } from '../live-commands.ts';
import {
  type ConformanceReport,
  pathText,
  predictionText,
  printConformance,
  type ReportedProbe,
  undialledText,
  verdictText,
} from './print-conformance.ts';

/** `weft conformance`. */
export const conformanceAnswer: Answer<'conformance', ConformanceReport & { readonly names: LiveNames }> = {
  text: (report, look) => printConformance(report, { ...look, names: report.names }),
  json: (report) => ({ conformance: conformanceDocument(report) }),
  junit: printJunit,
};

/** The document of `weft conformance -o json`. Programs rely on it: keys are added, never removed or changed in meaning. */
export const conformanceDocument = (report: ConformanceReport): object => ({
  probers: report.probers.map(({ cluster, pod, address }) => ({ cluster, pod, address: printAddress(address) })),
  pairs: report.pairs,
  probes: report.probes.map(probeRow),
  undialled: report.undialled.map(({ from, to, path, why }) => ({ from, to, ...pathRow(path), why })),
  assertions: report.assertions.map(observedRow),
  compared: report.objects.kind === 'compared' ? report.objects.clusters : [],
  others: report.others,
});

const pathRow = (path: ProbePath): object => ({
  path: path.kind,
  link: path.kind === 'direct' ? path.link : null,
  hub: path.kind === 'through' ? path.hub : null,
  namespace: path.kind === 'service' ? path.namespace : null,
});

function probeRow(it: ReportedProbe): object {
  const { probe, verdict, cause } = it;
  const { from, to, path, dialled, predicted, mtuBytes } = probe;
  const isFull = verdict.kind === 'full-packet-lost';
  return {
    from,
    to,
    ...pathRow(path),
    dialled: printAddress(dialled),
    predicted: {
      fate: predicted.kind === 'delivered' ? 'delivered' : predicted.fate,
      source: predicted.kind === 'delivered' ? printAddress(predicted.source) : null,
      mtu: mtuBytes,
    },
    result: verdict.kind,
    receiver: verdict.kind === 'other-receiver' ? { cluster: verdict.cluster, host: verdict.host } : null,
    endpoints: (probe.endpoints?.found ?? []).map(printAddress),
    source: verdict.kind === 'other-source' ? printAddress(verdict.source) : null,
    full: isFull ? { ...verdict.full, pathMtu: verdict.pathMtu } : null,
    message: verdictText(it),
    cause: cause && {
      cluster: cause.cluster,
      peer: cause.problem.peer,
      code: cause.problem.diagnostic.code,
      message: cause.problem.diagnostic.message,
      hint: cause.problem.diagnostic.hint ?? null,
    },
  };
}

const observedRow = ({ assertion, state, pairs, decided, broken }: ObservedAssertion): object => ({
  ...placeRow(assertion.at),
  expect: assertion.expect,
  via: assertion.via,
  state,
  pairs,
  decided,
  broken: broken && { from: broken.from, to: broken.to },
});

/**
 * The report for the tests of a CI system: a suite for each sender, a case for each path; paths that were not dialled are skipped,
 * and clusters without a usable prober are errors.
 */
function printJunit(report: ConformanceReport): string {
  const { probes, undialled, withoutProber, assertions, fleet } = report;
  const senders = [...new Set([...probes.map((it) => it.probe.from), ...undialled.map((it) => it.from)])].sort();
  const suites = [
    ...senders.map((sender) => ({
      name: `from ${sender}`,
      cases: [
        ...probes.filter((it) => it.probe.from === sender).map(probeCase),
        ...undialled.filter((it) => it.from === sender).map(undialledCase),
      ],
    })),
    {
      name: 'probers',
      cases: withoutProber.map((it) => ({ name: it.message, problem: problem('error', it.code, it.message) })),
    },
    { name: 'assertions', cases: assertions.map(assertionCase) },
  ].filter((it) => it.cases.length > 0);
  const body = suites.map(({ name, cases }) =>
    element(
      'testsuite',
      { name, ...countsOf(cases) },
      cases.map((it) => caseElement(name, it)),
    ),
  );
  // Jenkins' schema has no number of skipped cases here.
  const { skipped: _, ...all } = countsOf(suites.flatMap((it) => it.cases));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: `weft conformance ${fleet}`, ...all }, body)}\n`;
}

interface TestCase {
  readonly name: string;
  readonly problem: CaseProblem | null;
}

interface CaseProblem {
  readonly kind: 'failure' | 'error' | 'skipped';
  readonly type: string;
  readonly message: string;
  readonly details: string;
}

const problem = (kind: CaseProblem['kind'], type: string, message: string, details = ''): CaseProblem => ({
  kind,
  type,
  message,
  details,
});

const countsOf = (cases: readonly TestCase[]) => {
  const count = (kind: CaseProblem['kind']): number => cases.filter((it) => it.problem?.kind === kind).length;
  return { tests: cases.length, failures: count('failure'), errors: count('error'), skipped: count('skipped') };
};

function caseElement(suite: string, { name, problem: it }: TestCase): string {
  const inner =
    it === null
      ? []
      : [
          it.kind === 'skipped'
            ? element('skipped', { message: it.message })
            : element(it.kind, { message: it.message, type: it.type }, it.details === '' ? [] : [svgText(it.details)]),
        ];
  return element('testcase', { classname: suite, name }, inner);
}

function probeCase(it: ReportedProbe): TestCase {
  const { probe, cause } = it;
  const name = `${probe.from} to ${probe.to} ${pathText(probe.path)}, ${printAddress(probe.dialled)}`;
  if (!isUnexpected(it)) return { name, problem: null };
  const why =
    cause === null
      ? 'no cause found'
      : `${cause.problem.diagnostic.code}: ${cause.cluster}: ${cause.problem.diagnostic.message}`;
  return {
    name,
    problem: problem('failure', it.verdict.kind, verdictText(it), `predicted: ${predictionText(probe)}; ${why}`),
  };
}

const undialledCase = (it: UndialledPath): TestCase => ({
  name: `${it.from} to ${it.to} ${pathText(it.path)}`,
  problem: problem('skipped', it.why, undialledText(it)),
});

function assertionCase({ assertion, state, broken, pairs, decided }: ObservedAssertion): TestCase {
  const { file, line } = placeRow(assertion.at);
  const name = `${file}:${line}`;
  if (broken !== null) {
    const message = `${broken.from} to ${broken.to} ${pathText(broken.path)}: ${assertion.expect} is expected`;
    return { name, problem: problem('failure', 'assertion', message) };
  }
  if (state === 'holds') return { name, problem: null };
  return { name, problem: problem('skipped', 'assertion', `packets decided ${decided} of ${pairs} pairs`) };
}
