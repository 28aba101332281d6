import { describe, expect, it } from 'vitest';
import { SECRET_TEXT } from './controllers/gateway-keys.ts';
import { fleetOfTheSlides } from './fleet-of-the-slides.ts';
import { field, type KubernetesList, LINES, type SimulatedObject } from './objects.ts';
import { simulateLiqoctl } from './simulate-liqoctl.ts';

const find = (list: KubernetesList | undefined, kind: string, name: string): SimulatedObject => {
  const found = list?.items.find((it) => it.kind === kind && it.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

/** The view of another cluster: pods, then external. */
function viewOf(list: KubernetesList | undefined, remote: string): readonly string[] {
  const configuration = find(list, 'Configuration', remote);
  return ['pod', 'external'].flatMap(
    (it) => field<readonly string[]>(configuration, 'status', 'remote', 'cidr', it) ?? [],
  );
}

describe.each(LINES)('the fleet of the slides, made with liqoctl on %s', (release) => {
  const fleet = simulateLiqoctl(fleetOfTheSlides(release));

  it('has the networks of the slides', () => {
    const views = ['hub', 'cluster2', 'cluster3'].flatMap((at) =>
      ['hub', 'cluster2', 'cluster3']
        .filter((it) => it !== at)
        .map((it) => [`${at} ${it}`, viewOf(fleet.get(at), it).join(' ')]),
    );
    expect(Object.fromEntries(views)).toEqual({
      'hub cluster2': '10.60.0.0/16 10.62.0.0/16',
      'hub cluster3': '10.63.0.0/16 10.56.0.0/16',
      'cluster2 hub': '10.63.0.0/16 10.60.0.0/16',
      'cluster2 cluster3': '10.61.0.0/16 10.56.0.0/16',
      'cluster3 hub': '10.62.0.0/16 10.60.0.0/16',
      'cluster3 cluster2': '10.61.0.0/16 10.56.0.0/16',
    });
  });

  it('has a generated Secret for each gateway, and its public half at the other end', () => {
    const secret = find(fleet.get('cluster2'), 'Secret', 'gw-hub');
    const key = find(fleet.get('hub'), 'PublicKey', 'cluster2');
    expect(key.spec).toEqual({ publicKey: secret.data?.['publicKey'] });
    expect(key.metadata.ownerReferences?.map((it) => it.kind)).toEqual(['GatewayServer']);
    const server = find(fleet.get('hub'), 'GatewayServer', 'cluster2');
    expect(field(server, 'spec', 'secretRef')).toEqual({ name: '' });
    expect(field(server, 'status', 'secretRef', 'name')).toBe('gw-cluster2');
  });

  it('has tunnels that are up, to the port that the API server chose', () => {
    const server = find(fleet.get('hub'), 'GatewayServer', 'cluster3');
    const client = find(fleet.get('cluster3'), 'GatewayClient', 'hub');
    expect(field(client, 'spec', 'endpoint')).toEqual(field(server, 'status', 'endpoint'));
    expect(field<number>(client, 'spec', 'endpoint', 'port')).toBeGreaterThanOrEqual(30_000);
    const connections = [...fleet.values()].flatMap((it) => it.items.filter(({ kind }) => kind === 'Connection'));
    expect(connections.map((it) => it.status?.['value'])).toEqual(Array(6).fill('Connected'));
  });

  it('says what a dump of Liqo says besides', () => {
    const list = fleet.get('hub');
    expect(find(list, 'ConfigMap', 'liqo-clusterid-configmap').data).toEqual({ CLUSTER_ID: 'hub' });
    for (const name of ['liqo-controller-manager', 'liqo-ipam'])
      expect(find(list, 'Deployment', name).kind).toBeTruthy();
    expect(JSON.stringify(list)).toContain(Buffer.from(SECRET_TEXT).toString('base64').slice(0, 20));
    expect(list?.items.some((it) => it.kind === 'ForeignClusterConnection')).toBe(release !== '1.2');
  });
});
