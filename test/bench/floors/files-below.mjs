import { readdirSync } from 'node:fs';

/** The paths of all files below a folder. */
export function* filesBelow(folder) {
  for (const it of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${it.name}`;
    if (it.isDirectory()) yield* filesBelow(path);
    else yield path;
  }
}
