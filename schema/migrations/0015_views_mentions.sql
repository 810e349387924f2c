CREATE TABLE "mentions" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"noteId" text NOT NULL,
	"ticketId" integer NOT NULL,
	"userId" integer NOT NULL,
	"byUserId" integer,
	"queueId" integer,
	"readAt" timestamp with time zone,
	"queueScope" integer,
	"userScope" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "saved_filters" DROP CONSTRAINT "saved_filters_userId_users_id_fk";
--> statement-breakpoint
ALTER TABLE "saved_filters" ALTER COLUMN "userId" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "color" text;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "sharing" text DEFAULT 'own' NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "queueIds" integer[] DEFAULT '{}'::integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_filters" ADD COLUMN "position" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "ticket_notes" ADD COLUMN "mentions" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_noteId_ticket_notes_id_fk" FOREIGN KEY ("noteId") REFERENCES "public"."ticket_notes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_ticketId_tickets_id_fk" FOREIGN KEY ("ticketId") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mentions" ADD CONSTRAINT "mentions_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mentions_user" ON "mentions" USING btree ("userId","createdAt" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mentions_note" ON "mentions" USING btree ("noteId");--> statement-breakpoint
CREATE INDEX "mentions_ticket" ON "mentions" USING btree ("ticketId");--> statement-breakpoint
ALTER TABLE "saved_filters" ADD CONSTRAINT "saved_filters_userId_users_id_fk" FOREIGN KEY ("userId") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_filters_company" ON "saved_filters" USING btree ("companyId");--> statement-breakpoint
ALTER TABLE "mentions" REPLICA IDENTITY FULL;
--> statement-breakpoint
CREATE TRIGGER "mentions_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "mentions" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
-- A note that another ticket of its contact gets takes those along whom it calls.
CREATE FUNCTION mentions_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "mentions" SET "ticketId" = NEW."ticketId" WHERE "noteId" = NEW."id";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ticket_notes_mentions" AFTER UPDATE OF "ticketId" ON "ticket_notes" FOR EACH ROW
  WHEN (OLD."ticketId" IS DISTINCT FROM NEW."ticketId" AND OLD."mentions" <> '[]') EXECUTE FUNCTION mentions_follow();
--> statement-breakpoint
-- As before, and those whom its notes call go along.
CREATE OR REPLACE FUNCTION rescope_ticket(ticket integer, company integer, queue integer, agent integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  owner integer := user_scope(queue, agent);
BEGIN
  UPDATE "messages" SET "queueScope" = queue, "userScope" = owner
    WHERE "id" IN (SELECT "id" FROM "messages" WHERE "ticketId" = ticket
        ORDER BY "createdAt" DESC NULLS LAST, "id" DESC NULLS LAST LIMIT 100)
      AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  UPDATE "messages" SET "userScope" = NULL
    WHERE "ticketId" = ticket AND "userScope" IS NOT NULL AND "userScope" IS DISTINCT FROM owner;
  UPDATE "ticket_events" SET "queueScope" = queue, "userScope" = owner
    WHERE "id" IN (SELECT "id" FROM "ticket_events" WHERE "ticketId" = ticket ORDER BY "createdAt" DESC LIMIT 100)
      AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  UPDATE "ticket_notes" SET "queueScope" = queue, "userScope" = owner
    WHERE "ticketId" = ticket AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  UPDATE "mentions" SET "queueScope" = queue, "userScope" = owner
    WHERE "ticketId" = ticket AND ("queueScope" IS DISTINCT FROM queue OR "userScope" IS DISTINCT FROM owner);
  IF EXISTS (SELECT FROM (SELECT "queueScope" FROM "messages" WHERE "ticketId" = ticket
        ORDER BY "createdAt" DESC NULLS LAST, "id" DESC NULLS LAST OFFSET 100 LIMIT 1) older
      WHERE older."queueScope" IS DISTINCT FROM queue AND older."queueScope" IS DISTINCT FROM -1)
    OR EXISTS (SELECT FROM (SELECT "queueScope", "userScope" FROM "ticket_events" WHERE "ticketId" = ticket
        ORDER BY "createdAt" DESC OFFSET 100 LIMIT 1) older
      WHERE older."queueScope" IS DISTINCT FROM -1
        AND (older."queueScope" IS DISTINCT FROM queue OR older."userScope" IS DISTINCT FROM owner)) THEN
    INSERT INTO "jobs" ("companyId", "kind", "payload", "uniqueKey")
      VALUES (company, 'tickets.trim', jsonb_build_object('ticketId', ticket), 'tickets.trim:' || ticket)
      ON CONFLICT DO NOTHING;
  END IF;
END $$;
--> statement-breakpoint
-- What somebody kept for themselves goes with them; what they shared stays.
CREATE FUNCTION saved_filters_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "saved_filters" WHERE "id" = NEW."id";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "saved_filters_left" AFTER UPDATE OF "userId" ON "saved_filters" FOR EACH ROW
  WHEN (NEW."userId" IS NULL AND NEW."sharing" = 'own') EXECUTE FUNCTION saved_filters_left();
--> statement-breakpoint
-- They stand as they were saved, until somebody puts them elsewhere.
UPDATE "saved_filters" s SET "position" = o.n FROM (SELECT "id", row_number() OVER (PARTITION BY "userId" ORDER BY "createdAt", "id")::int AS n
  FROM "saved_filters") o WHERE o."id" = s."id";
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "saved_filters_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "color", "filter", "sharing", "queueIds" ON "saved_filters"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('view', 'name,color,filter,sharing,queueIds', '');
