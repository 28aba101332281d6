/** The class of a slice that Liqo answers by itself. Source: liqotech/liqo@v1.2.0 apis/authentication/v1beta1/resourceslice_types.go. */
export const DEFAULT_SLICE_CLASS = 'default';
