import { describe, expect, it } from 'vitest';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import type { LiveItem } from '../../support/objects-at-rest.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

/** Europe serves at another node port, which Kubernetes chose; rome goes on dialling the one of before. */
const chosenAgain = (it: LiveItem, cluster: string): readonly LiveItem[] => {
  if (cluster !== 'europe' || it.kind !== 'GatewayServer' || it.metadata.name !== 'rome') return [it];
  const edited = JSON.parse(JSON.stringify(it).replace(/"nodePort":\d+/, '"nodePort":31999')) as LiveItem;
  return [{ ...edited, status: { endpoint: { addresses: ['203.0.113.10'], port: 31999 } } }];
};

describe('weft drift --adopt of a node port that was chosen again', () => {
  it('takes the port that the server has, and reports nothing about the one that its client still dials', async () => {
    const { weft, read } = workspace({ ...FILES, ...dumpsOf(FILES, chosenAgain) });
    await weft('compile', '-q');
    expect(read('topologies/topology.lock.yaml')).not.toContain('31999');
    const { code, stderr } = await weft('drift', '--adopt', '--live', 'dumps/');
    expect(read('topologies/topology.lock.yaml')).toContain('31999');
    expect(stderr).not.toContain('import/unkept-port');
    expect(code).toBe(0);
  });

  it('takes what the client dials where the server was not dumped', async () => {
    const { weft, read } = workspace({
      ...FILES,
      ...dumpsOf(FILES, (it) =>
        it.kind === 'GatewayClient' && it.metadata.name === 'europe'
          ? [JSON.parse(JSON.stringify(it).replaceAll(/"port":3\d{4}/g, '"port":31998')) as LiveItem]
          : [it],
      ),
    });
    await weft('compile', '-q');
    expect((await weft('drift', '--adopt', '--live', 'dumps/rome.json')).code).toBe(0);
    expect(read('topologies/topology.lock.yaml')).toContain('31998');
  });
});
