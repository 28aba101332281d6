import type { Action } from '../../../plan/difference.ts';
import type { FlowEffect } from '../../../plan/flows.ts';
import type { StepTime } from '../../../plan/verdict.ts';

export const SIGNS: Readonly<Record<Action, string>> = { add: '+', change: '~', remove: '-' };

export const EFFECT_WORDS: Readonly<Record<FlowEffect, string>> = {
  stops: 'stops',
  interrupted: 'is interrupted',
  readdressed: 'gets other addresses',
  rerouted: 'is rerouted',
  opens: 'becomes possible',
};

export const WHEN_WORDS: Readonly<Record<StepTime, string>> = {
  before: 'before merging',
  together: 'while it is applied',
  after: 'afterwards',
};
