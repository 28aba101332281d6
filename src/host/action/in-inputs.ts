import { ACTION_INPUTS } from './action-inputs.ts';

/** A text for users of the Action, where each flag of `weft pr` is an input, and the token is one as well. */
export const inInputs = (text: string): string =>
  text
    .replace(/(?<![\w"-])--([a-z][a-z-]*)/g, (flag, name: string) =>
      ACTION_INPUTS.includes(name) ? `the input "${name}"` : flag,
    )
    .replace(/WEFT_TOKEN or GITHUB_TOKEN/g, 'the input "token"');
