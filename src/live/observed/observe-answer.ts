import { isJsonMap, type Json, jsonAt, textAt } from '../dumps/json.ts';
import type { ObservedAnswer } from './observed-sharing.ts';

/** The `authParams` of a spec or a status; `null` where there is no certificate and no access in them. */
export function observeAnswer(part: Json | undefined): ObservedAnswer | null {
  const params = jsonAt(part, 'authParams');
  const text = (name: string): string => textAt(params, name) ?? '';
  const hasAccess = isJsonMap(params) && params['awsConfig'] !== undefined;
  const certificate = text('signedCRT');
  if (certificate === '' && !hasAccess) return null;
  return { apiServer: text('apiServer'), ca: text('ca'), certificate, proxyURL: text('proxyURL'), hasAccess };
}
