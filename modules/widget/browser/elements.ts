// DOM element creation. Text is never parsed as HTML, whether from the page, the visitor or the server.

type Attributes = Readonly<Record<string, string>>;

export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export function button(attributes: Attributes, text: Node | string, click: () => void): HTMLButtonElement {
  const element = make('button', { type: 'button', ...attributes }, text);
  element.addEventListener('click', click);
  return element;
}

/** Speech bubble icon of the launcher. */
export function bubble(): SVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const [svg, path] = [document.createElementNS(space, 'svg'), document.createElementNS(space, 'path')];
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', 'M4 3h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-8l-6 4.5V17H4a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z');
  svg.append(path);
  return svg;
}

/** Returns black or white, whichever contrasts more with a computed colour. */
export function readableOn(computed: string): string {
  const [red = 0, green = 0, blue = 0] = (computed.match(/[\d.]+/g) ?? []).map((each) => {
    const part = Number(each) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}
