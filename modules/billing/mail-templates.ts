import { mailTemplate } from '@keelson/core';

/** Has the invoice attached as a PDF (B-07). */
export const InvoiceSentMail = mailTemplate('invoice_sent', {
  name: 'Invoice sent',
  subject: 'Invoice {{ invoice_number }} from {{ provider_name }}',
  body: `Hello {{ recipient_name }},

Invoice {{ invoice_number }} for {{ company_name }} is ready.

Amount: {{ total }}
Due: {{ due_date }}

{{ provider_name }}`,
  variables: ['invoice_number', 'company_name', 'total', 'due_date'],
});

/** Includes the sender's message. */
export const InvoiceWithWordsMail = mailTemplate('invoice_sent_with_message', {
  name: 'Invoice sent with a message',
  subject: 'Invoice {{ invoice_number }} from {{ provider_name }}',
  body: `Hello {{ recipient_name }},

{{ message }}

Invoice: {{ invoice_number }}, {{ company_name }}
Amount: {{ total }}
Due: {{ due_date }}

{{ provider_name }}`,
  variables: ['invoice_number', 'company_name', 'total', 'due_date', 'message'],
});

/** Has the credit note attached as a PDF. */
export const CreditNoteMail = mailTemplate('credit_note_sent', {
  name: 'Credit note: sent to the customer',
  subject: 'Credit note {{ credit_note_number }} from {{ provider_name }}',
  body: `Hello {{ recipient_name }},

We have credited invoice {{ invoice_number }} for {{ company_name }}.

{{ message }}

Credit note: {{ credit_note_number }}
Amount: {{ total }}

{{ provider_name }}`,
  variables: ['credit_note_number', 'invoice_number', 'company_name', 'total', 'message'],
});

export const ProposalSentMail = mailTemplate('proposal_sent', {
  name: 'Proposal sent',
  subject: 'Proposal {{ proposal_number }} from {{ provider_name }}: {{ title }}',
  body: `Hello {{ recipient_name }},

Here is our proposal for {{ company_name }}.

{{ title }}

{{ description }}

Total: {{ total }}
Valid until: {{ valid_until }}

Please accept or reject proposal {{ proposal_number }} in the portal.
{{ provider_name }}`,
  variables: ['proposal_number', 'title', 'description', 'company_name', 'total', 'valid_until'],
});
