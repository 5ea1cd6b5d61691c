export { sendMessage } from './messages/answer.ts';
export { MessageItem } from './chats/chat-list.ts';
export { startChat } from './chats/chats.ts';
export { chatStatuses, Chat, ChatMessage } from './entities.ts';
export { endForVisitors, handOverVisitor, readAsVisitor, sayAsVisitor, VISITOR } from './chats/visitors.ts';
