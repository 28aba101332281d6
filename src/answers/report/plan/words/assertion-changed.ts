import { listOf } from '../../../../base/core/words.ts';
import type { Demand } from '../../../../plan/demand.ts';
import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';

export const assertionChangedWords: ChangeWords<'assertion-changed'> = {
  section: 'Assertions',
  title: (it) => title(it),
  why: {
    'holds-already': 'every compile checks it from now on, and this one does already',
    'demands-more': 'every compile checks more than before, and this one does already',
    'another-demands-it': 'another assertion demands the same or more',
    'its-clusters-leave': 'the clusters that it is about leave the fleet',
    'nobody-notices':
      'it was demanded, and from now on no check fails when it no longer holds, which may be in this very change',
  },
  steps: {
    'ask-who-relies-on-it': {
      what: 'ask who has demanded it whether it may go',
      on: ({ from, to }) => sentence(from ?? to),
    },
  },
  fields: ({ from, to }) => ({ from: plain(from), to: plain(to) }),
};

function title({ from, to, spared }: Difference<'assertion-changed'>): string {
  if (to === null) return `no longer demanded: ${sentence(from)}`;
  if (from === null) return `demanded from now on: ${sentence(to)}`;
  const changed = sentence(from) === sentence(to) ? '' : `demanded now: ${sentence(to)}; before: ${sentence(from)}`;
  if (spared.length === 0) return changed;
  const without = `no longer demanded of ${listOf(spared)}`;
  return changed === '' ? `${without}: ${sentence(to)}` : `${changed}; ${without}`;
}

/** `rome must reach milan over a link of the two`. */
function sentence(it: Demand | null): string {
  if (it === null) return '';
  const { from, to, expect, via } = it;
  const path = via === null ? '' : via === 'hub' ? ' through a hub' : ' over a link of the two';
  const verb = expect === 'reachable' ? 'must reach' : 'must not reach';
  return `${endWords(from)} ${verb} ${endWords(to)}${path}`;
}

function endWords(end: string): string {
  if (end === '*') return 'every cluster';
  if (end.includes('=')) return `clusters with ${end}`;
  return end.includes('/') ? `Service ${end}` : end;
}

const plain = (it: Demand | null) =>
  it === null ? null : { from: it.from, to: it.to, expect: it.expect, via: it.via, text: sentence(it) };
