/** A value in a Kubernetes object. Members that are `undefined` are left out. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type JsonMap = { readonly [key: string]: Json | undefined };
