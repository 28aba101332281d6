import { brokenRecord } from './tree-problems.ts';
import type { TreeProblem } from './tree-request.ts';

/** A record or the journal cannot be read, so nobody knows which files weft wrote. */
export class BrokenRecord extends Error {
  override readonly name = 'BrokenRecord';
  readonly problem: TreeProblem;

  constructor(root: string, path: string, message: string) {
    super(`${path} ${message}`);
    this.problem = brokenRecord(root, path, message);
  }
}
