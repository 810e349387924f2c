import { auditedTables } from './audit.nouns.ts'

const quoted = (columns: readonly string[]) => columns.map((column) => `"${column}"`).join(', ')

/**
 * The trigger that writes down what changes in an audited table, as SQL; its functions stand in `0009_audit.sql`.
 * @throws where the table is not audited
 */
export function auditTrigger(table: string): string {
  const audited = auditedTables[table]
  if (!audited) throw new Error(`${table} is not audited`)
  const { entity, recorded, masked = [], watched = [], link, madeByClock } = audited
  const columns = quoted([...recorded, ...masked, ...watched])
  const on = `${madeByClock ? '' : 'INSERT OR DELETE OR '}UPDATE${link ? '' : ` OF ${columns}`}`
  const call = link
    ? `audit_link('${entity}', '${link}')`
    : `audit_row('${entity}', '${recorded.join(',')}', '${masked.join(',')}')`
  return `CREATE CONSTRAINT TRIGGER "${table}_audit" AFTER ${on} ON "${table}"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ${call};`
}

/** As `auditTrigger` writes it: its table is the second name. */
const written =
  /CREATE CONSTRAINT TRIGGER "\w+_audit" AFTER [^;]*? ON "(\w+)"\s+DEFERRABLE[^;]*?EXECUTE FUNCTION audit_(?:row|link)\([^;]*?\);/g

/**
 * What the next migration must hold so that the triggers say what `audit.nouns.ts` does.
 * @param migrations the texts of all that are there, in their order
 * @returns statements, none where all is well
 */
export function auditTriggersToMake(migrations: readonly string[]): string[] {
  const newest = new Map<string, string>()
  for (const text of migrations) for (const [trigger, table = ''] of text.matchAll(written)) newest.set(table, trigger)
  const drop = (table: string) => `DROP TRIGGER "${table}_audit" ON "${table}";`
  return Object.keys(auditedTables).flatMap((table) => {
    const [was, is] = [newest.get(table), auditTrigger(table)]
    return was === is ? [] : was === undefined ? [is] : [drop(table), is]
  })
}
