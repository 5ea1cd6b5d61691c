// Settings of the assistant's language model (W-05).
import { matching, text, url } from './kinds.ts';
import { optional } from './setting.ts';

export const assistantSettings = {
  aiBaseUrl: optional(
    'AI_BASE_URL',
    null,
    url(
      ['http:', 'https:'],
      'must be a URL such as https://api.example.com/v1, without user, query or fragment',
      (at) => !at.username && !at.password && !at.search && !at.hash,
    ),
    'Base URL of an OpenAI-compatible service for the chat assistant; requires AI_MODEL. If unset, the model set in the console is used; without one, answers are quoted from articles. A service on this machine or an internal network must be in EGRESS_ALLOW_CIDRS.',
  ),
  aiApiKey: optional(
    'AI_API_KEY',
    null,
    matching(/^[\x21-\x7e]{1,400}$/, 'must be 1 to 400 printable characters without spaces'),
    'API key for that service, sent as a bearer token.',
  ),
  aiModel: optional('AI_MODEL', null, text(200), 'The model to use.'),
};
