/**
 * Which paths belong to the server. Read by the server, the dev proxy and the service worker, so that none of them
 * ever answers an API call with the app's page.
 */
export const serverPrefixes = {
  /** Always the server's, also when a person types the address. */
  always: [
    '/auth',
    '/api',
    '/commands',
    '/docs',
    '/events',
    '/sync',
    '/public',
    '/push',
    '/health',
    '/version',
    '/demo',
    '/simulator',
    '/forgetpassword',
    '/resetpasswords',
  ],
  /** A screen when navigated to, an API call when fetched. */
  shared: [
    '/announcements',
    '/chats',
    '/companies',
    '/contacts',
    '/dashboard',
    '/flowbuilder',
    '/flowcampaign',
    '/flowdefault',
    '/messages',
    '/plans',
    '/prompt',
    '/queue',
    '/queue-options',
    '/queueIntegration',
    '/queues',
    '/quick-messages',
    '/schedules',
    '/settings',
    '/tags',
    '/ticket-notes',
    '/ticket-tags',
    '/tickets',
    '/users',
    '/whatsapp',
    '/whatsapp-restart',
    '/whatsappsession',
  ],
} as const
