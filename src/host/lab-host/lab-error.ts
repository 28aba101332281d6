import { EnvironmentError } from '../disk/environment-error.ts';

/** A lab cannot be built on this machine, or cannot be removed. */
export class LabError extends EnvironmentError {
  override readonly name: string = 'LabError';
}
