/** An error stops the run; a warning and a note do not. */
export type Severity = 'error' | 'warning' | 'note';
