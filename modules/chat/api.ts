export { sendMessage } from './answer.ts';
export { MessageItem } from './chat-list.ts';
export { startChat } from './chats.ts';
export { chatStatuses, Chat, ChatMessage } from './entities.ts';
export { endForVisitors, handOverVisitor, readAsVisitor, sayAsVisitor } from './visitors.ts';
