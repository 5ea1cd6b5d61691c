// One call of a language model: any OpenAI-compatible service.
import { invalid, z, type Context } from '@keelson/core';
import { explained, messageOf, safeParse } from '@keelson/core/kit';
import { plainText } from './plain-text.ts';
import { promptFor } from './prompt.ts';

/** A service and the model to use there; an empty key means that it needs none. */
export interface ModelService {
  readonly base_url: string;
  readonly model: string;
  readonly api_key: string;
}

const TIMEOUT_MS = 8000;
const MAX_BYTES = 64 * 1024;

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
export type Completion = z.output<typeof Completion>;

/** Sends a prompt. @throws Error with the reason when there is no valid answer */
export async function complete({ app }: Context, service: ModelService, body: string): Promise<Completion> {
  const headers = {
    'content-type': 'application/json',
    ...(service.api_key !== '' && { authorization: `Bearer ${service.api_key}` }),
  };
  const url = `${service.base_url.replace(/\/+$/, '')}/chat/completions`;
  const answer = await app.egress.request(url, {
    method: 'POST',
    headers,
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  if (answer.status !== 200) throw new Error(explained(`It responded with ${answer.status}`));
  const read = safeParse(Completion, JSON.parse(answer.body), 'The completion');
  if ('value' in read) return read.value;
  throw new Error([...read.errors.values()].join('; '));
}

const QUESTION = { message: 'Are you there? Answer in one sentence.', words: [], history: [], passages: [] };
const LONGEST_ANSWER = 300;

/**
 * Asks the model a question the way the assistant does, and returns its answer.
 * @throws invalid() with the reason if it does not answer
 */
export async function tryModel(ctx: Context, service: ModelService): Promise<string> {
  const asked = { ...QUESTION, company_number: null };
  const body = JSON.stringify(promptFor(service.model, asked));
  const completion = await complete(ctx, service, body).catch((err: unknown) => {
    ctx.log.info({ err }, 'The language model failed its test');
    throw invalid(`The language model did not answer: ${reasonOf(err)}`);
  });
  const { content } = completion.choices[0]?.message ?? {};
  return plainText(content ?? '', ctx.app.config.baseUrl).slice(0, LONGEST_ANSWER);
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'its response is not JSON';
  return messageOf(error);
}
