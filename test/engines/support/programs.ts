import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The releases of Liqo whose controllers the loop runs, by the minor that a topology names. */
export const LIQO_RELEASES = { '1.0': '1.0.3', '1.1': '1.1.2', '1.2': '1.2.0' } as const;
export type LiqoMinor = keyof typeof LIQO_RELEASES;

/** Programs of an API server with its controllers, which every run needs. */
export const CONTROL_PLANE = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kubectl', 'openssl'] as const;
/** Programs that install Liqo and play a node of it. */
export const NODE = ['helm', 'unshare'] as const;
/** Programs of Liqo that have no need of a network: the harness runs them where a kubelet would start their containers. */
export const LIQO = ['liqo-controller-manager', 'ipam', 'webhook', 'crd-replicator', 'virtual-kubelet'] as const;
export const FLUX = ['source-controller', 'kustomize-controller', 'git'] as const;
export const ARGO_CD = ['argocd', 'redis-server', 'git'] as const;
export const EXTERNAL_SECRETS = ['external-secrets'] as const;
export const SEALED_SECRETS = ['sealed-secrets-controller', 'kubeseal'] as const;

/** The folder with the programs and charts that are not on the path, if there is one. */
export function enginesFolder(): string | null {
  return process.env['WEFT_ENGINES'] ?? null;
}

/** The path of a program: in `WEFT_ENGINES`, in its `bin/`, or on the path. Null: nowhere. */
export function findProgram(name: string): string | null {
  const engines = enginesFolder();
  const folders = [
    ...(engines === null ? [] : [engines, join(engines, 'bin')]),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.map((it) => join(it, name)).find(isProgram) ?? null;
}

export function program(name: string): string {
  const found = findProgram(name);
  if (found === null) throw new Error(`${name} is neither in WEFT_ENGINES nor on the path`);
  return found;
}

/** A program of Liqo in a release: `liqo-1.2.0/ipam` in `WEFT_ENGINES`. */
export function liqoProgram(version: string, name: string): string {
  return program(join(`liqo-${version}`, name));
}

/** The chart of Liqo in a release: `liqo-1.2.0/chart` in `WEFT_ENGINES`. */
export function liqoChart(release: LiqoMinor): string {
  const folder = join(enginesFolder() ?? '', `liqo-${LIQO_RELEASES[release]}`, 'chart');
  return folder;
}

/** Which of the programs are missing, as a reason to skip what needs them. Null: none is. */
export function missingPrograms(names: readonly string[]): string | null {
  const missing = [...new Set(names)].filter((it) => findProgram(it) === null);
  if (missing.length === 0) return null;
  const reason = `without ${missing.join(', ')} (test/engines/README.md says how to get them)`;
  // With all of them fetched, a loop that is left out is a fault.
  if (process.env['WEFT_ENGINES_REQUIRED'] !== undefined) throw new Error(reason);
  return reason;
}

/** The programs that a run of Liqo's controllers lacks, as a reason to skip it. Null: nothing. */
export function missingLiqo(release: LiqoMinor): string | null {
  const folder = `liqo-${LIQO_RELEASES[release]}`;
  const chart = join(liqoChart(release), 'Chart.yaml');
  const missing = missingPrograms([...CONTROL_PLANE, ...NODE, ...LIQO.map((it) => join(folder, it))]);
  return missing ?? (isReadable(chart) ? null : `without ${join(folder, 'chart')} in WEFT_ENGINES`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
