// The writer that calls a language model (W-05): any OpenAI-compatible service that is configured. It returns
// plain text. On any failure it returns no answer, and the built-in writer takes over.
import type { Context } from '@keelson/core';
import type { Asked, Writer, Written } from '../writer.ts';
import { book, settle } from './budget.ts';
import { complete, type Completion, type ModelService } from './completion.ts';
import { plainText } from './plain-text.ts';
import { MOST_TOKENS, PROPOSE_TICKET, promptFor, sourcesOf } from './prompt.ts';
import { modelService } from './service.ts';
import { inSlot } from './slots.ts';

/** English has about four characters per token; most other languages have fewer. */
const CHARACTERS_OF_A_TOKEN = 3;

export const askModel: Writer = async (ctx, asked) => {
  const service = await modelService(ctx);
  if (!service) return undefined;
  const body = JSON.stringify(promptFor(service.model, asked));
  const read = Math.ceil(body.length / CHARACTERS_OF_A_TOKEN);
  const most = read + MOST_TOKENS;
  return inSlot(ctx.app, asked.company_number, async () => {
    const booking = await book(ctx, asked.company_number, most);
    if (!booking) return undefined;
    const completion = await completeOrWarn(ctx, service, body);
    // Assume that a failed call cost what was sent.
    await settle(ctx, booking, completion ? (completion.usage?.total_tokens ?? most) : read);
    return completion && writtenOf(ctx, asked, completion);
  });
};

async function completeOrWarn(ctx: Context, service: ModelService, body: string): Promise<Completion | undefined> {
  try {
    return await complete(ctx, service, body);
  } catch (err) {
    ctx.log.warn({ err }, 'The language model did not answer; falling back to the built-in assistant');
    return undefined;
  }
}

function writtenOf(ctx: Context, asked: Asked, { choices }: Completion): Written | undefined {
  const { content, tool_calls } = choices[0]?.message ?? {};
  const own = ctx.app.config.baseUrl;
  const text = plainText(content ?? '', own);
  const proposesTicket = tool_calls?.some((each) => each.function?.name === PROPOSE_TICKET) ?? false;
  if (text === '' && !proposesTicket) return undefined;
  const sources = plainText(`Sources: ${sourcesOf(asked)}`, own);
  return { message: [text, sources].filter(Boolean).join('\n\n'), proposesTicket };
}
