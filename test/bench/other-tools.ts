import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type BenchFolder, emptyOut, runWeft } from './bench-folder.ts';
import { type Measured, measuredOf } from './measure-command.ts';
import { median } from './median.ts';
import { measureProgram, type ProcessCost, ProgramFailed } from './process-cost.ts';

/** The cost of another program for the same data. */
export interface OtherTool {
  readonly name: string;
  readonly result: Measured | string;
  /** Clusters that one run covers. */
  readonly clusters: number;
  /** Wall time for each cluster, divided by that of a full compile that ran directly before; the median. */
  readonly ratio: number | null;
}

const FLOORS = resolve('test/bench/floors');
const PACKAGES = resolve('test/bench/node_modules');

/** Clusters whose YAML is parsed to learn what JSON of the fleet weighs. */
const SAMPLE = 300;
/** Beyond that cdk8s takes minutes. */
const MAX_CDK8S_LINKS = 1_000;

interface Request {
  readonly runs: number;
  readonly seconds: number;
  readonly limitSeconds: number;
}

interface Tool {
  readonly name: string;
  readonly clusters: number;
  readonly run: () => ProcessCost;
  /** The reason why it is not run. */
  readonly leftOut?: string | undefined;
}

/**
 * The programs that a user would otherwise print the objects of a fleet with: cdk8s, jsonnet, Helm and kustomize, and `JSON.parse` as
 * their floor. A full compile of weft runs before each run of them.
 */
export function measureOtherTools(folder: BenchFolder, request: Request): readonly OtherTool[] {
  const { path, scratch, fleet } = folder;
  const [objects, printed] = [join(scratch, 'objects.json'), join(scratch, 'printed')];
  const { limitSeconds } = request;
  const program = (...argv: readonly string[]) => measureProgram({ argv, cwd: path, keepsOutput: false, limitSeconds });
  const node = (script: string, ...args: readonly string[]) =>
    measureProgram({
      argv: [process.execPath, join(FLOORS, script), ...args],
      cwd: path,
      keepsOutput: true,
      limitSeconds,
    });
  const { clusters } = JSON.parse(node('objects.mjs', 'out', objects, String(SAMPLE)).stdout) as { clusters: number };
  const anew = (run: () => ProcessCost) => () => {
    rmSync(printed, { recursive: true, force: true });
    return run();
  };
  const inputs = writeInputs(folder, objects);
  const kustomize = (target: string) => () => program('kubectl', 'kustomize', target);
  const tools: readonly Tool[] = [
    { name: '`JSON.parse` of the same objects', clusters, run: () => node('json.mjs', objects) },
    {
      name: 'the same objects through cdk8s (`ApiObject`, `app.synth`)',
      clusters,
      run: anew(() => node('cdk8s.mjs', objects, printed)),
      leftOut: !existsSync(PACKAGES)
        ? 'left out: `npm ci --prefix test/bench` was not run'
        : fleet.links > MAX_CDK8S_LINKS * 1.1
          ? `left out above ${MAX_CDK8S_LINKS} links`
          : undefined,
    },
    {
      name: 'the same objects through jsonnet (`std.manifestYamlStream`, a file for each cluster)',
      clusters,
      run: anew(() => program('jsonnet', '--create-output-dirs', '-S', '-m', printed, inputs.jsonnet)),
    },
    {
      name: 'the same objects through Helm (`toYaml`, a template for the fleet)',
      clusters,
      run: () => program('helm', 'template', 'bench', inputs.chart, '--values', objects),
    },
    { name: '`kubectl kustomize` of one leaf', clusters: 1, run: kustomize(`out/${fleet.leaf}`) },
    { name: '`kubectl kustomize` of one hub', clusters: 1, run: kustomize(`out/${fleet.hub}`) },
    {
      // Names repeat between clusters, which one kustomization refuses.
      name: '`kubectl kustomize` of the whole fleet, one cluster after the other',
      clusters,
      run: () => program('sh', '-ec', 'for it in out/[!._]*/; do kubectl kustomize "$it"; done'),
    },
  ];
  return tools.map((it) => inTurns(folder, it, request));
}

/** The sources of the same objects for programs that need some. */
function writeInputs({ scratch }: BenchFolder, objects: string) {
  const [jsonnet, chart] = [join(scratch, 'fleet.jsonnet'), join(scratch, 'chart')];
  writeFileSync(
    jsonnet,
    `local clusters = import '${relative(scratch, objects)}';
{ [name + '.yaml']: std.manifestYamlStream(clusters[name]) for name in std.objectFields(clusters) }
`,
  );
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: bench\nversion: 0.1.0\n');
  writeFileSync(
    join(chart, 'templates/fleet.yaml'),
    '{{- range $cluster, $objects := .Values }}\n{{- range $objects }}\n---\n{{ toYaml . }}\n{{- end }}\n{{- end }}\n',
  );
  return { jsonnet, chart };
}

function inTurns(folder: BenchFolder, tool: Tool, { runs, seconds, limitSeconds }: Request): OtherTool {
  const { name, clusters, leftOut } = tool;
  const costs: ProcessCost[] = [];
  const ratios: number[] = [];
  const start = performance.now();
  try {
    while (leftOut === undefined && costs.length < runs && performance.now() - start < seconds * 1000) {
      emptyOut(folder);
      const compiled = runWeft(folder, ['compile'], { limitSeconds });
      const cost = tool.run();
      costs.push(cost);
      ratios.push(cost.wallMs / clusters / (compiled.wallMs / folder.fleet.clusters));
    }
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    return { name, clusters, result: `left out: ${error.message}`, ratio: null };
  }
  return leftOut === undefined
    ? { name, clusters, result: measuredOf(costs), ratio: median(ratios) }
    : { name, clusters, result: leftOut, ratio: null };
}
