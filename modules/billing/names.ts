import { defineNames } from '@keelson/core';
import { Invoice } from './invoices/entities.ts';

export const InvoiceNumbers = defineNames(Invoice, ['invoice_number'], (row) => row.invoice_number);
