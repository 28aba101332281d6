import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { groupBy } from '../../../src/base/core/collections.ts';

const PROGRAM = new URL('./recorded-kubectl.mjs', import.meta.url).pathname;

interface RecordedItem {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * The environment of a kubectl that answers from recorded objects.
 *
 * @param clusters objects by the name of the context that leads to them
 */
export function recordedKubectl(
  clusters: Readonly<Record<string, readonly RecordedItem[]>>,
): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-recorded-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [context, items] of Object.entries(clusters)) {
    mkdirSync(join(folder, context));
    for (const [resource, some] of groupBy(items, (it) => [resourceOf(it)]))
      writeFileSync(join(folder, context, resource), JSON.stringify(some));
  }
  const path = join(folder, 'kubectl');
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' '${folder}' "$@"\n`);
  chmodSync(path, 0o755);
  return { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
}

/** `identities.authentication.liqo.io`, `secrets`. */
function resourceOf({ apiVersion, kind }: RecordedItem): string {
  const [group, version] = apiVersion.split('/');
  return `${pluralOf(kind)}${version === undefined ? '' : `.${group}`}`;
}

function pluralOf(kind: string): string {
  // As it is in the CRD.
  if (kind === 'PublicKey') return 'publickeies';
  return kind.toLowerCase().replace(/y$/, 'ie').concat('s');
}
