// What npm runs after `npm ci` (package.json, `dependencies`) and before it packs this folder (`prepack`): the build, or a
// sentence why it cannot run. `prepare` would do both, but npm warns whoever installs a tarball with such a script.
try {
  await import('./build.mjs');
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('weft is built with its development dependencies: run `npm ci` in this folder, without --omit=dev');
  process.exitCode = 1;
}
