import { describe, expect, it } from 'vitest';
import type { Topology } from '../../../src/base/schema-types/topology.ts';
import { readDocument } from '../../../src/base/source/read-document.ts';
import { Reading, type Unchecked } from '../../../src/base/source/reading.ts';
import type { Span } from '../../../src/base/source/source.ts';

function readingOf<T>(text: string): Reading<T> {
  const result = readDocument({ path: 'topology.yaml', text }, { language: 'yaml' });
  if (!result.ok) throw new Error(result.problems.map((it) => it.message).join('; '));
  return Reading.of<T>(result.root);
}

const textIn = ({ source, start, end }: Span): string => source.text.slice(start, end);

const TEXT = `name: europe
defaults:
  gateway: { mtu: 1400, replicas: 2 }
  labels: { tier: edge }
clusters:
  rome:
    podCIDR: [10.1.0.0/16, 10.2.0.0/16]
    hub:
    gateway: { mtu: 1300 }
  milan: { gateway: 203.0.113.30 }
shortcuts:
  - [rome, milan]
  - { between: [rome, milan], port: 51820 }
`;
const topology = readingOf<Topology>(TEXT);
const rome = topology.at('clusters').at('rome');
const milan = topology.at('clusters').at('milan');

describe('a reading', () => {
  it('gives a scalar with its place', () => {
    const mtu = rome.at('gateway').at('mtu');
    expect(mtu.scalar()?.value).toBe(1300);
    expect([textIn(mtu.span), textIn(mtu.keySpan)]).toEqual(['1300', 'mtu']);
  });

  it('is absent below an absent value, with the place of the nearest text', () => {
    const port = milan.at('gateway').at('dial').at('port');
    expect([port.isPresent, port.scalar(), port.plain(), port.texts()]).toEqual([
      false,
      undefined,
      undefined,
      undefined,
    ]);
    expect([port.items(), port.entries(), [...port.scalars()], port.textMap()]).toEqual([[], [], [], {}]);
    expect(port.orDefault(51820)).toEqual({ value: 51820, at: milan.at('gateway').span });
    expect(textIn(port.keySpan)).toBe('203.0.113.30');
  });

  it('takes one text for a list, and null for none', () => {
    expect(
      rome
        .at('podCIDR')
        .texts()
        ?.map((it) => [it.value, textIn(it.at)]),
    ).toEqual([
      ['10.1.0.0/16', '10.1.0.0/16'],
      ['10.2.0.0/16', '10.2.0.0/16'],
    ]);
    expect(
      topology
        .at('name')
        .texts()
        ?.map((it) => it.value),
    ).toEqual(['europe']);
    expect([rome.at('hub').isPresent, rome.at('hub').texts(), rome.at('hub').scalar()]).toEqual([
      true,
      undefined,
      undefined,
    ]);
  });

  it('reads both forms of a key that is a text or a map', () => {
    expect(milan.at('gateway').scalar()?.value).toBe('203.0.113.30');
    expect(rome.at('gateway').scalar()).toBeUndefined();
    const [short, long] = topology.at('shortcuts').items();
    expect(short?.texts()?.map((it) => it.value)).toEqual(['rome', 'milan']);
    expect(long?.texts()).toBeUndefined();
    expect(
      long
        ?.at('between')
        .texts()
        ?.map((it) => it.value),
    ).toEqual(['rome', 'milan']);
    expect(long?.at('port').scalar()?.value).toBe(51820);
  });

  it('lists the entries of a map in source order, with the places of their names', () => {
    const entries = topology.at('clusters').entries();
    expect(entries.map((it) => [it.name.value, textIn(it.name.at)])).toEqual([
      ['rome', 'rome'],
      ['milan', 'milan'],
    ]);
    expect(entries[0]?.value.at('podCIDR').isPresent).toBe(true);
    const labels = topology.at('defaults').at('labels');
    expect([...labels.scalars()].map((it) => [textIn(it.name.at), textIn(it.value.at)])).toEqual([['tier', 'edge']]);
    expect(labels.textMap()).toEqual({ tier: 'edge' });
  });

  it('is merged over another, key by key, and every part keeps its place', () => {
    const merged = rome.over(topology.at('defaults'));
    expect(merged.plain()).toEqual({
      gateway: { mtu: 1300, replicas: 2 },
      labels: { tier: 'edge' },
      podCIDR: ['10.1.0.0/16', '10.2.0.0/16'],
      hub: null,
    });
    expect(merged.at('gateway').at('replicas').span.start).toBe(TEXT.indexOf('2 }'));
    expect(merged.span).toBe(rome.span);
    expect(rome.over(readingOf<Topology>('name: x').at('defaults')).plain()).toEqual(rome.plain());
  });

  it('reads a document without a schema by any key', () => {
    const object = readingOf<Unchecked>('kind: List\nitems: [{ metadata: { name: a } }]\n');
    expect(object.at('kind').scalar()?.value).toBe('List');
    expect(object.at('items').items()[0]?.at('metadata').at('name').scalar()?.value).toBe('a');
  });
});

describe('the types of a reading', () => {
  it('have the keys of the schema: another one does not compile', () => {
    const gateway = rome.at('gateway');
    // @ts-expect-error It is `listenPort`.
    expect(gateway.at('listenPrt').isPresent).toBe(false);
    // @ts-expect-error It is `podCIDR`.
    expect(rome.at('podCidr').isPresent).toBe(false);
    // @ts-expect-error A list has items, and no keys.
    expect(rome.at('reserved').at('length').isPresent).toBe(false);
  });

  it('have the types of scalars', () => {
    const gateway = rome.at('gateway');
    const mtu: number = gateway.at('mtu').orDefault(1340).value;
    const service: 'NodePort' | 'LoadBalancer' | 'ClusterIP' = gateway.at('service').orDefault('NodePort').value;
    expect([mtu, service]).toEqual([1300, 'NodePort']);
    // @ts-expect-error An MTU is a number.
    gateway.at('mtu').orDefault('1340');
    // @ts-expect-error There is no such type of Service.
    gateway.at('service').orDefault('Nodeport');
  });
});
