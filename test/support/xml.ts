import { spawnSync } from 'node:child_process';

const python = '/usr/bin/python3';

/** In CI the parser must be there, so a test is left out only elsewhere. */
export const pythonMissing = spawnSync(python, ['--version']).status !== 0 && !process.env['CI'];

const READ_ALL = 'import json,sys,xml.dom.minidom as x\nfor it in json.load(sys.stdin): x.parseString(it.encode())';

/** The error of an XML parser for texts; empty without one. */
export function xmlProblem(texts: readonly string[]): string {
  const { status, stderr } = spawnSync(python, ['-c', READ_ALL], { input: JSON.stringify(texts), encoding: 'utf8' });
  return status === 0 ? '' : stderr || `exit code ${status}`;
}
