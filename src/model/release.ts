// The releases stand in topology/, which reads them first; every later room knows them through the model.
export { isAtLeast, NEWEST_PATCH, type Release, type ReleaseLine, releaseOf } from '../topology/release.ts';
