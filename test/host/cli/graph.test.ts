import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const LABELLED = TOPOLOGY.replace('rome:   {', 'rome:   { labels: { site: south },');

const fleet = () => workspace({ 'topologies/topology.yaml': TOPOLOGY, 'b/other.yaml': LABELLED });

describe('weft graph', () => {
  it('is Mermaid, DOT or SVG', async () => {
    const { weft } = fleet();
    const mermaid = await weft('graph');
    expect(mermaid).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^flowchart RL\n/) });
    expect(await weft('graph', '-o', 'mermaid')).toEqual(mermaid);
    expect((await weft('graph', '-o', 'dot')).stdout).toMatch(/^digraph "europe" \{\n/);
    expect((await weft('graph', '-o', 'svg')).stdout).toMatch(
      /^<svg .*role="img".*>\n<title id="title">europe<\/title>\n/,
    );
  });

  it('shows some clusters with their neighbours', async () => {
    const { weft } = fleet();
    const withoutShortcut = TOPOLOGY.slice(0, TOPOLOGY.indexOf('shortcuts:'));
    const { weft: star } = workspace({ 'topologies/topology.yaml': withoutShortcut });
    expect((await star('graph', 'rome')).stdout).not.toContain('milan');
    expect((await weft('graph', './topologies', 'rome')).stdout).toContain('milan');
  });

  it('groups by a label', async () => {
    const { weft } = fleet();
    expect((await weft('graph', 'b/other.yaml')).stdout).not.toContain('subgraph');
    expect((await weft('graph', 'b/other.yaml', '--by', 'site')).stdout).toContain('subgraph g1["<b>south</b>"]');
  });

  it('shows only what a plan changes', async () => {
    const { weft, write } = fleet();
    expect((await weft('graph', '--plan')).stdout).toContain('added cluster');
    await weft('compile');
    expect((await weft('graph', '--plan')).stdout).toContain('accDescr: nothing to draw');
    write('topologies/topology.yaml', TOPOLOGY.slice(0, TOPOLOGY.indexOf('shortcuts:')));
    for (const form of ['mermaid', 'dot', 'svg']) {
      const { stdout } = await weft('graph', '--plan', '-o', form);
      expect(stdout).toContain('removed shortcut');
      expect(stdout).not.toContain('10.200.0.0/16');
    }
    expect((await weft('graph', 'europe', '--plan')).stdout).toContain('nothing to draw');
    expect(await weft('graph', 'oslo', '--plan')).toMatchObject({ code: 2 });
  });

  it.each([
    [['--base', 'main'], 'add --plan'],
    [['rmoe'], 'did you mean "rome"?'],
    [['--by', 'region'], 'no cluster has the label "region"'],
    [['b/other.yaml', '--by', 'region'], 'use a label that clusters have: site'],
    [['-o', 'png'], 'Allowed choices are'],
  ])('cannot draw %j', async (args, message) => {
    expect(await fleet().weft('graph', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
