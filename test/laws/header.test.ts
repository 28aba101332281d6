import { describe, expect, it } from 'vitest';
import { parseHeader, printLockHeader } from '../../src/base/core/generated-files.ts';
import { compiledFleets } from '../support/fleets.ts';

/** True if a kind of file can contain comments, by the end of its name. A kind that is not here fails. */
const HOLDS_COMMENTS: Readonly<Record<string, boolean>> = { yaml: true, nft: true, json: false };

/** A text that a reader would take for the header, at any place. */
const headersIn = (text: string): number =>
  text.split('\n').filter((line) => parseHeader(line.trimStart()) !== undefined).length;

describe.each(compiledFleets())('the header in the files of $name', ({ compiled: { bundle, lock, model } }) => {
  const topologyFile = model.fleet.topologyFile;

  it('is the first line of every file that can hold comments, once', () => {
    for (const [path, text] of bundle) {
      const kind = path.slice(path.lastIndexOf('.') + 1);
      expect(Object.keys(HOLDS_COMMENTS), `${path}: a kind of file that this law does not list`).toContain(kind);
      const wanted = HOLDS_COMMENTS[kind] ? { names: topologyFile, times: 1 } : { names: undefined, times: 0 };
      expect({ names: parseHeader(text), times: headersIn(text) }, path).toEqual(wanted);
    }
  });

  it('of the lock also asks to commit it', () => {
    expect(lock.startsWith(printLockHeader(topologyFile))).toBe(true);
    expect(headersIn(lock.slice(printLockHeader(topologyFile).length))).toBe(0);
  });
});
