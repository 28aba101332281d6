import { isBundleFile, printBundlePath } from '../base/core/bundle-path.ts';
import { type FolderFiles, folderFiles, inFolders } from '../base/core/folder-files.ts';
import { validateAddresses } from '../base/generated/validators.js';
import type { AddressesFile } from '../base/schema-types/addresses.ts';
import type { PlanState, TopologyFacts } from './plan-state.ts';
import type { Files } from './state-texts.ts';

/** Files below `out/`, a lock, and what is known of the topology behind them. */
export interface StateInput {
  readonly files: FolderFiles | Files;
  readonly lock: string | null;
  readonly known: TopologyFacts | null;
}

/** One side of a plan; `undefined` when its `addresses.json` is missing or not as weft writes it. */
export function readPlanState({ files, lock, known }: StateInput): PlanState | undefined {
  const own = bundleFiles('folders' in files ? files : inFolders(files));
  const isEmpty = own.keys().next().done === true;
  const addresses = isEmpty ? null : readAddresses(own.get(printBundlePath({ part: 'addresses' })));
  return addresses === undefined ? undefined : { files: own, addresses, lock, known };
}

function bundleFiles(files: FolderFiles): FolderFiles {
  const folders = files.folders.filter(isBundleFile);
  const own = (folder: string): Files => {
    const all = files.inFolder(folder);
    return folder === '' ? new Map([...all].filter(([path]) => isBundleFile(path))) : all;
  };
  return folderFiles(new Map(folders.map((it) => [it, () => own(it)])));
}

function readAddresses(text: string | undefined): AddressesFile | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return validateAddresses(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
