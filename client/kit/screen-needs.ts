import type { Permission } from '../../schema/permissions.ts'

/**
 * What one must hold to enter a screen, by its path; a screen that is not named here is everybody's. Its line in the menu is
 * shown to the same people.
 */
export const screenNeeds: Readonly<Record<string, Permission>> = {
  '/': 'dashboard:view',
  '/reports': 'reports:read',
  '/flowbuilders': 'automations:write',
  '/phrase-lists': 'automations:write',
  '/flowdefault': 'automations:write',
  '/campaigns': 'campaigns:write',
  '/connections': 'drawer-admin-items:view',
  '/queues': 'drawer-admin-items:view',
  '/prompts': 'drawer-admin-items:view',
  '/queue-integration': 'drawer-admin-items:view',
  '/messages-api': 'drawer-admin-items:view',
  '/api-keys': 'api-keys:write',
  '/webhooks': 'webhooks:write',
  '/sla-policies': 'sla:write',
  '/rules': 'rules:write',
  '/rules/$id': 'rules:write',
  '/users': 'drawer-admin-items:view',
  '/audit': 'audit:read',
  '/subscription': 'invoices:pay',
  '/financeiro': 'invoices:pay',
  '/settings': 'drawer-admin-items:view',
  '/connections/$id': 'drawer-admin-items:view',
  '/connections/$id/templates': 'drawer-admin-items:view',
  '/roles': 'roles:write',
  '/custom-fields': 'fields:write',
  '/privacy': 'privacy:write',
  '/campaign/$id/report': 'campaigns:write',
  '/campaigns-config': 'campaigns:write',
  '/contact-lists': 'campaigns:write',
  '/contact-lists/$id/contacts': 'campaigns:write',
  '/segments': 'campaigns:write',
  '/opt-outs': 'opt-outs:write',
  '/wall': 'wall:read',
  '/flowbuilder/$id': 'automations:write',
}
