import { EnvironmentError } from './environment-error.ts';

/** git is missing, there is no repository, or it lacks what was asked for. */
export class GitError extends EnvironmentError {
  override readonly name = 'GitError';
}
