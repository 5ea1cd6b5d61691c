import { defineNames } from '@keelson/core';
import { Invoice } from './invoices/entities.ts';
import { Subscription } from './subscriptions/entities.ts';

export const InvoiceNumbers = defineNames(Invoice, ['invoice_number'], (row) => row.invoice_number);
export const SubscriptionNames = defineNames(Subscription, ['name'], (row) => row.name);
