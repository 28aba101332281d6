import { describe, expect, it } from 'vitest';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

describe('weft view forecast', () => {
  it('says what is left, and what the next cluster costs', async () => {
    const { weft } = workspace(FILES);
    const all = await weft('view', 'forecast');
    expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 0, stderr: '' });
    expect(all.stdout).toMatch(
      /^JOINED .*\neurope {2}2766 of 30000-32767 {2}\d+ +\d+ of \/16\n\nNEXT LIKE .*\nmilan \(2 alike\) {2}europe +\d+ /,
    );
    expect(all.stdout).toContain(' 1 remap, 1 ordered link  10.0.0.0/16: no remap\n');
    const one = (await weft('view', 'forecast', 'rome')).stdout;
    expect(one).toContain('\nrome (2 alike)  europe ');
    expect(one).toMatch(
      /\nwith pods 10\.202\.0\.0\/16: europe sees pod CIDR 10\.202\.0\.0\/16 of next-1 as 10\.\d+\.0\.0\/16\n/,
    );
    expect(one).toMatch(/\nwith pods 10\.202\.0\.0\/16: the view of next-1 in europe depends on the order\n/);
    expect(one).toContain('\nwith pods 10.0.0.0/16: no remap\n');
  });

  it('is about clusters that join: a hub has joined none', async () => {
    const { weft } = workspace(FILES);
    const { code, stdout } = await weft('view', 'forecast', 'europe');
    expect(code).toBe(0);
    expect(stdout).toContain('europe has joined no cluster');
    expect(stdout).not.toContain('NEXT LIKE');
  });

  it('is data', async () => {
    const { weft } = workspace(FILES);
    const { forecast } = JSON.parse((await weft('view', 'forecast', '-o', 'json')).stdout);
    expect(forecast).toMatchObject({
      blocks: { length: 20, left: expect.any(Number) },
      joined: [{ cluster: 'europe', ports: { first: 30000, last: 32767, left: 2766 }, networks: { length: 16 } }],
      next: [
        {
          ...{ like: 'milan', alike: 2, joins: ['europe'], limit: { kind: 'networks', cluster: 'europe' } },
          again: { podCIDRs: ['10.202.0.0/16'], ordered: [{ cluster: 'europe', peer: 'next-1' }] },
          distinct: { podCIDRs: ['10.0.0.0/16'], remaps: [], ordered: [] },
        },
      ],
      leftOut: 0,
    });
    const markdown = (await weft('view', 'forecast', '-o', 'markdown')).stdout;
    expect(markdown).toContain('\n| next like | joins | fit | then used up | same pods again | other pods |\n| --- |');
  });

  it('is about live clusters, too, whose blocks are not carved again', async () => {
    const { weft } = workspace(dumpsOf(FILES, (it) => [it]));
    const { stdout } = await weft('view', 'forecast', 'milan', '--live', 'dumps/');
    expect(stdout).toMatch(/^Live, not git: europe, milan, rome, from dumps\/\.\n\nJOINED /);
    expect(stdout).toMatch(/\nmilan \(2 alike\) {2}europe .* 1 remap, 1 ordered link {2}10\.0\.0\.0\/16: no remap\n/);
  });

  it('is meant where the words are swapped', async () => {
    const { weft } = workspace(FILES);
    expect((await weft('view', 'rome', 'forecast')).stderr).toBe(
      'error: the topology has no cluster "forecast"\n  hint: run "weft view forecast rome" for the next cluster like rome\n',
    );
    expect((await weft('view', 'forecast', 'rome', '--runbook')).stderr).toContain('a list has neither');
    expect((await weft('view', 'forecast', 'paris')).stderr).toContain('no cluster "paris"');
  });
});
