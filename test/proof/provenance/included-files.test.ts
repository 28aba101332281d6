import { describe, expect, it } from 'vitest';
import { drawn } from '../../support/drawn.ts';
import { FLEET, KEYS, pullRequest, type Repository } from './pull-request.ts';

const TOPOLOGY = 'topologies/topology.yaml';
const ITALY = 'topologies/regions/italy.yaml';

const CITIES = FLEET.slice(FLEET.indexOf('  rome:'), FLEET.indexOf('shortcuts:'));

const FILES = {
  [TOPOLOGY]: `${FLEET.replace(CITIES, '').replace(/shortcuts:\n.*\n/, '')}include: [regions/]\n`,
  [ITALY]: `version: 1\nclusters:\n${CITIES}shortcuts:\n  - [rome, milan]\n`,
  'topologies/topology.keys.yaml': KEYS,
};

describe('a pull request to a fleet in several files', () => {
  it('is planned from the included files of both sides', async () => {
    const it = await pullRequest(FILES);
    it.edit(ITALY, '203.0.113.30', '203.0.113.31');
    await it.compile();
    it.commit();
    const { code, summary } = await it.check();
    expect(code).toBe(0);
    expect(summary).toContain('203.0.113.31');
  });

  it('changes nothing when it moves a cluster into a file of its own', async () => {
    const it = await pullRequest(FILES);
    const before = it.bundles();
    const milan = /^ {2}milan: .*\n/m.exec(CITIES)?.[0] ?? '';
    it.edit(ITALY, milan, '');
    it.write('topologies/regions/lombardy.yaml', `version: 1\nclusters:\n${milan}`);
    await it.compile();
    expect(it.bundles()).toEqual(before);
    it.commit();
    const { code, summary } = await it.check();
    expect(code).toBe(0);
    expect(summary).toContain('nothing to do');
  });

  it('has its mistakes reported in the included file', async () => {
    const it = await pullRequest(FILES);
    it.edit(ITALY, '10.202.0.0/16', '10.202.0.1/16');
    it.commit();
    const { code, stderr } = await it.check();
    expect(code).toBe(1);
    expect(stderr).toContain(`${ITALY}:3:22: error topology/host-bits`);
  });
});

/** Attempts with `include`, and their reports. */
const HOSTILE: Readonly<Record<string, readonly [(it: Repository) => void, RegExp]>> = {
  'a path above the topology': [
    (it) => it.edit(TOPOLOGY, '[regions/]', '[regions/, ../../secret.yaml]'),
    /is not a file or folder below the folder of the topology/,
  ],
  'a link to a file of the machine': [
    (it) => it.link('topologies/regions/passwd.yaml', '/etc/passwd'),
    /cannot read topologies\/regions\/passwd\.yaml: a symbolic link leads out of the repository/,
  ],
  'a link to a device': [
    (it) => it.link('topologies/regions/zero.yaml', '/dev/zero'),
    /cannot read topologies\/regions\/zero\.yaml: a symbolic link leads out of the repository/,
  ],
  'a file that is too large': [
    (it) => it.write('topologies/regions/large.yaml', '#'.repeat(16 * 1024 * 1024)),
    /the file is larger than/,
  ],
  'a manifest': [
    (it) => it.write('topologies/regions/rome.yaml', 'apiVersion: v1\nkind: ConfigMap\n'),
    /this is an object of Kubernetes, of kind "ConfigMap", and not an included file/,
  ],
  'a file whose path has other owners': [
    (it) => {
      it.write('docs/more.yaml', 'version: 1\nclusters: {}\n');
      it.link('topologies/regions/more.yaml', '../../docs/more.yaml');
    },
    /topologies\/regions\/more\.yaml is a symbolic link/,
  ],
  'clusters that are hidden below out/': [
    (it) => {
      it.write('out/hidden/more.yaml', 'version: 1\nclusters: {}\n');
      it.link('topologies/hidden', '../out/hidden');
      it.edit(TOPOLOGY, '[regions/]', '[regions/, hidden/]');
    },
    /topologies\/hidden\/more\.yaml is behind the symbolic link topologies\/hidden/,
  ],
};

describe('a hostile pull request', () => {
  it.each(drawn(Object.keys(HOSTILE)))('cannot include %s', async (name) => {
    const [forge, says] = HOSTILE[name] ?? [() => {}, /^$/];
    const it = await pullRequest(FILES);
    forge(it);
    it.commit();
    const { code, stdout, stderr } = await it.check();
    expect(code).not.toBe(0);
    expect(stdout + stderr).toMatch(says);
  });
});
