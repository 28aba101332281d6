/**
 * Text escaped so that Go's text/template prints it unchanged. Liqo renders every string of a gateway template, also
 * those from the topology.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/networking/external-network/utils/template.go.
 */
export const goText = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');
