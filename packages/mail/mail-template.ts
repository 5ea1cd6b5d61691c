// Mail templates: declared by the plugin that sends the mail, edited by administrators (ST-06, NW-11).

/** A kind of mail with its default texts. */
export interface MailTemplate<Variable extends string = string> {
  /** `outage_update`; a third party's begins with the plugin id: `warranty_chased`. */
  readonly key: string;
  /** Its name for administrators. */
  readonly name: string;
  /**
   * The default texts, with placeholders: `{{ ticket_number }}`. The body is plain text with blank lines between
   * paragraphs.
   */
  readonly subject: string;
  readonly body: string;
  /** Placeholders whose values the sender provides, besides the common ones; others are empty. */
  readonly variables: readonly Variable[];
  /** Not editable by administrators, because without its link people would be locked out. */
  readonly fixed: boolean;
}

export interface MailWords<Variable extends string> {
  readonly name: string;
  readonly subject: string;
  readonly body: string;
  readonly variables: readonly Variable[];
  readonly fixed?: boolean;
}

/** Placeholders available in every mail without being declared. */
export const commonVariables = ['recipient_name', 'provider_name', 'base_url'] as const;

/** Declares a mail template. Its texts and placeholders are checked at start-up. */
export function mailTemplate<const Variable extends string>(
  key: string,
  words: MailWords<Variable>,
): MailTemplate<Variable> {
  return Object.freeze({ fixed: false, ...words, key });
}
