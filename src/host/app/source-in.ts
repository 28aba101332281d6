import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import type { ReadResult } from '../disk/read-text-file.ts';

export type ReadableFile = Exclude<ReadResult, { kind: 'is-directory' | 'unreadable' }>;

/** What was read at a path as a source; `undefined` when there is no such file. */
export function sourceIn(path: string, read: ReadableFile): Outcome<Source> | undefined {
  const at = startOf({ path, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path, text: read.text });
    case 'missing':
      return undefined;
    case 'not-utf8':
      return failure([
        diagnostic('source/not-text', at, 'the file is not UTF-8 text', {
          hint: 'save it as UTF-8, or check the path',
        }),
      ]);
    case 'too-large': {
      const size = read.bytes === null ? 'its size is unknown' : `it has ${inMebibytes(read.bytes)}`;
      return failure([
        diagnostic('source/too-large', at, `the file is larger than ${inMebibytes(read.limitBytes)}: ${size}`, {
          hint: 'check the path: even a topology of ten thousand clusters is smaller',
        }),
      ]);
    }
  }
}

const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / (1024 * 1024))} MiB`;
