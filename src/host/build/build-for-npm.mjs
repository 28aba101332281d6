// Run by npm after `npm ci` (package.json, `dependencies`) and before it packs this folder (`prepack`): builds, or
// prints why it cannot. `prepare` would cover both cases, but npm prints a warning when a tarball with such a script is
// installed.
try {
  await import('./build.mjs');
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('weft is built with its development dependencies: run `npm ci` in this folder, without --omit=dev');
  process.exitCode = 1;
}
