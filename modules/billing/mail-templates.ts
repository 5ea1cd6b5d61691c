import { mailTemplate } from '@keelson/core';

/** With the invoice as a PDF (B-07). */
export const InvoiceSentMail = mailTemplate('invoice_sent', {
  name: 'Invoice: sent to the customer',
  subject: 'Invoice {{ invoice_number }} from {{ provider_name }}',
  body: `Hello {{ recipient_name }},

invoice {{ invoice_number }} for {{ company_name }} is ready.

Amount: {{ total }}
Due: {{ due_date }}

{{ provider_name }}`,
  variables: ['invoice_number', 'company_name', 'total', 'due_date'],
});
