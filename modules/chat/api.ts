export { Chat, ChatMessage } from './entities.ts';
