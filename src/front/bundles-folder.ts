/** The folder that `--out` names, without a slash at its end. */
export const bundlesFolder = ({ out }: { readonly out: string | undefined }): string =>
  (out ?? 'out').replace(/(?<=.)\/+$/, '');
