/** What an object of Kubernetes is made of. Members that are `undefined` are left out. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };

export type JsonMap = { readonly [key: string]: Json | undefined };
