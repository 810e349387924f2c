import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrationsFolder } from '../../server/db/migrate.ts'
import type { TestDatabase } from './postgres.ts'

/** Triggers that once wrote down what webhooks hear of these tables, as they were last. */
const ofDecided =
  /\b(?:webhook_(?:messages|tickets|ratings|opt_outs|campaign)_|(?:messages|tickets|ratings|opt_outs|campaigns)_webhook_)/
const files = ['0006_webhooks.sql', '0016_custom_fields.sql']

/** One thing that is told, without its place in the queue. */
export interface Caught {
  type: string
  subject: string
  ticketId: number | null
  data: Record<string, unknown>
  /** Which transaction it happened in. */
  xid: string
}

/**
 * Spreads the triggers that were there before decisions said what webhooks hear, as a net below them: what it catches and
 * what decisions say can be compared, for all companies and events.
 */
export async function spreadNet({ sql }: TestDatabase) {
  const once = files
    .flatMap((name) => readFileSync(join(migrationsFolder, name), 'utf8').split('--> statement-breakpoint'))
    .filter((statement) => ofDecided.test(statement))
    .map((statement) =>
      statement.replaceAll('"webhook_outbox"', '"webhook_net"').replaceAll(/\bwants_webhook\b/g, 'in_net'),
    )
  await sql.unsafe(`
    CREATE TABLE webhook_net (LIKE webhook_outbox INCLUDING DEFAULTS);
    CREATE TABLE webhook_said (LIKE webhook_outbox);
    CREATE FUNCTION in_net(integer, text) RETURNS boolean LANGUAGE sql AS 'SELECT true';
    CREATE OR REPLACE FUNCTION has_webhooks() RETURNS boolean LANGUAGE sql STABLE AS
      $$ SELECT coalesce(current_setting('balcao.quiet', true), '') <> 'on' $$;
    CREATE OR REPLACE FUNCTION wants_webhooks(company integer, events text[]) RETURNS boolean LANGUAGE sql STABLE AS
      $$ SELECT coalesce(current_setting('balcao.quiet', true), '') <> 'on' $$;
    CREATE FUNCTION said() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO webhook_said SELECT NEW.*; RETURN NULL; END $$;
    CREATE TRIGGER said AFTER INSERT ON webhook_outbox FOR EACH ROW EXECUTE FUNCTION said();
    ${once.join(';\n')}`)
  const of = async (table: string): Promise<Caught[]> => [
    ...(await sql.unsafe<Caught[]>(`SELECT "type", "subject", "ticketId", "data", "xid" FROM ${table}
      WHERE "type" !~ '^(contact\\.(created|updated|merged)|connection|ticket\\.sla)' ORDER BY "xid", "type", "subject", "data"::text`)),
  ]
  return { caught: () => of('webhook_net'), said: () => of('webhook_said') }
}
