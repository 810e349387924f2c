CREATE TABLE "ticket_taggings" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"ticketId" integer NOT NULL,
	"added" integer[] NOT NULL,
	"createdAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "ticket_taggings" ADD CONSTRAINT "ticket_taggings_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_taggings" ADD CONSTRAINT "ticket_taggings_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_taggings_ticket" ON "ticket_taggings" USING btree ("ticketId","createdAt");--> statement-breakpoint
CREATE INDEX "ticket_taggings_company" ON "ticket_taggings" USING btree ("companyId","createdAt");--> statement-breakpoint
CREATE INDEX "ticket_taggings_swept" ON "ticket_taggings" USING btree ("createdAt");
--> statement-breakpoint
-- As before; that of one contact is counted anew, too, is not the whole company.
CREATE OR REPLACE FUNCTION sla_recount() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row_ jsonb := to_jsonb(CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END);
  company integer := (row_->>CASE WHEN TG_TABLE_NAME = 'companies' THEN 'id' ELSE 'companyId' END)::integer;
BEGIN
  IF EXISTS (SELECT FROM "companies" WHERE "id" = company)
    AND (TG_TABLE_NAME = 'sla_policies' OR EXISTS (SELECT FROM "sla_policies" WHERE "companyId" = company AND "active"))
    -- All places that change at once are one thing to count.
    AND NOT EXISTS (SELECT FROM "jobs" j WHERE j."kind" = 'sla.recount' AND j."companyId" = company
      AND NOT j."payload" ? 'contactId' AND j.xmin = pg_current_xact_id()::xid) THEN
    INSERT INTO "jobs" ("companyId", "kind", "payload") VALUES (company, 'sla.recount', '{}');
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- What policies ask of a contact has changed, whoever changed it: its tickets are held against them anew by a job. Not here,
-- where the contact is locked: whoever moves a ticket locks that one first.
CREATE FUNCTION sla_contact_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "sla_policies" WHERE "companyId" = NEW."companyId" AND "active" AND "contactField" IS NOT NULL)
    AND EXISTS (SELECT FROM "tickets" WHERE "contactId" = NEW."id" AND "status" <> 'closed' AND NOT "isGroup") THEN
    INSERT INTO "jobs" ("companyId", "kind", "payload")
      VALUES (NEW."companyId", 'sla.recount', jsonb_build_object('contactId', NEW."id"));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contacts_sla_changed" AFTER UPDATE OF "fields", "extraInfo" ON "contacts" FOR EACH ROW
  WHEN (OLD."fields" IS DISTINCT FROM NEW."fields" OR OLD."extraInfo" IS DISTINCT FROM NEW."extraInfo")
  EXECUTE FUNCTION sla_contact_changed();
