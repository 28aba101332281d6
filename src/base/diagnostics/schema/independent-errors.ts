import type { KeySuggestions } from './key-suggestions.ts';
import type { SchemaError } from './schema-error.ts';

/** The errors that are mistakes of their own. Errors that only follow from another one are left out. */
export function independentErrors(errors: readonly SchemaError[], suggestions: KeySuggestions): readonly SchemaError[] {
  const candidates = errors.filter((it) => !isAboutNothing(it));
  const wronglyTyped = new Set(candidates.filter((it) => it.keyword === 'type').map((it) => it.instancePath));
  const misspelt = misspeltKeys(candidates, suggestions);
  const seen = new Set<string>();
  return candidates.filter(({ keyword, instancePath, params }) => {
    if (keyword !== 'type' && wronglyTyped.has(instancePath)) return false;
    // `cluster:` for `clusters:` is one mistake: the unknown key.
    if (keyword === 'required' && misspelt.get(instancePath)?.has(String(params['missingProperty']))) return false;
    // The value at one place is reported once; each key below it may also be unknown or missing.
    const place = JSON.stringify([instancePath, params['additionalProperty'] ?? params['missingProperty']]);
    if (seen.has(place)) return false;
    seen.add(place);
    return true;
  });
}

/** Our schemas use anyOf only for a value that may be empty. Then only the errors of the value are reported. */
const isAboutNothing = ({ keyword, params }: SchemaError): boolean =>
  keyword === 'anyOf' || (keyword === 'type' && params['type'] === 'null');

/** By place, the known keys that were probably meant by unknown ones. */
function misspeltKeys(
  errors: readonly SchemaError[],
  suggestions: KeySuggestions,
): ReadonlyMap<string, ReadonlySet<string>> {
  const misspelt = new Map<string, Set<string>>();
  for (const error of errors) {
    if (error.keyword !== 'additionalProperties') continue;
    const meant = suggestions(String(error.params['additionalProperty']), error);
    if (meant === undefined) continue;
    const known = misspelt.get(error.instancePath) ?? new Set<string>();
    misspelt.set(error.instancePath, known.add(meant));
  }
  return misspelt;
}
