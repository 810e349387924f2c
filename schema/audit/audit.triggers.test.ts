import { expect, test } from 'bun:test'
import { auditedTables } from './audit.nouns.ts'
import { auditTrigger, auditTriggersToMake } from './audit.triggers.ts'

const all = Object.keys(auditedTables).map(auditTrigger)

test('a table that is audited from now on wants its trigger, and one that is told otherwise a new one', () => {
  expect(auditTriggersToMake(all)).toEqual([])
  const tags = auditTrigger('tags')
  expect(auditTriggersToMake(all.filter((trigger) => trigger !== tags))).toEqual([tags])
  const older = tags.replaceAll('laneLimit', 'laneWidth')
  expect(auditTriggersToMake([...all, older])).toEqual(['DROP TRIGGER "tags_audit" ON "tags";', tags])
  // The newest counts.
  expect(auditTriggersToMake([older, ...all])).toEqual([])
})

test('a row that ties something is told as a change of that, and an invoice only when it changes', () => {
  expect(
    auditTrigger('user_queues'),
  ).toBe(`CREATE CONSTRAINT TRIGGER "user_queues_audit" AFTER INSERT OR DELETE OR UPDATE ON "user_queues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_link('user', 'userId');`)
  expect(auditTrigger('invoices')).toContain('AFTER UPDATE OF "status", "paidVia" ON "invoices"')
  expect(auditTrigger('api_keys')).toContain("revokedAt', 'hash');")
})
