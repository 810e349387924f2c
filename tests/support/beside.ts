/** What of a migration a version before it would notice; see `docs/releases.md`. */

/** Statements that add, and take nothing away from whoever knows nothing of them. */
const adding: readonly RegExp[] = [
  /^create table /,
  /^create index /,
  /^create type /,
  /^create sequence /,
  /^comment on /,
  /^insert into /,
  // One that may be null, or has what rows of the version before will have.
  /^alter table \S+ add column (if not exists )?\S+ (?!.*\bnot null\b)/,
  /^alter table \S+ add column (if not exists )?\S+ .*\bdefault\b/,
]
/** Keys of tables that the migration itself makes: nobody else has rows in them. */
const ofOwnTable =
  /^(?:alter table (?:only )?(\S+) add constraint|create unique index \S+ on (\S+)|create trigger \S+ .* on (\S+)) ?/

/** @returns the beginnings of statements that need a word (`-- beside: …`) on why the version before is right with them */
export function noticedBefore(migration: string): string[] {
  if (/^-- beside: \S/m.test(migration)) return []
  const statements = migration
    .split('--> statement-breakpoint')
    .flatMap((part) => part.replaceAll(/^\s*--.*$/gm, '').split(/;\s*$/m))
    .map((statement) => statement.trim().replaceAll(/\s+/g, ' ').toLowerCase())
    .filter(Boolean)
  const made = new Set(statements.flatMap((one) => /^create table (?:if not exists )?(\S+)/.exec(one)?.[1] ?? []))
  return statements
    .filter((one) => {
      const own = ofOwnTable.exec(one)?.slice(1).find(Boolean)
      return !(own !== undefined && made.has(own)) && !adding.some((pattern) => pattern.test(one))
    })
    .map((one) => one.slice(0, 80))
}
