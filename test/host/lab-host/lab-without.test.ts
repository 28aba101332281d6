import { describe, expect, it } from 'vitest';
import { printLinkId } from '../../../src/base/core/lock-key.ts';
import type { Flow, LabPlan } from '../../../src/reach/lab/lab-plan.ts';
import { labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import { findPart, without } from '../../../src/reach/whatif/parts.ts';
import { type Detour, whatIf } from '../../../src/reach/whatif/what-if.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { carryOut, whyNoLab } from './lab-support.ts';

const reason = whyNoLab();

/** One probe of each flow from pods, without those that only measure. */
const onlyPods = (plan: LabPlan): LabPlan => ({
  ...plan,
  probes: plan.probes.filter((it) => it.protocol === 'udp' && it.flow.sender === 'pod'),
});

const pathText = ({ from, to, hub }: Pick<Flow, 'from' | 'to' | 'hub'>): string =>
  `${from} to ${to} ${hub === null ? 'direct' : `through ${hub}`}`;

const wayText = (path: Detour['after']): string | null => (path.kind === 'through' ? path.hub : null);

const CASES = [
  ['topologies/topology.yaml', 'milan/rome'],
  ['topologies/topology.yaml', 'rome/europe'],
  ['assertions-without-a-part-hold', 'hub-a/rome'],
] as const;

describe.skipIf(reason !== null)(`real traffic without a tunnel (${reason ?? 'in this kernel'})`, () => {
  it.each(CASES)(
    '%s without %s is lost where the what-if says so, and arrives on its other ways',
    async (name, link) => {
      const model = compiledFleets().find((it) => it.name === name)?.compiled.model;
      const reading = model && findPart(model, link);
      if (model === undefined || reading?.ok !== true) throw new Error(`no link ${link} in ${name}`);
      const { cut, around } = whatIf(model, [reading.part], { assertions: [], serviceAssertions: [] });
      const off = new Set(reading.part.links.map((it) => printLinkId(it.id)));

      // The client dials another port, so this tunnel never comes up; all else is as compiled.
      const plan = onlyPods(planLab(labScope(model, [])));
      const tunnels = plan.tunnels.map((it) =>
        off.has(it.link) && it.end.kind === 'client'
          ? { ...it, end: { ...it.end, dial: { ...it.end.dial, port: it.end.dial.port + 1 } } }
          : it,
      );
      const { verdicts, silent } = await carryOut({ ...plan, tunnels });
      expect(silent).toEqual([...off]);
      const lost = new Set(verdicts.filter((it) => !it.agrees).map((it) => pathText(it.probe.flow)));
      const left = new Set(verdicts.filter((it) => it.agrees).map((it) => pathText(it.probe.flow)));
      expect(lost.size).toBeGreaterThan(0);
      for (const { from, to, before } of around) {
        expect(lost).toContain(pathText({ from: from.name, to: to.name, hub: wayText(before) }));
      }
      const pairs = new Set(cut.map(({ from, to }) => `${from.name} to ${to.name}`));
      for (const it of left) expect(pairs).not.toContain(it.split(' ').slice(0, 3).join(' '));
      const changed = new Set([...pairs, ...around.map(({ from, to }) => `${from.name} to ${to.name}`)]);
      const isFirst = (it: Flow): boolean => {
        const [path] = plan.probes.filter((one) => one.flow.from === it.from && one.flow.to === it.to);
        return path?.flow.hub === it.hub;
      };
      for (const { probe, agrees } of verdicts)
        if (isFirst(probe.flow))
          expect([pathText(probe.flow), agrees]).toEqual([
            pathText(probe.flow),
            !changed.has(`${probe.flow.from} to ${probe.flow.to}`),
          ]);

      // Senders dial the addresses of the other ways.
      const reduced = onlyPods(planLab(labScope(without(model, [reading.part]), [])));
      const again = await carryOut(reduced);
      expect(again.verdicts.filter((it) => !it.agrees)).toEqual([]);
      const arrived = new Set(again.verdicts.map((it) => pathText(it.probe.flow)));
      for (const { from, to, after } of around)
        expect(arrived).toContain(pathText({ from: from.name, to: to.name, hub: wayText(after) }));
      for (const it of arrived) expect(pairs).not.toContain(it.split(' ').slice(0, 3).join(' '));
    },
  );
});
