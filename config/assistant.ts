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
    'An OpenAI-compatible service that the assistant of the chats asks; needs AI_MODEL. Without it answers are quoted from articles. One in an internal network or on this machine must be in EGRESS_ALLOW_CIDRS.',
  ),
  aiApiKey: optional(
    'AI_API_KEY',
    null,
    matching(/^[\x21-\x7e]{1,400}$/, 'must be 1 to 400 printable characters without spaces'),
    'The key of that service, sent as a bearer token.',
  ),
  aiModel: optional('AI_MODEL', null, text(200), 'The model that is asked for.'),
};
