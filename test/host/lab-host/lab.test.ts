import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { findParts, thisMachine } from '../../../src/host/lab-host/lab-site.ts';
import type { LabNamespace, LabPlan, Probe } from '../../../src/reach/lab/lab-plan.ts';
import { labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import { drawn, nightly, RUNS_ALL, runsOf } from '../../support/drawn.ts';
import { keyedFleets } from '../../support/fleets.ts';
import { GOLDEN } from '../../support/golden.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { memoryHost, TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { carryOut, labsOnMachine, startWeft, whyNoLab } from './lab-support.ts';

const reason = whyNoLab();

const fleets = keyedFleets().filter((it) => it.compiled.model.links.length > 0);

const planOf = (name: string): LabPlan => {
  const fleet = fleets.find((it) => it.name === name);
  if (!fleet) throw new Error(`no fleet ${name}`);
  return planLab(labScope(fleet.compiled.model, []));
};

const carriedOut = new Map<string, ReturnType<typeof carryOut>>();

/** Fleets that differ in nothing that a lab has, keys for instance, share one. */
function carryOutOnce(plan: LabPlan): ReturnType<typeof carryOut> {
  const key = JSON.stringify(plan);
  const result = carriedOut.get(key) ?? carryOut(plan);
  carriedOut.set(key, result);
  return result;
}

/** Fleets about a warning or a note have the labs of others: a push sends through none of them, and through the most translations. */
const PUSHED = fleets.map((it) => it.name).filter((it) => RUNS_ALL || !/^(notes|warns)-/.test(it));
const SENT_THROUGH = drawn(PUSHED, (it) => it === 'equal-networks-everywhere-are-remapped');

/** On a push as many as have paths of each kind; twelve clusters are more of the same. */
const LEAVES = RUNS_ALL ? 11 : 4;

/** Clusters with one pod CIDR around a hub. */
const EQUAL_LEAVES = `version: 1
name: equal
hub: hub
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  hub: { gateway: 203.0.113.10 }
${Array.from({ length: LEAVES }, (_, index) => `  leaf${index + 10}: {}\n`).join('')}`;

describe.skipIf(reason !== null)(`real traffic (${reason ?? 'in this kernel'})`, () => {
  let before: readonly string[];
  beforeAll(async () => {
    // The next lab removes what a killed one left: that must not count as having been here before.
    await startWeft(['lab', '--clean']).ended;
    before = labsOnMachine();
  });

  const expectNothingLeft = async () => {
    // The kernel takes a moment to forget a process that was killed.
    for (let tries = 0; tries < 100 && labsOnMachine().length > before.length; tries += 1) await sleep(20);
    expect(labsOnMachine()).toEqual(before);
  };

  describe('agrees with trace on every pair', () => {
    it.each(SENT_THROUGH)('%s', async (name) => {
      const plan = planOf(name);
      const { verdicts, silent } = await carryOutOnce(plan);
      expect(silent).toEqual([]);
      expect(verdicts.filter((it) => !it.agrees).map(({ probe, got }) => ({ ...probe, got }))).toEqual([]);
      expect(verdicts.length).toBe(plan.probes.length);
      await expectNothingLeft();
    });

    it('of clusters with one pod CIDR, leaf to leaf through the hub', async () => {
      const { weft: run } = workspace(withKeysFiles({ 'topologies/topology.yaml': EQUAL_LEAVES }));
      const { code, stdout } = await run('lab', '-o', 'json', '--quiet');
      const { probes } = JSON.parse(stdout) as {
        readonly probes: readonly { readonly hub: string | null; readonly agrees: boolean }[];
      };
      expect(probes.filter((it) => !it.agrees)).toEqual([]);
      expect(code).toBe(0);
      expect(probes.filter((it) => it.hub !== null).length).toBe(LEAVES * (LEAVES - 1) * 3);
    });
  });

  // Most of the time of these is waiting for an answer that does not come, so they wait side by side.
  describe.concurrent('disagrees when the network is another one', () => {
    const name = 'deck-two-one-pod-cidr-everywhere';
    const probesOf = (plan: LabPlan, protocol: Probe['protocol']) =>
      plan.probes.filter(
        ({ flow, ...it }) =>
          flow.from === 'cluster2' && flow.to === 'cluster3' && flow.sender === 'pod' && it.protocol === protocol,
      );
    const alter = (plan: LabPlan, namespace: string, act: (it: LabNamespace) => Partial<LabNamespace>): LabPlan => ({
      ...plan,
      namespaces: plan.namespaces.map((it) => (it.name === namespace ? { ...it, ...act(it) } : it)),
    });
    const outcome = async (plan: LabPlan) => {
      const { verdicts, silent } = await carryOut(plan);
      return { got: verdicts.map((it) => it.got), agrees: verdicts.every((it) => it.agrees), silent };
    };

    const CHANGED_RULES = [
      [
        'without the translation of the sender',
        'cluster2.to.cluster3',
        'cluster2/nftables/cluster3.nft',
        /^table[\s\S]*/m,
        '',
      ],
      [
        'without the translation of the receiver',
        'cluster3.to.cluster2',
        'cluster3/nftables/cluster2.nft',
        /snat ip prefix to 10\.61\.0\.0\/16/,
        'accept',
      ],
      [
        'with another view at the receiver',
        'cluster3.to.cluster2',
        'cluster3/nftables/cluster2.nft',
        /snat ip prefix to 10\.61/,
        'snat ip prefix to 10.62',
      ],
      [
        'with a node that hides its pods',
        'cluster2.node2',
        'cluster2/nftables/nodes/cluster3.nft',
        /saddr 10\.200\.0\.0\/16 snat ip prefix to 10\.200\.0\.0\/16/,
        'saddr 10.200.0.0/16 snat to 10.70.0.0',
      ],
    ] as const;
    it.each(drawn(CHANGED_RULES))('%s', async (_, namespace, file, rule, instead) => {
      const plan = alter(planOf(name), namespace, ({ rulesets }) => ({
        rulesets: rulesets.map((it) => {
          if (it.name !== file) return it;
          expect(it.text).toMatch(rule);
          return { ...it, text: it.text.replace(rule, instead) };
        }),
      }));
      const { agrees, got } = await outcome({ ...plan, probes: probesOf(plan, 'udp') });
      expect(agrees, String(got)).toBe(false);
    });

    const RULESETS = [
      [
        'marks that lead answers to the node that began',
        'deck-two-one-pod-cidr-everywhere',
        'service-nodeport-routing',
        'node',
      ],
      ['addresses that the hub maps', 'equal-networks-everywhere-are-remapped', 'ip mappings', 'pod'],
    ] as const;
    it.each(drawn(RULESETS))('without the %s', async (_, fleet, ruleset, sender) => {
      const plan = planOf(fleet);
      const namespaces = plan.namespaces.map((it) => ({
        ...it,
        rulesets: it.rulesets.filter((rules) => rules.name !== ruleset),
      }));
      const [probe] = plan.probes.filter(
        ({ flow, protocol }) =>
          protocol === 'udp' && flow.sender === sender && (sender === 'node' || flow.hub !== null),
      );
      if (!probe) throw new Error('nothing to send');
      expect(await outcome({ ...plan, probes: [probe] })).toMatchObject({ agrees: true });
      expect(await outcome({ ...plan, namespaces, probes: [probe] })).toMatchObject({
        agrees: false,
        got: ['no answer'],
      });
    });

    nightly('says what arrived although no answer came back', async () => {
      const plan = alter(planOf(name), 'cluster3.node2', ({ routes }) => ({
        routes: routes.filter((it) => it.via === null),
      }));
      const { got } = await outcome({ ...plan, probes: probesOf(plan, 'icmp') });
      expect(got).toEqual(['no answer, though cluster3 sees 10.61.90.151 at 10.200.90.151']);
    });

    nightly('with a smaller MTU at one end of a tunnel', async () => {
      const plan = planOf(name);
      const tunnels = plan.tunnels.map((it) =>
        it.namespace === 'cluster2.to.cluster3' ? { ...it, mtuBytes: it.mtuBytes - 40 } : it,
      );
      const probes = [...probesOf(plan, 'udp'), ...probesOf(plan, 'full')];
      const { verdicts } = await carryOut({ ...plan, tunnels, probes });
      expect(verdicts.map((it) => [it.probe.protocol, it.agrees])).toEqual([
        ['udp', true],
        ['full', false],
      ]);
    });

    nightly('with a client that dials another port, and names the link', async () => {
      const plan = planOf(name);
      const tunnels = plan.tunnels.map((it) =>
        it.link === 'cluster2/cluster3' && it.end.kind === 'client'
          ? { ...it, end: { ...it.end, dial: { ...it.end.dial, port: it.end.dial.port + 1 } } }
          : it,
      );
      const { agrees, silent } = await outcome({ ...plan, tunnels, probes: probesOf(plan, 'udp') });
      expect({ agrees, silent }).toEqual({ agrees: false, silent: ['cluster2/cluster3'] });
    });
  });

  describe('the command', () => {
    it('prints a row a flow and ends with 0', async () => {
      const { weft: run } = workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));
      const { code, stdout } = await run('lab', '--quiet');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^FROM +TO +BY +TCP +UDP +ICMP +FULL MTU\n/);
      expect(stdout).toMatch(/^rome +10\.202\.90\.151 +milan +[\d.]+ +direct( +[\d.]+ ms){4}$/m);
      expect(stdout).toMatch(/\n13 namespaces, 3 tunnels, 12 flows: all 42 probes agree with what was compiled\n$/);
    });

    it('builds the part that is asked for, and says when there is none', async () => {
      const { weft: run } = workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));
      const { code, stdout } = await run('lab', '--quiet', '--cluster', 'rome', '--cluster', 'milan');
      expect(code).toBe(0);
      expect(stdout).toMatch(/7 namespaces, 1 tunnel, 4 flows: all 14 probes agree/);
      expect(await run('lab', '--cluster', 'rom')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('did you mean "rome"'),
      });
    });

    it('keeps a lab that can be entered, until it is told to clean', async () => {
      const { weft: run } = workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));
      const { code, stderr } = await run('lab', '--keep', '--cluster', 'rome', '--cluster', 'milan');
      const [, command = ''] = /a node with its pods: +(ip netns exec \S+) bash/.exec(stderr) ?? [];
      const inside = (...args: readonly string[]) =>
        execFileSync('/bin/sh', ['-c', `PATH=$PATH:/usr/sbin; ${[command, ...args].join(' ')}`]).toString();
      try {
        expect(code).toBe(0);
        expect(inside('ip -brief address show dev lo')).toContain('10.202.90.151/32');
        const [ping = '', ...first] = findParts(thisMachine(memoryHost('/').host.env['PATH']), { pcap: false }).ping;
        const target = /via \S+ dev liqo\.gw0/.exec(inside('ip route'))?.[0];
        expect(target).toBeDefined();
        const view = /^(\d+\.\d+)\.0\.0\/16 via/m.exec(inside('ip route'))?.[1];
        expect(inside(ping, ...first, '-c 1 -W 2 -I 10.202.90.151', `${view}.90.151`)).toContain('time=');
        expect(labsOnMachine().length).toBeGreaterThan(before.length);
        expect((await run('lab', '--quiet', '--cluster', 'rome', '--cluster', 'milan')).code).toBe(0);
        expect(labsOnMachine().length).toBeGreaterThan(before.length);
      } finally {
        const { stdout, stderr: said } = await run('lab', '--clean', '-o', 'json');
        expect(said).toMatch(/^removed lab [0-9a-f]{6}, which was kept$/m);
        expect(JSON.parse(stdout).removed.count).toBeGreaterThan(0);
      }
      await expectNothingLeft();
    });

    it('records packets where tcpdump is, and says so where it is not', async () => {
      const { weft: run, folder } = workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));
      const { code, stderr } = await run(
        'lab',
        '--quiet',
        '--cluster',
        'rome',
        '--cluster',
        'milan',
        '--pcap',
        'wires',
      );
      if (thisMachine(memoryHost('/').host.env['PATH']).find('tcpdump') === undefined) {
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('apt-get install tcpdump') });
        return;
      }
      expect(code).toBe(0);
      const names = ['milan.node1', 'milan.node2', 'milan.to.rome', 'rome.node1', 'rome.node2', 'rome.to.milan'];
      expect(readdirSync(join(folder, 'wires')).sort()).toEqual(names.map((it) => `${it}.pcap`));
      const tunnel = readFileSync(join(folder, 'wires/rome.to.milan.pcap'));
      // Libpcap's mark, in the order of this machine's bytes. Source: tcpdump.org, pcap-savefile(5).
      expect(tunnel.readUInt32LE(0)).toBe(0xa1b2c3d4);
      expect(statSync(join(folder, 'wires/rome.to.milan.pcap')).size).toBeGreaterThan(20_000);
    });
  });

  describe('leaves nothing behind', () => {
    const topology = join(GOLDEN, 'two-hubs-with-tiers/topology.yaml');

    /** Resolves once something of a lab is on the machine. */
    const untilItBegins = async () => {
      while (labsOnMachine().length === before.length) await sleep(5);
    };

    it('when it is interrupted, whenever that is', async () => {
      const signals = fc.constantFrom<NodeJS.Signals>('SIGINT', 'SIGTERM', 'SIGHUP');
      await fc.assert(
        fc.asyncProperty(signals, fc.integer({ min: 0, max: 1200 }), async (signal, milliseconds) => {
          const started = startWeft(['lab', '--quiet', topology]);
          await untilItBegins();
          await sleep(milliseconds);
          started.kill(signal);
          const { status } = await started.ended;
          // After it is done, the signal ends it as any other program.
          expect([130, 0, signal]).toContain(status);
          await expectNothingLeft();
        }),
        { numRuns: runsOf(8, 2) },
      );
    });

    it('when it is interrupted twice', async () => {
      const started = startWeft(['lab', '--quiet', topology]);
      await untilItBegins();
      await sleep(200);
      started.kill('SIGINT');
      await sleep(30);
      started.kill('SIGINT');
      expect([130, 'SIGINT']).toContain((await started.ended).status);
      await expectNothingLeft();
    });

    it('when it was killed and another one runs', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 1000 }), async (milliseconds) => {
          const killed = startWeft(['lab', '--quiet', topology]);
          await untilItBegins();
          await sleep(milliseconds);
          killed.kill('SIGKILL');
          await killed.ended;
          const { status } = await startWeft(['lab', '--quiet', '--cluster', 'lab', topology]).ended;
          expect(status).toBe(0);
          await expectNothingLeft();
        }),
        { numRuns: runsOf(3) },
      );
    });

    it('but touches no namespace that it did not make, whatever it is called', async () => {
      const foreign = 'weft-00c0de-europe';
      const ip = (...args: readonly string[]) => spawnSync('ip', args, { encoding: 'utf8' });
      expect(ip('netns', 'add', foreign).status).toBe(0);
      try {
        const sleeper = spawn('ip', ['netns', 'exec', foreign, 'sleep', '60']);
        const ended = new Promise((resolve) => sleeper.on('close', resolve));
        expect((await startWeft(['lab', '--quiet', '--cluster', 'lab', topology]).ended).status).toBe(0);
        const cleaned = await startWeft(['lab', '--clean']).ended;
        expect([cleaned.status, cleaned.stderr]).toEqual([0, expect.stringContaining(`so it stays: ${foreign}`)]);
        expect(ip('netns', 'list').stdout).toContain(foreign);
        expect(sleeper.exitCode).toBe(null);
        sleeper.kill();
        await ended;
      } finally {
        ip('netns', 'del', foreign);
      }
      await expectNothingLeft();
    });
  });
});
