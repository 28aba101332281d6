import type { CommandRow, Measured } from './measure-command.ts';
import type { OtherTool } from './other-tools.ts';
import type { CommandProfile } from './profile-commands.ts';
import { type BenchResult, MEMORY_COMMANDS, type SizeResult, type WatchResult } from './run-bench.ts';

/** The machine and the date of the measurement. */
export interface Surroundings {
  readonly lines: readonly string[];
}

const REFERENCES = {
  bare: '`node -e 0`',
  write: 'writing the files',
  read: 'reading and hashing the files',
  topology: '`yaml` reading the topology',
  dumps: '`JSON.parse` of the dumps',
  unchanged: '`compile --check --no-cache`',
} as const;

/** The results as a page. */
export function printResults({ sizes, watch, memory }: BenchResult, { lines }: Surroundings): string {
  return `${[
    '# Benchmarks',
    INTRODUCTION,
    lines.map((it) => `- ${it}`).join('\n'),
    ...sizes.map(printSize),
    ...printSideBySide(sizes.filter((it) => it.otherTools.length > 0)),
    ...(watch === null ? [] : [printWatch(watch, sizes)]),
    ...(sizes.length + memory.length > 1 ? [printMemory([...sizes, ...memory])] : []),
    ...sizes.flatMap((it) => it.profiles.map((profile) => printProfile(it, profile))),
  ].join('\n\n')}\n`;
}

const INTRODUCTION = `Written by \`npm run bench\`; see \`test/bench/bench.ts\` for its flags. Each run is a fresh process. Times are wall times: the
median, and in brackets the fastest and the slowest run. CPU is user and system time of all threads; peak is the most
resident memory. "Times" is the median of wall times divided by that of the reference, which ran directly before it: bare Node;
Node that writes exactly the files of \`out/\` from memory (bare Node and the writing; loading its input is left out); Node that
reads and hashes them; Node that reads the topology with the package \`yaml\`. The goals of issue 11 are for 10,000 links on two
cores, and the first also for 1,000. A slow row has fewer runs: the number is in the table.`;

const seconds = (ms: number): string =>
  ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;

const wall = (it: Measured): string =>
  it.runs === 1 ? seconds(it.wallMs) : `${seconds(it.wallMs)} (${seconds(it.fastestMs)} to ${seconds(it.slowestMs)})`;

const cpu = (it: Measured): string => (it.cpuMs === null ? '' : seconds(it.cpuMs));
const peak = (it: Measured): string => (it.peakMB === null ? '' : it.peakMB.toFixed(0));

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((it) => `| ${it.join(' | ')} |`).join('\n');

const thousands = (n: number): string => n.toLocaleString('en');

function printSize(size: SizeResult): string {
  const hasBefore = size.rows.some((it) => it.before !== null);
  const head = ['command', 'wall', 'runs', 'CPU', 'peak MB', 'times', 'of', 'goal', 'met'];
  const rows = size.rows.map((it) => [...printRow(it), ...(hasBefore ? printBefore(it) : [])]);
  const before = ['before: wall', 'CPU', 'peak MB', 'before / now'];
  const files =
    size.files === 0 ? '' : `, ${thousands(size.files)} files of ${(size.bytes / 1e6).toFixed(1)} million bytes`;
  return [
    `## ${title(size)}`,
    `${thousands(size.links)} links, ${thousands(size.clusters)} clusters${files}.`,
    table([...head, ...(hasBefore ? before : [])], rows),
    ...(size.otherTools.length === 0 ? [] : ['The same data in other programs:', printOtherTools(size)]),
  ].join('\n\n');
}

const title = (size: SizeResult): string => size.title.replace(/\d{4,}/, (it) => thousands(Number(it)));

function printRow({ command, now, reference, ratio }: CommandRow): readonly string[] {
  if (typeof now === 'string') return [command.name, now, '', '', '', '', '', '', ''];
  const isRatioMet = command.goal?.ratio === undefined || (ratio !== null && ratio <= command.goal.ratio);
  const isPeakMet = command.goal?.peakMB === undefined || (now.peakMB !== null && now.peakMB <= command.goal.peakMB);
  const goal = [
    ...(command.goal?.ratio === undefined ? [] : [`${command.goal.ratio} times`]),
    ...(command.goal?.peakMB === undefined ? [] : [`${command.goal.peakMB} MB`]),
  ];
  return [
    command.name,
    wall(now),
    String(now.runs),
    cpu(now),
    peak(now),
    ratio === null ? '' : ratio.toFixed(2),
    `${REFERENCES[command.reference]}${typeof reference === 'string' ? `: ${reference}` : `, ${seconds(reference.wallMs)}`}`,
    goal.join(', '),
    goal.length === 0 ? '' : isRatioMet && isPeakMet ? 'yes' : isRatioMet ? 'not in memory' : 'no',
  ];
}

function printBefore({ now, before }: CommandRow): readonly string[] {
  if (before === null || typeof before === 'string') return [before ?? '', '', '', ''];
  const faster = typeof now === 'string' ? '' : (before.wallMs / now.wallMs).toFixed(1);
  return [`${wall(before)}${before.runs === 1 ? ', 1 run' : ''}`, cpu(before), peak(before), faster];
}

function printOtherTools(size: SizeResult): string {
  const row = ({ name, result, clusters, ratio }: OtherTool): readonly string[] =>
    typeof result === 'string'
      ? [name, result, '', '', '', '', '']
      : [
          ...[name, wall(result), String(result.runs), cpu(result), peak(result)],
          ...[seconds2(result.wallMs / clusters), shownRatio(ratio)],
        ];
  return table(
    ['program', 'wall', 'runs', 'CPU', 'peak MB', 'per cluster', 'times a full compile, per cluster'],
    size.otherTools.map(row),
  );
}

const shownRatio = (ratio: number | null): string => (ratio === null ? 'left out' : ratio.toFixed(2));

/** The ratios of every size beside each other. */
function printSideBySide(sizes: readonly SizeResult[]): readonly string[] {
  const [first] = sizes;
  if (first === undefined) return [];
  const rows = first.otherTools.map(({ name }, i) => [
    name,
    ...sizes.map((it) => shownRatio(it.otherTools[i]?.ratio ?? null)),
  ]);
  const lines = [
    '## Other programs side by side',
    `Wall time for each cluster, as times that of \`weft compile\` into an empty folder, which ran directly before each run of the other program.
weft also assigns every address and port, checks the topology, and replaces folders as a whole; the others only print objects that are given.`,
    table(['program', ...sizes.map(title)], rows),
  ];
  return [lines.join('\n\n')];
}

const seconds2 = (ms: number): string => (ms < 10 ? `${ms.toFixed(2)} ms` : seconds(ms));

function measuredIn(size: SizeResult, name: string): Measured | null {
  const now = size.rows.find((it) => it.command.name === name)?.now;
  return now === undefined || typeof now === 'string' ? null : now;
}

function printMemory(sizes: readonly SizeResult[]): string {
  const sorted = sizes.filter((it) => it.files > 0).sort((a, b) => a.clusters - b.clusters);
  const rows = sorted.map((size) => [
    thousands(size.clusters),
    thousands(size.links),
    ...MEMORY_COMMANDS.map((name) => {
      const measured = measuredIn(size, name);
      return measured === null ? '' : peak(measured);
    }),
  ]);
  return `## Memory over the number of clusters\n\nThe most resident memory, in millions of bytes.\n\n${table(['clusters', 'links', ...MEMORY_COMMANDS], rows)}`;
}

/** A fleet of a thousand links has some more, or fewer. */
const isAbout = (links: number, wanted: number): boolean => Math.abs(links - wanted) <= wanted / 10;

function printWatch(watch: WatchResult, sizes: readonly SizeResult[]): string {
  const size = sizes.find((it) => isAbout(it.links, watch.links));
  const full = size === undefined ? null : measuredIn(size, 'compile, into an empty folder');
  const share = full === null ? '' : (watch.medianMilliseconds / full.wallMs).toFixed(2);
  const ends = (values: readonly number[]): string =>
    `${values[0]} to ${values.at(-1)}, at most ${Math.max(...values)}`;
  const rows = [
    ['from save to done, median', seconds(watch.medianMilliseconds)],
    ['of a full compile (goal: 0.2)', share],
    ['first compile of the same process', seconds(watch.firstMilliseconds)],
    ['live heap, MB, first to last', ends(watch.heapMegabytes)],
    ['resident, MB, first to last', ends(watch.residentMegabytes)],
  ];
  const heading = `## compile --watch, ${thousands(watch.links)} links, ${watch.rebuilds} rebuilds`;
  return `${heading}\n\nEach rebuild follows an edit of one gateway.\n\n${table(['what', 'figure'], rows)}`;
}

function printProfile(size: SizeResult, { name, totalMs, top }: CommandProfile): string {
  const rows = top.map((it) => [
    `\`${it.name}\``,
    `${it.ms.toFixed(0)} ms`,
    `${((100 * it.ms) / totalMs).toFixed(1)} %`,
  ]);
  return `## Profile of ${name}, ${title(size)}\n\nThe ten functions with most time of their own, of ${seconds(totalMs)} of all threads, with the profiler.\n\n${table(['function', 'time', 'share'], rows)}`;
}
