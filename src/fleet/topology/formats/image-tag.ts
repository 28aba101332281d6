import type { TextFormat } from './text-format.ts';

/** The tag of an image. Source: distribution/reference@v0.6.0 regexp.go. */
export const IMAGE_TAG: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'the tag of an image',
  hintFor: (text) =>
    /^\w[\w.-]{0,127}$/.test(text)
      ? undefined
      : 'use at most 128 letters, digits, dashes, dots and underscores, like v1.2.0',
};
