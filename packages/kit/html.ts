// HTML templates for mail and the few server-rendered pages.

/** Markup with every value escaped: the result of the `html` tag. */
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

/** Builds an HTML fragment: ``html`<p>${name}</p>` ``. Values are escaped, except for nested fragments. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const text = parts.reduce((before, part, i) => {
    const value = values[i - 1];
    return before + (typeof value === 'object' ? value.text : escapeHtml(String(value))) + part;
  });
  return { text };
}
