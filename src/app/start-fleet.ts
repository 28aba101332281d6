import { basename, join } from 'node:path';
import { initFiles } from './init/init-files.ts';
import type { Refusal } from './refusal.ts';

export interface StartPorts {
  /** Absolute path of a folder that a user named. */
  readonly absolute: (folder: string) => string;
  readonly exists: (path: string) => boolean;
  /** Creates its parent folders as well. */
  readonly writeFile: (path: string, text: string) => Promise<void>;
}

type StartResult =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'started'; readonly folder: string; readonly written: readonly string[] };

/** Writes a starter topology, its schema for editors, and a workflow that checks pull requests. */
export async function startFleet(ports: StartPorts, folder: string): Promise<StartResult> {
  const files = initFiles(fleetName(ports.absolute(folder)));
  const there = files.filter((it) => ports.exists(join(folder, it.path)));
  const existing = there.filter((it) => !it.mayStay).map((it) => join(folder, it.path));
  if (existing.length > 0) return { kind: 'refused', refusal: { kind: 'files-exist', paths: existing } };
  const wanted = files.filter((it) => !there.includes(it));
  for (const { path, text } of wanted) await ports.writeFile(join(folder, path), text);
  return { kind: 'started', folder, written: wanted.map((it) => join(folder, it.path)) };
}

/** The name of the folder if it is a valid fleet name, so that fleets have different names from the start. */
function fleetName(folder: string): string {
  const name = basename(folder).toLowerCase();
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 40 ? name : 'europe';
}
