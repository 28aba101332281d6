import { expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

it.each([
  ['lint', 'weft validate'],
  ['check', 'weft compile --check'],
  ['diff', 'weft plan'],
  ['apply', 'Argo CD or Flux applies what is committed'],
  ['destroy', 'retired: true'],
  ['fmt', 'weft leaves your layout as it is'],
  ['render', 'weft compile'],
  ['status', 'weft drift'],
  ['get clusters', 'weft view'],
  ['links', 'weft view links'],
  ['new', 'weft init'],
  ['compile --dry-run', 'weft compile --check'],
  ['plan --json', 'write -o json'],
  ['lab --md', 'write -o with one of text, json'],
  ['compile -f fleet.yaml', 'weft compile fleet.yaml'],
  ['compile --topology=fleet.yaml', 'weft compile fleet.yaml'],
  ['view --cluster rome', 'weft view rome'],
  ['trace --to milan', 'weft trace FROM milan'],
  ['compile -o build', '--out DIR'],
  ['compile -o yaml', 'write -o json'],
  ['compile rome', 'weft compile --cluster rome'],
  ['compile rome milan', 'weft compile --cluster rome --cluster milan'],
  ['verify --dir build', '--out DIR'],
  ['drift --kubeconfig x', '--context'],
  ['plan --from dumps', '--live DUMP'],
  ['view --from rome', 'weft view rome'],
  ['drift --dump rome.json', '--live DUMP'],
])('weft %s is misuse, answered with what is meant', async (line, hint) => {
  const { weft } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
  const { code, stdout, stderr } = await weft(...line.split(' '));
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(`hint: `);
  expect(stderr).toContain(hint);
});

it('answers other misuse of a command with the help of that command', async () => {
  const { weft } = workspace();
  expect((await weft('validate', '--qqqqqqqq')).stderr).toContain('hint: run "weft validate --help"');
  expect((await weft('qqqqqqqq')).stderr).toContain('hint: run "weft --help" to list the commands');
});

it('leaves a missing file a missing file', async () => {
  const { weft } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
  expect((await weft('compile', 'fleets/rome.yaml')).stderr).toContain('check the path');
  expect((await weft('validate', 'rome')).stderr).toContain('check the path');
});
