// The few pages the server renders itself. Values are escaped; pieces of HTML are joined in.

/** Markup in which every value is escaped: what the `html` tag gives. */
export interface Html {
  readonly text: string;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (each) => entities[each] ?? each);
}

/** A piece of HTML: ``html`<p>${name}</p>` ``; every value but another piece is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const text = parts.reduce((before, part, i) => {
    const value = values[i - 1];
    return before + (typeof value === 'object' ? value.text : escapeHtml(String(value))) + part;
  });
  return { text };
}
