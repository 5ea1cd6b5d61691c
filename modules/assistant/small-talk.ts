// Replies to small talk.
import { explained } from '@keelson/core/kit';
import { allWordsOf } from './words.ts';

const THANKS = /\b(?:thanks?|thx)\b/i;

const ENGLISH = 'person|people|human|somebody|someone|anybody|anyone|agent|staff|operator|representative|technician';
const GERMAN = 'jemand(?:em|en)?|mensch(?:en)?|mitarbeiter(?:in)?|techniker(?:in)?|berater(?:in)?';
const PEOPLE = `${ENGLISH}|${GERMAN}`;

/** Phrases that ask for a person. A word alone says nothing: `we cannot call outside`, `the agent is not installed`. */
const WISHES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:(?:talk|speak|chat) (?:to|with)|(?:connect|transfer|put) (?:me|us)) (?:\\w+ ){0,3}(?:${PEOPLE})\\b`,
  ),
  new RegExp(`\\bmit (?:\\w+ ){0,3}(?:${PEOPLE}) (?:\\w+ )?(?:sprechen|reden|verbinden|chatten)\\b`),
  new RegExp(`^(?:(?:an?|the|real|live|please|ein|eine|einen|bitte) )*(?:${PEOPLE})(?: please| bitte)?$`),
  /\b(?:real|live|actual) (?:person|human|agent|people)\b/,
  /^(?:please )?(?:call|phone|ring|contact) (?:me|us)\b/,
  /\b(?:you|someone|somebody|anyone|anybody|technician|agent) (?:please )?(?:call|phone|ring|contact) (?:me|us)\b/,
  /\bcall ?back\b|\bcall (?:me|us) back\b|\bruckruf\b|\bzuruckrufen\b|\brufen sie (?:mich|uns)\b/,
];

/** Someone who cannot talk to others reports trouble, such as a broken phone. */
const UNABLE = /\b(?:cannot|cant|not|couldnt|unable|nobody|no one|nicht|kein|keine|keinen|niemand)\b/;

/** Returns the reply to a message without keywords. */
export function smallTalk(message: string): string {
  if (THANKS.test(message)) return explained('You are welcome. Is there anything else?');
  return explained('How can we help? A short description is enough.');
}

/** Returns whether a message asks for a person. */
export function wantsPerson(message: string): boolean {
  const text = allWordsOf(message).join(' ');
  return !UNABLE.test(text) && WISHES.some((wish) => wish.test(text));
}
