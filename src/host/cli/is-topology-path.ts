/**
 * True for an argument that names a topology: it ends in .yaml, or begins like the path of a folder. A cluster with an
 * address, `rome/10.202.0.5`, and a network are none.
 */
export const isTopologyPath = (argument: string | undefined): boolean =>
  argument !== undefined && /\.ya?ml$|^\.{0,2}[/\\]|[/\\]$|\\/.test(argument);
