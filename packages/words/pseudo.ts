// Pseudo-languages, generated from the English messages: text that did not come from a catalogue stands out on a page.
import { parse, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';

const accents: Readonly<Record<string, string>> = Object.fromEntries(
  [...'aáAÁcçCÇdđDĐeéEÉgğGĞiíIÍjĵJĴkķKĶlľLĽnñNÑoóOÓrřRŘsšSŠtťTŤuúUÚwŵWŴyýYÝzžZŽ'.matchAll(/(.)(.)/gu)].map(
    ([, plain = '', accented = '']) => [plain, accented],
  ),
);

/** Returns the message with accents, a third longer and in brackets: `[Ťíçķéť ···]`. */
export function pseudo(message: string): string {
  const elements = parse(message, { ignoreTag: true });
  const longer = '·'.repeat(Math.ceil(message.length / 3));
  return `[${printAST(elements.map(accented))} ${longer}]`;
}

/** Literals have type 0; plurals and selects have messages as options. */
function accented(element: MessageFormatElement): MessageFormatElement {
  if (element.type === 0)
    return { ...element, value: element.value.replaceAll(/[a-z]/gi, (each) => accents[each] ?? each) };
  if (!('options' in element)) return element;
  const options = Object.entries(element.options).map(([name, { value }]) => [name, { value: value.map(accented) }]);
  return { ...element, options: Object.fromEntries(options) } as MessageFormatElement;
}
