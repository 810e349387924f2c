import type { AppDeps } from '../http/deps.ts'

/** What is decided by a company's hours and clock follows from now on, and its open screens hear of it. */
export function companyChanged(
  { facts, rules, events }: Pick<AppDeps, 'facts' | 'rules' | 'events'>,
  id: number,
): void {
  facts.forget(id)
  rules.forget(id)
  events.emit({ companyId: id, name: 'company', action: 'update', payload: { company: { id } } })
}
