// HTML templates for the few pages that the server renders and for mails.

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

/** Escapes text for element content and quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (each) => entities[each] ?? each);
}

/** A piece of HTML: ``html`<p>${name}</p>` ``. Values are escaped, except other pieces of HTML. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const text = parts.reduce((before, part, i) => {
    const value = values[i - 1];
    return before + (typeof value === 'object' ? value.text : escapeHtml(String(value))) + part;
  });
  return { text };
}
