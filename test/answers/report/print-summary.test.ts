import { describe, expect, it } from 'vitest';
import { type CompileReport, describeLockChanges } from '../../../src/answers/report/compile-report.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printSummary } from '../../../src/answers/report/print-summary.ts';

const report: CompileReport = {
  topology: 'topologies/topology.yaml',
  byDefault: true,
  summary: {
    fleet: 'europe',
    clusters: 3,
    hubs: ['europe'],
    retired: [],
    links: { hub: 2, peering: 0, shortcut: 1 },
    sharing: null,
    views: { total: 12, remapped: 5, orderDependent: 4, history: 0 },
    remapped: [
      { cluster: 'rome', peer: 'milan', kind: 'pod', cidr: '10.202.0.0/16', seenAs: '10.61.0.0/16' },
      { cluster: 'europe', peer: 'milan', kind: 'external', cidr: '10.70.0.0/16', seenAs: '10.71.0.0/16' },
    ],
  },
  counts: { errors: 0, warnings: 1, notes: 2 },
  accepted: { errors: 0, warnings: 0, notes: 0 },
  decided: ['12 views', '3 ports'],
  disk: {
    out: 'out',
    created: 2,
    changed: 1,
    removed: 0,
    unchanged: 40,
    lock: 'topologies/topology.lock.yaml',
    lockChanged: true,
  },
  gone: [],
  only: null,
};

describe('the summary of a compile', () => {
  it('says what was decided, what changed on disk, and where to look', () => {
    expect(printSummary(report, plainPaint)).toBe(
      [
        'europe from topologies/topology.yaml',
        '',
        '  clusters   3  hub europe',
        '  links      3  2 hub links, 1 shortcut',
        '  views     12  5 remapped, 4 depend on the order of links',
        '                rome sees    pods of milan      10.202.0.0/16  as 10.61.0.0/16',
        '                europe sees  external of milan  10.70.0.0/16   as 10.71.0.0/16',
        '                and 3 more',
        '  decided       12 views and 3 ports',
        '  files     43  2 created, 1 changed, 40 unchanged in out/; topologies/topology.lock.yaml written',
        '',
        '1 warning above. Run "weft validate" to see 2 notes.',
        'For details: weft view rome',
        '',
      ].join('\n'),
    );
  });

  it('counts what is accepted apart from what is to be looked at', () => {
    const accepted = { errors: 0, warnings: 2, notes: 1 };
    expect(printSummary({ ...report, accepted }, plainPaint)).toContain(
      '\n1 warning above. 2 warnings, 1 note accepted ("weft validate -v" shows the reasons). Run "weft validate" to see 2 notes.\n',
    );
  });

  it('counts loans and namespaces', () => {
    const sharing = { pairs: 3, slices: 4, namespaces: 1 };
    const printed = printSummary({ ...report, summary: { ...report.summary, sharing } }, plainPaint);
    expect(printed).toContain('\n  loans      3  4 slices and 1 namespace offloaded\n');
  });

  it('names a topology that commands do not find by default', () => {
    expect(printSummary({ ...report, topology: 'a.yaml', byDefault: false }, plainPaint)).toContain(
      'weft view a.yaml rome\n',
    );
  });

  it('tells of the gentle way when a cluster is gone', () => {
    const printed = printSummary({ ...report, gone: ['rome'] }, plainPaint);
    expect(printed).toContain('rome is no longer in the topology, so out/rome/ was removed.');
    expect(printed).toContain('`retired: true`');
  });

  it('names the folders that were asked for', () => {
    expect(printSummary({ ...report, only: ['milan', 'rome'] }, plainPaint)).toContain('in out/milan/ and out/rome/');
  });
});

describe('what a lock newly decides', () => {
  const before =
    'version: 1\ndecisions:\n  rome/europe/join: 1\n  rome/europe/view/rome/pod/10.200.0.0/16: 10.200.0.0/16\n';

  it('is counted by kind', () => {
    const after = `${before}  milan/external: 10.1.0.0/20\n  milan/europe/join: 2\n  milan/europe/port/europe: 30001\n  milan/europe/view/milan/pod/10.200.0.0/16: 10.9.0.0/16\n`;
    expect(describeLockChanges(before, after)).toEqual([
      '1 place in the join order',
      '1 view',
      '1 port',
      '1 address block',
    ]);
    expect(describeLockChanges(undefined, before)).toEqual(['1 place in the join order', '1 view']);
  });

  it('is not taken for another kind where a cluster is called like one', () => {
    const after = `version: 1\ndecisions:\n  view/join: 1\n  view/port/join: 1\n  port/view/join: 2\n  port/view/port/view: 30001\n  join/external: 10.1.0.0/20\n`;
    expect(describeLockChanges(undefined, after)).toEqual(['2 places in the join order', '1 port', '1 address block']);
  });

  it('counts what was moved, and nothing when nothing was', () => {
    expect(describeLockChanges(before, before.replace(': 10.200', ': 10.9'))).toEqual(['1 view']);
    expect(describeLockChanges(before, before)).toEqual([]);
  });
});
