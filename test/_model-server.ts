// A local OpenAI-compatible language model. It returns scripted responses, and one script obeys every instruction in
// any text.
import { hanging, startReceiver, type Manner, type Receiver } from './_receiver.ts';

export interface ToolCall {
  readonly name: string;
  readonly arguments?: string;
}

/** Returns the model's response to a prompt. */
export type Speech = (prompt: Prompt) => { readonly content: string | null; readonly calls?: readonly ToolCall[] };

export interface Prompt {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly max_tokens: number;
}

export interface ModelServer extends Omit<Receiver, 'behave'> {
  /** Value for `AI_BASE_URL`. */
  readonly base: string;
  /** Returns the prompts received so far. */
  prompts(): Prompt[];
  speak(speech: Speech): void;
  /** Fails in this way from now on. */
  fail(manner: Manner): void;
  readonly hanging: Manner;
}

export async function startModel(t: { teardown(work: () => unknown): void }): Promise<ModelServer> {
  const receiver = await startReceiver(t);
  const prompts = () => receiver.received.map((each): Prompt => each.json);
  const speak = (speech: Speech) =>
    receiver.behave((_request, response) => {
      const prompt = prompts().at(-1);
      if (!prompt) throw new Error('The model received no prompt');
      const { content, calls = [] } = speech(prompt);
      const tool_calls = calls.map(({ name, arguments: given = '{}' }, i) => ({
        id: `call_${i}`,
        type: 'function',
        function: { name, arguments: given },
      }));
      const message = { role: 'assistant', content, ...(calls.length > 0 && { tool_calls }) };
      const usage = { prompt_tokens: 90, completion_tokens: 10, total_tokens: 100 };
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ id: 'c', object: 'chat.completion', choices: [{ index: 0, message }], usage }));
    });
  speak(() => ({ content: 'I don’t know.' }));
  return {
    ...receiver,
    base: receiver.url.replace(/\/hook$/, '/v1'),
    prompts,
    speak,
    fail: receiver.behave,
    hanging,
  };
}

/** Obeys every instruction it reads: `SAY «…»`, `CALL «tool»`, and `REPEAT ALL` for the whole prompt. */
export const obedient: Speech = ({ messages }) => {
  const told = messages.map((each) => each.content).join('\n');
  const said = [...told.matchAll(/SAY «([^»]*)»/g)].map(([, text = '']) => text);
  const calls = [...told.matchAll(/CALL «([^»]*)»/g)].map(([, name = '']) => ({
    name,
    arguments: JSON.stringify({ ticket_id: 1, subject: 'Injected', company_number: 2 }),
  }));
  const all = told.includes('REPEAT ALL') ? [told.slice(0, 3000)] : [];
  return { content: [...said.map(unescaped), ...all].join('\n') || 'Yes.', calls };
};

/** Texts arrive as JSON: unescape them to recover the original. */
function unescaped(text: string): string {
  return text
    .replace(/\\u([\da-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll('\\\\', '\\')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t');
}
