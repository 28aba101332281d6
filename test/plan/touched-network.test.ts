import { describe, expect, it } from 'vitest';
import { touchedNetwork } from '../../src/plan/touched-network.ts';
import { EDITS } from './edits.ts';
import { runEdit } from './run-edit.ts';

const touchedBy = (name: string) => {
  const { clusters, links } = touchedNetwork(runEdit(EDITS.find((it) => it.name === name) ?? { name }).plan);
  return {
    clusters: clusters.map((it) => [it.name, it.action]),
    links: links.map((it) => [it.link.pair, it.action, it.hub]),
    breaks: [...clusters, ...links].some((it) => it.breaks),
  };
};

describe('what a plan touches', () => {
  it('is a new cluster with its link, and the hub as a neighbour', () => {
    expect(touchedBy('add-a-leaf')).toEqual({
      clusters: [
        ['europe', null],
        ['paris', 'add'],
      ],
      links: [['europe/paris', 'add', 'europe']],
      breaks: false,
    });
  });

  it('is both hubs and all their links where the hub is another one', () => {
    const { links, breaks } = touchedBy('swap-the-hub');
    expect(links).toEqual([
      ['europe/milan', 'change', 'milan'],
      ['europe/oslo', 'remove', 'europe'],
      ['europe/rome', 'remove', 'europe'],
      ['milan/oslo', 'add', 'milan'],
      ['milan/rome', 'add', 'milan'],
    ]);
    expect(breaks).toBe(true);
  });

  it('is the links around a cluster that changes by itself', () => {
    expect(touchedBy('trust-another-authority')).toEqual({
      clusters: [
        ['milan', null],
        ['rome', 'change'],
        ['turin', null],
      ],
      links: [
        ['milan/rome', null, 'rome'],
        ['rome/turin', null, 'rome'],
      ],
      breaks: false,
    });
  });

  it('says what a renamed cluster was called', () => {
    const { plan } = runEdit(EDITS.find((it) => it.name === 'rename-a-cluster') ?? { name: '' });
    expect(touchedNetwork(plan).clusters.map((it) => [it.name, it.formerName])).toEqual([
      ['bergen', 'oslo'],
      ['europe', null],
    ]);
  });
});
