/** Liqo renders every text of a template with Go's text/template, so texts of the topology are escaped. */
export const literal = (text: string): string => text.replaceAll('{{', '{{ "{{" }}');
