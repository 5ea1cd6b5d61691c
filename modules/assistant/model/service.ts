// The language model in use: AI_BASE_URL, or the one that administrators have set.
import { changeSetting, conflict, invalid, z, type Context } from '@keelson/core';
import { keptSecret } from '@keelson/core/security';
import { noModel, StoredModel } from '../settings.ts';
import { tryModel, type ModelService } from './completion.ts';

type Stored = z.infer<typeof StoredModel.shape>;

export const ModelShape = z.object({
  /** `environment` means AI_BASE_URL, which takes precedence and cannot be changed in the console. */
  source: z.enum(['environment', 'console', 'none']),
  base_url: z.string().optional(),
  model: z.string().optional(),
  has_key: z.boolean(),
});

/** Settings from an administrator. If `api_key` is absent, the stored one is kept. */
export interface GivenModel {
  readonly base_url: string;
  readonly model: string;
  readonly api_key?: string | undefined;
}

const sealedFor = 'assistant api key';

/** Returns the service to call; undefined if there is none. */
export async function modelService(ctx: Context): Promise<ModelService | undefined> {
  const fixed = fixedService(ctx);
  if (fixed) return fixed;
  const stored = await ctx.app.settings.get(ctx, StoredModel);
  return stored.base_url === '' ? undefined : serviceOf(ctx, stored);
}

function fixedService({ app }: Context): ModelService | undefined {
  const { aiBaseUrl, aiModel, aiApiKey = '' } = app.config;
  if (aiBaseUrl === undefined || aiModel === undefined) return undefined;
  return { base_url: aiBaseUrl, model: aiModel, api_key: aiApiKey };
}

function serviceOf({ app }: Context, { api_key, ...stored }: Stored): ModelService {
  return { ...stored, api_key: api_key === '' ? '' : app.vault.open(api_key, sealedFor) };
}

/** Returns the model in use, without its key. */
export async function readModel(ctx: Context): Promise<z.output<typeof ModelShape>> {
  const fixed = fixedService(ctx);
  const { base_url, model, api_key } = fixed ?? (await ctx.app.settings.get(ctx, StoredModel));
  if (base_url === '') return { source: 'none', has_key: false };
  return { source: fixed ? 'environment' : 'console', base_url, model, has_key: api_key !== '' };
}

/**
 * Stores the model after a successful test question. Opens its own transaction.
 * @throws invalid() with the reason if it does not answer; conflict() if the environment defines one
 */
export async function changeModel(ctx: Context, { api_key, ...given }: GivenModel): Promise<void> {
  checkOurs(ctx);
  const before = await ctx.app.settings.get(ctx, StoredModel);
  const wanted = { ...given, api_key: api_key === undefined ? keptKey(before, given) : sealedKey(ctx, api_key) };
  await tryModel(ctx, serviceOf(ctx, wanted));
  await ctx.transaction((inside) => store(inside, wanted));
}

function keptKey(before: Stored, { base_url }: Pick<Stored, 'base_url'>): string {
  const kept = keptSecret(before.api_key, before.base_url, base_url);
  if (kept === undefined) throw invalid('api_key is required when the host changes');
  return kept;
}

const sealedKey = ({ app }: Context, key: string): string => (key === '' ? '' : app.vault.seal(key, sealedFor));

/** Removes the model; answers are then quoted from articles. */
export async function removeModel(ctx: Context): Promise<void> {
  checkOurs(ctx);
  await store(ctx, noModel);
}

async function store(ctx: Context, wanted: Stored): Promise<void> {
  await changeSetting(ctx, StoredModel, {
    next: () => wanted,
    description: wanted.base_url === '' ? 'Language model removed' : `Language model set to ${wanted.model}`,
    secretFields: ['api_key'],
  });
}

/**
 * Asks the current model a question.
 * @throws invalid() with the reason if it does not answer, or if there is none
 */
export async function tryModelInUse(ctx: Context): Promise<{ answer: string }> {
  const service = await modelService(ctx);
  if (!service) throw invalid('No language model is configured');
  return { answer: await tryModel(ctx, service) };
}

function checkOurs(ctx: Context): void {
  if (fixedService(ctx)) throw conflict('The language model is set by AI_BASE_URL in the environment: change it there');
}
