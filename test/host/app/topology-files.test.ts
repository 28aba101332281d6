import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { diskPorts } from '../../../src/host/app/disk-ports.ts';
import { readSources } from '../../../src/host/app/topology-files.ts';
import { LARGEST_FILE_BYTES } from '../../../src/host/disk/read-text-file.ts';

const FILES = {
  topology: 'topology.yaml',
  keys: 'topology.keys.yaml',
  identities: 'topology.identities.yaml',
  lock: 'topology.lock.yaml',
  byDefault: true,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weft-read-sources-'));
  writeFileSync(join(folder, FILES.topology), 'version: 1\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function told(): Promise<readonly string[]> {
  const read = await readSources(diskPorts(folder).files, FILES);
  return read.diagnostics.map((it) => `${it.span.source.path}: ${it.code}: ${it.message}`);
}

it('reads the topology, and the files beside it that are there', async () => {
  writeFileSync(join(folder, FILES.lock), 'version: 1\ndecisions: {}\n');
  const read = await readSources(diskPorts(folder).files, FILES);
  expect(read).toEqual({
    ok: true,
    value: {
      topology: { path: 'topology.yaml', text: 'version: 1\n' },
      keys: undefined,
      identities: undefined,
      lock: { path: 'topology.lock.yaml', text: 'version: 1\ndecisions: {}\n' },
    },
    diagnostics: [],
  });
});

const TEXTS = {
  'source/too-large': 'the file is larger than 16 MiB: it has 17 MiB',
  'source/not-text': 'the file is not UTF-8 text',
} as const;

it('a file that is too large is a mistake, and is not read', async () => {
  truncateSync(join(folder, FILES.topology), LARGEST_FILE_BYTES + 1);
  expect(await told()).toEqual([`topology.yaml: source/too-large: ${TEXTS['source/too-large']}`]);
});

it('a file that is not UTF-8 is a mistake, whichever it is', async () => {
  writeFileSync(join(folder, FILES.keys), Buffer.from([0x76, 0xe9]));
  expect(await told()).toEqual([`topology.keys.yaml: source/not-text: ${TEXTS['source/not-text']}`]);
});

it('mistakes in several files are told in one run', async () => {
  writeFileSync(join(folder, FILES.topology), Buffer.from([0xff, 0xfe, 0x76, 0x00]));
  truncateSync(writeEmpty(FILES.lock), LARGEST_FILE_BYTES + 1);
  expect(await told()).toEqual([
    `topology.yaml: source/not-text: ${TEXTS['source/not-text']}`,
    `topology.lock.yaml: source/too-large: ${TEXTS['source/too-large']}`,
  ]);
});

function writeEmpty(name: string): string {
  const path = join(folder, name);
  writeFileSync(path, '');
  return path;
}
