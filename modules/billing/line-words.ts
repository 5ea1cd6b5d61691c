// Misnamed line fields that clients send because other formats use them. Ignoring them would change the amount, so they
// are refused with the correct name, while other unknown fields are ignored (V-12).
import { z } from '@keelson/core';
import { dictionaryOf } from '@keelson/core/kit';

const known = {
  price: 'is not known; the price of one is unit_price',
  unit_cost: 'is not known; the price of one is unit_price',
  rate: 'is not known; the price of one is unit_price',
  qty: 'is not known; it is called quantity',
  hours: 'is not known; hours are a quantity',
  tax: 'is not known; the rate in per cent is tax_rate',
  tax_percent: 'is not known; it is called tax_rate',
  vat: 'is not known; it is called tax_rate',
  discount: 'is not known; a discount is a line with a negative unit_price',
};

/** Returns the object schema `shape`, which refuses the common misnamed fields and those in `more`. */
export function lineObject<S extends z.ZodRawShape>(shape: S, more: object = {}) {
  const refused: [string, string][] = Object.entries({ ...known, ...more });
  return z
    .looseObject(shape)
    .superRefine((sent: object, { addIssue }) => {
      const line = dictionaryOf(sent);
      for (const [word, message] of refused) {
        if (line[word] !== undefined && line[word] !== null) addIssue({ code: 'custom', path: [word], message });
      }
    })
    .transform((line) => line as z.output<z.ZodObject<S>>);
}
