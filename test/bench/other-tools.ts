import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BenchFolder } from './bench-folder.ts';
import { type Measured, measuredOf } from './measure-command.ts';
import { measureProgram, type ProcessCost, ProgramFailed } from './process-cost.ts';

/** The cost of another program for the same data. */
export interface OtherTool {
  readonly name: string;
  readonly result: Measured | string;
  /** Clusters that one run covers. */
  readonly clusters: number;
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

/** JSON.parse, cdk8s and kubectl, over the bundles of a folder. */
export function measureOtherTools(folder: BenchFolder, request: Request): readonly OtherTool[] {
  const { path, scratch, fleet } = folder;
  const [objects, charts] = [join(scratch, 'objects.json'), join(scratch, 'cdk8s')];
  const node = (script: string, ...args: readonly string[]) =>
    measureProgram({
      argv: [process.execPath, join(FLOORS, script), ...args],
      cwd: path,
      keepsOutput: true,
      limitSeconds: request.limitSeconds,
    });
  const { clusters } = JSON.parse(node('objects.mjs', 'out', objects, String(SAMPLE)).stdout) as {
    clusters: number;
  };
  const kustomize = (cluster: string) => () =>
    measureProgram({ argv: ['kubectl', 'kustomize', `out/${cluster}`], cwd: path });
  return [
    {
      name: '`JSON.parse` of the same objects',
      result: repeated(request, () => node('json.mjs', objects)),
      clusters,
    },
    {
      name: 'the same objects through cdk8s (`ApiObject`, `app.synth`)',
      clusters,
      result: !existsSync(PACKAGES)
        ? 'left out: `npm ci --prefix test/bench` was not run'
        : fleet.links > MAX_CDK8S_LINKS * 1.1
          ? `left out above ${MAX_CDK8S_LINKS} links`
          : repeated(request, () => {
              rmSync(charts, { recursive: true, force: true });
              return node('cdk8s.mjs', objects, charts);
            }),
    },
    { name: '`kubectl kustomize` of one leaf', result: repeated(request, kustomize(fleet.leaf)), clusters: 1 },
    { name: '`kubectl kustomize` of one hub', result: repeated(request, kustomize(fleet.hub)), clusters: 1 },
  ];
}

function repeated({ runs, seconds }: Request, run: () => ProcessCost): Measured | string {
  const costs: ProcessCost[] = [];
  const start = performance.now();
  try {
    while (costs.length < runs && performance.now() - start < seconds * 1000) costs.push(run());
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error;
    return `left out: ${error.message}`;
  }
  return measuredOf(costs);
}
