import { printLock } from '../lock/print-lock.ts';
import type { AddressedModel } from './addressed-model.ts';
import { nextDecisions } from './next-decisions.ts';

/** The text of the lock file with everything that the next compile must keep. */
export const nextLock = (model: AddressedModel): string => printLock(model.fleet.topologyFile, nextDecisions(model));
