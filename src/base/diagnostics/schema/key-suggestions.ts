import { didYouMean } from '../did-you-mean.ts';
import { ownNameOf } from './other-names.ts';
import { propertiesOf, type SchemaError } from './schema-error.ts';

/** The known key that was probably meant by an unknown one. */
export type KeySuggestions = (unknown: string, error: SchemaError) => string | undefined;

/** Computed once per key and schema: the same typing error may be in every cluster of a large fleet. */
export function keySuggestions(): KeySuggestions {
  const bySchema = new Map<unknown, Map<string, string | undefined>>();
  return (unknown, error) => {
    const suggestions = bySchema.get(error.parentSchema) ?? new Map<string, string | undefined>();
    bySchema.set(error.parentSchema, suggestions);
    if (!suggestions.has(unknown)) {
      const known = Object.keys(propertiesOf(error));
      suggestions.set(unknown, ownNameOf(unknown, known) ?? didYouMean(unknown, known));
    }
    return suggestions.get(unknown);
  };
}
