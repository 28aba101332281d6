import { listOf } from '../../../../base/core/words.ts';
import type { ChangeWords } from '../change-words.ts';
import { UPGRADE_CHART } from './plain-steps.ts';

export const reservationChangedWords: ChangeWords<'reservation-changed'> = {
  section: 'Addresses',
  title: ({ cluster, added, removed }) => {
    const parts = [
      ...(added.length > 0 ? [`reserves ${listOf(added)}`] : []),
      ...(removed.length > 0 ? [`no longer reserves ${listOf(removed)}`] : []),
    ];
    return `${cluster} ${parts.length === 0 ? 'lists its reservations in another order' : listOf(parts)}`;
  },
  why: {
    'chart-needs-an-upgrade': "Liqo's chart must be upgraded with it; views that move are listed separately",
  },
  steps: { 'upgrade-chart': { what: UPGRADE_CHART, on: ({ cluster }) => cluster } },
};
