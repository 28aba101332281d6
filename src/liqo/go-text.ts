/**
 * Text that Go's text/template prints as it stands. Liqo runs every string of a gateway template through that, also those
 * a user wrote. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
export const goText = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');
