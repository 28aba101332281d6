import type { Action } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';

export const alertsChangedWords: ChangeWords<'alerts-changed'> = {
  section: 'Settings',
  title: ({ cluster, action }) => `${cluster} ${WHAT[action]}`,
  why: { 'only-alerts': 'Prometheus reads them; no packet takes another way' },
  steps: {
    'apply-alerts': {
      what: 'apply the folder, once the Prometheus operator is installed there; no entry point of Argo CD or Flux does',
      on: ({ cluster }) => `${cluster}/monitoring`,
    },
  },
};

const WHAT: Readonly<Record<Action, string>> = {
  add: 'gets alerts on its tunnels',
  change: 'has other alerts on its tunnels',
  remove: 'loses alerts on its tunnels',
};
