// For which addresses the word of an identity provider counts.
import type { ProviderBounds, ProviderKey } from '@keelson/modules/system';

export const OUTSIDE = 'the provider is not allowed to verify addresses of this domain';
export const NOT_GOOGLES = 'Google does not own the domain';

/** Returns true if the provider is limited to other mail domains. */
export function isOutside({ domains }: Pick<ProviderBounds, 'domains'>, domain: string): boolean {
  return domains.length > 0 && !domains.includes('*') && !domains.includes(domain);
}

/** Returns true unless Google verified an address whose domain it does not own: its owner may have changed since. */
export function googleOwns(provider: ProviderKey, domain: string, hostedDomain: string | undefined): boolean {
  return provider !== 'google' || domain === 'gmail.com' || hostedDomain?.toLowerCase() === domain;
}

/** Returns the domain of a mail address, in lower case. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

/** `email_key` equates look-alikes (`ｓam` and `sam`), which are different mailboxes at a provider. */
export function sameMailbox(a: string, b: string): boolean {
  return lowerAscii(a) === lowerAscii(b);
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
