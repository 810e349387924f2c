/** The screens of bulk and automation, by the first part of their addresses. */
const slower = new Set([
  ...['contact-lists', 'campaigns', 'campaign', 'campaigns-config', 'segments', 'opt-outs'],
  ...['quick-messages', 'todolist', 'schedules', 'kanban', 'announcements', 'chats', 'helps', 'files'],
  ...['prompts', 'queue-integration', 'messages-api', 'phrase-lists', 'flowbuilders', 'flowbuilder', 'flowdefault'],
  ...['forgetpsw', 'subscription'],
])

/** How long a toast stays that is shown on the screen of this address (ms): the specification's times. */
export const toastMsAt = (path: string): number => (slower.has(path.split('/')[1] ?? '') ? 3_000 : 2_000)
