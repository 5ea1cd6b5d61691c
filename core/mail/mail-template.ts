// Mails the program sends: declared by the plugin that sends them, reworded by administrators (ST-06, NW-11).

export interface MailTemplate<Variable extends string = string> {
  /** `outage_update`; a third party's starts with its plugin's id: `warranty_chased`. */
  readonly key: string;
  /** As administrators see it. */
  readonly name: string;
  /** The shipped words, with placeholders: `{{ ticket_number }}`. The body is plain text; a blank line ends a paragraph. */
  readonly subject: string;
  readonly body: string;
  /** What the sender gives; placeholders besides these, and besides the common ones, are empty. */
  readonly variables: readonly Variable[];
  /** Its words are not for administrators: a mail whose link was edited away would lock people out. */
  readonly fixed: boolean;
}

export interface MailWords<Variable extends string> {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly variables: readonly Variable[];
  readonly fixed?: boolean;
}

/** Every mail has these; they need not be declared. */
export const commonVariables = ['recipient_name', 'provider_name', 'base_url'] as const;

/** Declares a mail. Its words and placeholders are checked at boot. */
export function mailTemplate<const Variable extends string>(
  key: string,
  words: MailWords<Variable>,
): MailTemplate<Variable> {
  return Object.freeze({ fixed: false, ...words, key });
}
