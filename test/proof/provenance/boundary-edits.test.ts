import { describe, expect, it } from 'vitest';
import { FILES, FLEET, pullRequest, type Repository } from './pull-request.ts';

const CLOSED = `${FLEET.replace('gateway: 203.0.113.30 }', 'gateway: 203.0.113.30, boundary: closed }')}
boundaries:
  - { from: rome, fromNamespace: web, to: milan, toNamespace: shop, ports: [443, 8000-8100] }
  - { from: europe, to: milan, protocol: UDP }
`;

const FENCE = 'out/milan/peers/rome/rome.yaml';
const POLICY = 'out/milan/boundaries/shop.yaml';

/** The report of one edit by hand, and the places beside it. */
async function reportOf(edit: (it: Repository) => void, topology = CLOSED): Promise<string> {
  const repository = await pullRequest({ ...FILES, 'topologies/topology.yaml': topology });
  edit(repository);
  repository.forgeRecord();
  repository.commit();
  const { code, stderr } = await repository.check();
  expect(code).toBe(1);
  return stderr;
}

/** `topologies/topology.yaml:12:5: the entry ...` */
const placeOf = (text: string, part: string): string => {
  const lines = text.split('\n');
  const line = lines.findIndex((it) => it.includes(part));
  return `topologies/topology.yaml:${line + 1}:`;
};

describe('an edit of a fence or a policy by hand', () => {
  it('is reported with what it opens, and with what closes the link', async () => {
    const said = await reportOf((it) => it.edit(FENCE, 'value: "443"', 'value: 1-65535'));
    expect(said).toContain('edited by hand: milan lets through rome to milan on TCP 1-65535');
    expect(said).toContain(`${placeOf(CLOSED, 'boundary: closed')}`);
    expect(said).toContain('what enters "milan" from "rome" is closed here');
    expect(said).toContain(`${placeOf(CLOSED, 'fromNamespace: web')}`);
  });

  it('is reported with what it refuses, and with the entry of it', async () => {
    const said = await reportOf((it) => it.edit(POLICY, /port: 443\n/, 'port: 442\n'));
    expect(said).toMatch(
      /edited by hand: milan lets through rome to namespace shop on TCP 442.*refuses rome to namespace shop on TCP 443/s,
    );
    expect(said).toContain('the entry that opens it from "rome" to "milan"');
    expect(said).toContain(placeOf(CLOSED, 'fromNamespace: web'));
    expect(said).not.toContain(placeOf(CLOSED, 'protocol: UDP'));
  });

  it('of the policy of some pods names the entry of them', async () => {
    const ofPods = CLOSED.replace('toNamespace: shop,', 'toNamespace: shop, toPods: { app: db },');
    const said = await reportOf((it) => it.edit(POLICY, /port: 443\n/, 'port: 442\n'), ofPods);
    expect(said).toContain('the entry that opens it from "rome" to "milan"');
    expect(said).toContain(placeOf(ofPods, 'toPods'));
  });

  it('that removes the policy of a namespace is reported with what passes then', async () => {
    const said = await reportOf((it) => it.remove(POLICY));
    expect(said).toMatch(
      /removed by hand.*NetworkPolicy "weft-boundaries", and without it milan lets through all else from/s,
    );
  });

  it('of another object in the file is reported without it', async () => {
    const said = await reportOf((it) => it.edit(FENCE, /mtu: \d+/, 'mtu: 1200'));
    expect(said).toMatch(/edited by hand: .*MTU/i);
    expect(said).not.toContain('lets through');
  });
});
