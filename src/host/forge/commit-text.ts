import { visibleText } from '../../base/core/visible-text.ts';

/**
 * Text from outside in the message of a commit, on one line. GitHub notifies people whom a message mentions, and closes
 * issues that it names, so the characters of a mention and of a reference become wide ones. Source: docs.github.com,
 * "Autolinked references and URLs" and "Linking a pull request to an issue".
 */
export const commitText = (text: string): string =>
  visibleText(text.replace(/\s+/g, ' '))
    .replace(/@/g, '\uff20')
    .replace(/#/g, '\uff03')
    .replace(/\b(GH)-(?=\d)/gi, '$1\u2010');
