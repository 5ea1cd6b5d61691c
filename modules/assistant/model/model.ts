// The writer that calls a language model (W-05): any OpenAI-compatible service the operator has configured. It returns
// plain text. On any failure it returns no answer, and the built-in writer takes over.
import { z, type Context } from '@keelson/core';
import { safeParse } from '@keelson/core/kit';
import type { Asked, Writer, Written } from '../writer.ts';
import { book, settle } from './budget.ts';
import { plainText } from './plain-text.ts';
import { MOST_TOKENS, PROPOSE_TICKET, promptFor, sourcesOf } from './prompt.ts';
import { inSlot } from './slots.ts';

const TIMEOUT_MS = 8000;
const MAX_BYTES = 64 * 1024;
/** English has about four characters per token; most other languages have fewer. */
const CHARACTERS_OF_A_TOKEN = 3;

const Completion = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z.array(z.object({ function: z.object({ name: z.string() }).nullish() })).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ total_tokens: z.int().min(0).max(1_000_000) }).nullish(),
});

export const askModel: Writer = async (ctx, asked) => {
  const { aiBaseUrl, aiModel } = ctx.app.config;
  if (aiBaseUrl === undefined || aiModel === undefined) return undefined;
  const body = JSON.stringify(promptFor(aiModel, asked));
  const read = Math.ceil(body.length / CHARACTERS_OF_A_TOKEN);
  const most = read + MOST_TOKENS;
  return inSlot(ctx.app, asked.company_number, async () => {
    const booking = await book(ctx, asked.company_number, most);
    if (!booking) return undefined;
    const completion = await complete(ctx, aiBaseUrl, body);
    // Assume that a failed call cost what was sent.
    await settle(ctx, booking, completion ? (completion.usage?.total_tokens ?? most) : read);
    return completion && writtenOf(ctx, asked, completion);
  });
};

async function complete(ctx: Context, base: string, body: string): Promise<z.output<typeof Completion> | undefined> {
  const { config, egress } = ctx.app;
  const headers = {
    'content-type': 'application/json',
    ...(config.aiApiKey === undefined ? {} : { authorization: `Bearer ${config.aiApiKey}` }),
  };
  const url = `${base.replace(/\/+$/, '')}/chat/completions`;
  try {
    const answer = await egress.request(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.status !== 200) throw new Error(`It responded with ${answer.status}`);
    const read = safeParse(Completion, JSON.parse(answer.body), 'The completion');
    if ('value' in read) return read.value;
    throw new Error([...read.errors.values()].join('; '));
  } catch (err) {
    ctx.log.warn({ err }, 'The language model did not answer; falling back to the built-in assistant');
    return undefined;
  }
}

function writtenOf(ctx: Context, asked: Asked, { choices }: z.output<typeof Completion>): Written | undefined {
  const { content, tool_calls } = choices[0]?.message ?? {};
  const own = ctx.app.config.baseUrl;
  const text = plainText(content ?? '', own);
  const proposesTicket = tool_calls?.some((each) => each.function?.name === PROPOSE_TICKET) ?? false;
  if (text === '' && !proposesTicket) return undefined;
  const sources = plainText(`Sources: ${sourcesOf(asked)}`, own);
  return { message: [text, sources].filter(Boolean).join('\n\n'), proposesTicket };
}
