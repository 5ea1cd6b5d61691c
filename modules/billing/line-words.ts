// Misnamed line fields that clients send because other formats use them. Ignoring them would change the amount, so they
// are refused with the correct name, while other unknown fields are ignored (V-12).
import { z } from '@keelson/core';
import { dictionaryOf } from '@keelson/core/kit';

const known = {
  price: 'is not supported: use unit_price for the price per unit',
  unit_cost: 'is not supported: use unit_price for the price per unit',
  rate: 'is not supported: use unit_price for the price per unit',
  qty: 'is not supported: use quantity',
  hours: 'is not supported: use quantity for hours',
  tax: 'is not supported: use tax_rate for the percentage',
  tax_percent: 'is not supported: use tax_rate',
  vat: 'is not supported: use tax_rate',
  discount: 'is not supported: add a line with a negative unit_price for a discount',
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
