import { EnvironmentError } from './environment-error.ts';

/** git is missing, there is no repository, or the repository lacks the commit or the file. */
export class GitError extends EnvironmentError {
  override readonly name = 'GitError';
}
