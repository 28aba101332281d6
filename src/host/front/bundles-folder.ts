/** The default of `--out`. */
export const OUT = 'out';

/** The folder that `--out` names, without a slash at its end. */
export const bundlesFolder = ({ out }: { readonly out: string | undefined }): string =>
  (out ?? OUT).replace(/(?<=.)\/+$/, '');
