import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const fleet = () =>
  workspace(
    withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY, 'b/other.yaml': TOPOLOGY.replaceAll('rome', 'turin') }),
  );

describe('weft ports', () => {
  it('lists the fleet, one cluster, and one link', async () => {
    const { weft } = fleet();
    const all = await weft('ports');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toMatch(/\nrome +unknown +milan +tunnel +UDP 3\d{4} +203\.0\.113\.30\n/);
    const milan = await weft('ports', 'milan');
    expect(milan.stdout).toMatch(/^Out of milan\nTO .*\neurope .*\n\nInto milan\nFROM .*\nrome /);
    const link = await weft('ports', 'rome', 'milan');
    expect(link.stdout).not.toContain('europe');
  });

  it('takes the topology in front or behind', async () => {
    const { weft } = fleet();
    const inFront = await weft('ports', 'b/other.yaml', 'turin');
    expect(inFront.stdout).toContain('Out of turin');
    expect(await weft('ports', 'turin', './b')).toEqual(inFront);
  });

  it('warns about ports that are not in the lock, and no longer once they are', async () => {
    const { weft } = fleet();
    expect((await weft('ports')).stdout).toContain('run "weft compile"');
    expect((await weft('ports', 'milan', '-o', 'nftables')).stdout).toMatch(/^# The lock does not have the port/m);
    expect((await weft('ports', '-o', 'csv')).stdout).toContain('the lock does not have this port yet\r\n');
    await weft('compile');
    for (const format of [[], ['milan', '-o', 'nftables'], ['-o', 'csv']]) {
      expect((await weft('ports', ...format)).stdout).not.toContain('lock');
    }
  });

  it('is data, a table for a spreadsheet, and Markdown', async () => {
    const { weft } = fleet();
    const { openings, ok } = JSON.parse((await weft('ports', 'rome', '-o', 'json')).stdout);
    expect(ok).toBe(true);
    expect(openings).toMatchObject([
      { from: 'rome', to: 'europe', protocol: 'udp', address: '203.0.113.10' },
      { from: 'rome', to: 'milan', protocol: 'udp', address: '203.0.113.30' },
    ]);
    const csv = (await weft('ports', '-o', 'csv')).stdout.split('\r\n');
    expect(csv).toHaveLength(1 + 3 + 1);
    expect((await weft('ports', '-o', 'markdown')).stdout).toMatch(
      /\| rome \| unknown \| milan \| tunnel \| UDP 3\d+ \|/,
    );
  });

  it('prints rules of the firewall of one cluster, from the sources that were named', async () => {
    const { weft } = fleet();
    const sources = ['--source', 'rome=198.51.100.7', '--source', 'rome=198.51.100.64/28'];
    const nft = (await weft('ports', 'milan', ...sources, '-o', 'nftables')).stdout;
    expect(nft.match(/weft\.milan\.in ip saddr 198\.51\.100\.(7|64\/28) ip daddr 203\.0\.113\.30 udp/g)).toHaveLength(
      2,
    );
    const iptables = (await weft('ports', 'milan', 'rome', ...sources, '-o', 'iptables')).stdout;
    expect(iptables).toMatch(
      /^-A weft\.milan\.rome\.in -s 198\.51\.100\.64\/28 -d 203\.0\.113\.30 -p udp --dport 3\d+ /m,
    );
    expect(iptables).not.toContain('europe -');
  });

  it('has nothing for two clusters without a link', async () => {
    const { weft, write } = fleet();
    write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    expect(await weft('ports', 'rome', 'milan')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no port has to be open between "rome" and "milan"'),
    });
  });

  it('reports mistakes of the topology', async () => {
    const { weft, write } = fleet();
    write('topologies/topology.yaml', TOPOLOGY.replace('hub: europe', 'hub: eurpe'));
    expect(await weft('ports')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('eurpe') });
    expect(JSON.parse((await weft('ports', '-o', 'json')).stdout)).toMatchObject({ ok: false });
  });

  it.each([
    [['rmoe'], 'did you mean "rome"?'],
    [['rome', 'milan', 'europe'], 'too many arguments: europe'],
    [['rome', 'rome'], '"rome" is given twice'],
    [['-o', 'nftables'], 'run "weft ports CLUSTER -o nftables"'],
    [['--source', '198.51.100.7'], '"198.51.100.7" names no cluster'],
    [['--source', 'rmoe=198.51.100.7'], 'did you mean "rome"?'],
  ])('cannot answer %j', async (args, message) => {
    expect(await fleet().weft('ports', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('is found by those who look for a firewall', async () => {
    expect((await fleet().weft('firewall', 'rome')).stderr).toContain('did you mean ports?');
  });
});
