import { EnvironmentError } from '../disk/environment-error.ts';

/** No lab can be built on this machine, or not be taken down again. */
export class LabError extends EnvironmentError {
  override readonly name: string = 'LabError';
}
