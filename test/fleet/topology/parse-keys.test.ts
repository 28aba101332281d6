import { describe, expect, it } from 'vitest';
import { parseKeys } from '../../../src/fleet/topology/parse-recorded.ts';
import { checker, expectNoErrors } from '../../support/check-diagnostics.ts';

const diagnose = (source: Parameters<typeof parseKeys>[0]) => parseKeys(source).diagnostics;
const check = checker(diagnose);

describe('parseKeys', () => {
  it('reads the public keys of each cluster towards each peer', () => {
    const key = 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=';
    const parsed = parseKeys({ path: 'topology.keys.yaml', text: `version: 1\nkeys:\n  rome:\n    europe: ${key}\n` });
    expect(parsed.ok && parsed.value.reading.plain()).toEqual({ version: 1, keys: { rome: { europe: key } } });
  });

  it('leaves to the rules whether a key is 32 bytes', () => {
    expectNoErrors(diagnose, 'version: 1\nkeys: { rome: { europe: short } }\n');
  });

  check('no keys', '«»version: 1\n', { code: 'topology/missing-key', message: '"keys" is missing in the keys file' });
  check('an unknown key', 'version: 1\nkeys: {}\n«secrets»: {}\n', {
    code: 'topology/unknown-key',
    message: 'unknown key "secrets" in the keys file',
  });
  check('a key right below the cluster', 'version: 1\nkeys: { rome: «abc» }\n', {
    code: 'topology/wrong-type',
    message: 'cluster "rome" must be a map, not a string',
  });
  check('a number for a key', 'version: 1\nkeys: { rome: { europe: «5» } }\n', {
    code: 'topology/wrong-type',
    message: '"europe" must be a string or a map, not a number',
  });
  check('a cluster with nothing', 'version: 1\nkeys:\n  «rome»:\n', {
    code: 'topology/wrong-type',
    message: 'cluster "rome" is empty, but must be a map',
  });
  check('broken YAML', 'version: 1\nkeys: «{»\n', { code: 'source/yaml-syntax' });
});
