import { describe, expect, it } from 'vitest';
import { oncePerText } from '../../../src/base/core/once.ts';
import { UNDERLAY } from '../../../src/reach/lab/lab-scope.ts';
import { clusterOfNamespace, type LabStep } from '../../../src/reach/lab/plan-steps.ts';
import { CHANGES } from '../../host/lab-host/changes.ts';
import { type StepsOfChange, stepsOf } from '../../host/lab-host/lab-steps-support.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';

const nameOf = ({ fleet, what }: (typeof CHANGES)[number]): string => `${fleet}: ${what}`;

const of = oncePerText((name): StepsOfChange => {
  const found = CHANGES.find((it) => nameOf(it) === name);
  if (found === undefined) throw new Error(`no change ${name}`);
  return stepsOf(found);
});

/** On a push, a change of each kind and one of each fleet. */
const isFirstOfKind = firstOfEach(({ what }: (typeof CHANGES)[number]) => what);
const isFirstOfFleet = firstOfEach(({ fleet }: (typeof CHANGES)[number]) => fleet);
const names = drawn(CHANGES, (it) => isFirstOfKind(it) || isFirstOfFleet(it)).map(nameOf);

/** `restart europe.to.milan`, a list for each wave. */
const gatewaysOf = (step: LabStep | undefined): readonly (readonly string[])[] =>
  (step?.waves ?? []).map((wave) => wave.flatMap((it) => it.gateways.map((one) => `${one.kind} ${one.namespace}`)));

describe('the states of a change in a lab', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['own networks, a hub of a hub: rotation', [['restart europe.to.milan'], ['restart milan.to.europe']]],
    ['load balancers, one key of a link: rotation', [['peer north.to.rome'], ['restart rome.to.north']]],
    // The node port stays, and with it what the client dials.
    ['one pod CIDR everywhere: port', [['restart north.to.milan', 'restart north.to.rome', 'restart north.to.south']]],
    [
      'load balancers, one key of a link: port',
      [
        ['restart north.to.rome', 'restart north.to.south'],
        ['restart rome.to.north', 'restart south.to.north'],
      ],
    ],
    [
      'two hubs with shortcuts: mtu',
      [['restart north.to.rome'], ['restart rome.to.north', 'restart rome.to.milan'], ['restart milan.to.rome']],
    ],
    ['one pod CIDR everywhere: hub', [['stop north.to.rome', 'stop rome.to.north']]],
  ])('%s: gateways start again, those that serve first', (name, expected) => {
    expect(gatewaysOf(of(name).steps.steps.at(-1))).toEqual(expected);
  });

  it.each(names)('%s: watches each pair that can talk before and after, both ways', (name) => {
    for (const { flows } of of(name).steps.steps) {
      const pairs = flows.map((it) => `${it.from} ${it.to}`);
      expect(new Set(pairs).size).toBe(pairs.length);
      expect(flows.map((it) => `${it.to} ${it.from}`).sort()).toEqual([...pairs].sort());
      expect(pairs.length).toBeGreaterThan(0);
    }
  });

  it.each(names)('%s: a part has the same address and the same cables in every state', (name) => {
    const { namespaces, cables } = of(name).steps.start;
    for (const it of namespaces.filter(({ kind }) => kind === 'gateway'))
      expect([it.name, it.addresses.map(({ device }) => device).sort()]).toEqual([it.name, ['eth0', 'lo']]);
    const ends = cables.flatMap((it) => it.ends.map(({ namespace, device }) => `${namespace} ${device}`));
    expect(new Set(ends).size).toBe(ends.length);
  });

  it('translates the last answers of a gateway that stops, from the port that it had', () => {
    const { start, steps } = of('one pod CIDR everywhere: port').steps;
    const outside = steps.flatMap((it) => it.waves.flat()).flatMap((it) => it.namespaces);
    const [change] = outside.filter((it) => clusterOfNamespace(it.namespace) === UNDERLAY);
    const before = start.namespaces.find((it) => it.name === UNDERLAY)?.rulesets[0]?.text ?? '';
    const portsIn = (text = ''): readonly string[] =>
      [...new Set(text.match(/(?<=udp sport )\d+(?= ip saddr)/g))].sort();
    expect(portsIn(before)).toHaveLength(2);
    expect(portsIn(change?.transactions.join())).toEqual(portsIn(before));
  });

  it('goes on with the flows through a hub when their clusters get a link', () => {
    const [add] = of('one pod CIDR everywhere: hub').steps.steps;
    const through = add?.flows.filter((it) => it.from === 'rome' && it.to === 'south').map((it) => it.hub);
    expect(through).toEqual(['north']);
  });

  it('changes nothing in clusters that have no part in a change', () => {
    const touched = (name: string, index: number): readonly string[] => {
      const { waves = [] } = of(name).steps.steps[index] ?? {};
      const changed = waves.flat().flatMap((it) => it.namespaces.map((one) => clusterOfNamespace(one.namespace)));
      return [...new Set(changed)].sort();
    };
    expect(touched('own networks, a hub of a hub: pods', 0)).toEqual(['europe', 'milan']);
    expect(touched('own networks, a hub of a hub: hub', 0)).toEqual(['asia', 'rome', 'underlay']);
  });

  it('deletes the rules of a table before it adds the new ones, and leaves other tables alone', () => {
    const [add] = of('one pod CIDR and one external CIDR everywhere: pods').steps.steps;
    const change = add?.waves
      .flat()
      .flatMap((it) => it.namespaces)
      .find((it) => it.namespace === 'north.to.rome');
    expect(change?.transactions.map((it) => it.match(/^(flush table|delete table|table).*/gm))).toEqual([
      ['flush table ip remap-podcidr'],
      ['table ip remap-podcidr {', expect.stringMatching(/^table ip pod-[-0-9]+-remap-ipmapping-gw-rome \{/)],
    ]);
  });

  it('changes the network outside at once', () => {
    const [add] = of('one pod CIDR everywhere: hub').steps.steps;
    const outside = add?.waves
      .flat()
      .flatMap((it) => it.namespaces)
      .find((it) => it.namespace === 'underlay');
    expect(outside?.transactions.map((it) => it.match(/^(flush table|table).*/gm))).toEqual([
      ['flush table ip weft-lab-dial', 'table ip weft-lab-dial {'],
    ]);
  });

  it.each(names)('%s: announces a loss wherever rules are rewritten', (name) => {
    const { steps, losses } = of(name);
    for (const [index, { waves }] of steps.steps.entries()) {
      const rewritten = waves
        .flat()
        .flatMap((it) => it.namespaces.filter((one) => /^flush table ip remap-/m.test(one.transactions[0] ?? '')))
        .flatMap((it) => /^(.*)\.to\.(.*)$/.exec(it.namespace)?.slice(1, 3).sort().join('/') ?? []);
      expect(losses[index]?.flatMap((it) => it.pairs) ?? []).toEqual(expect.arrayContaining(rewritten));
    }
  });
});
