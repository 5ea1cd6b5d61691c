// The closed set of icons for navigation and records, drawn by web/kit.

/** Names for `icon` in page and record declarations. */
export const iconNames = [
  ...['inbox', 'building', 'users', 'user', 'map-pin', 'shield', 'server', 'network', 'key', 'globe', 'contract'],
  ...['alert', 'activity', 'radar', 'database', 'receipt', 'card', 'cart', 'repeat', 'file', 'book', 'chat', 'chart'],
  ...['flow', 'webhook', 'settings', 'mail', 'clock', 'log', 'bug', 'plug', 'home', 'search', 'plus', 'check', 'x'],
  ...['chevron-down', 'chevron-right', 'chevron-left', 'chevron-up', 'arrow-right', 'more', 'lock', 'send'],
  ...['paperclip', 'trash', 'edit', 'copy', 'download', 'upload', 'eye', 'eye-off', 'bell', 'sun', 'moon', 'menu'],
  ...['split', 'filter', 'star', 'tag', 'phone', 'link', 'undo', 'play', 'stop', 'merge', 'history', 'target'],
  ...['briefcase', 'box', 'flag', 'list', 'columns', 'board', 'calendar', 'refresh', 'info', 'help', 'external'],
  ...['log-out', 'truck', 'wrench', 'cpu', 'hard-drive', 'layers', 'thumbs-up', 'thumbs-down'],
] as const;
