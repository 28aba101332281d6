import { changeKind } from '../change-kind.ts';
import { ABOUT_FLEET } from '../subject.ts';
import { harmless } from '../verdict.ts';

export const lockChanged = changeKind('lock-changed')({
  // There is at most one.
  identity: () => [],
  subject: () => ABOUT_FLEET,
  code: null,
  judge: () => harmless('change', 'nothing-applied-changes'),
  flows: () => [],
  explains: () => [],
});
