CREATE TABLE "erased_opt_outs" (
	"companyId" integer NOT NULL,
	"hash" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "erased_opt_outs_companyId_hash_pk" PRIMARY KEY("companyId","hash")
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"seq" bigserial NOT NULL,
	"contactId" integer NOT NULL,
	"userId" integer,
	"reason" text NOT NULL,
	"state" text DEFAULT 'running' NOT NULL,
	"names" text,
	"hashes" text[] NOT NULL,
	"counts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"steps" text[] DEFAULT '{}'::text[] NOT NULL,
	"proof" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"finishedAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "privacy_exports" (
	"id" text PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"contactId" integer NOT NULL,
	"userId" integer NOT NULL,
	"notes" boolean DEFAULT false NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"path" text,
	"size" bigint,
	"error" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"readyAt" timestamp with time zone,
	"expiresAt" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "privacy_holds" (
	"contactId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"until" date NOT NULL,
	"reason" text NOT NULL,
	"userId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "privacy_requests" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"contactId" integer,
	"subject" text NOT NULL,
	"kind" text NOT NULL,
	"law" text NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"note" text DEFAULT '' NOT NULL,
	"receivedAt" date NOT NULL,
	"dueAt" date NOT NULL,
	"closedAt" timestamp with time zone,
	"userId" integer,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "erasedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "erased_opt_outs" ADD CONSTRAINT "erased_opt_outs_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "erasures" ADD CONSTRAINT "erasures_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_exports" ADD CONSTRAINT "privacy_exports_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_exports" ADD CONSTRAINT "privacy_exports_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_holds" ADD CONSTRAINT "privacy_holds_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_holds" ADD CONSTRAINT "privacy_holds_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "privacy_requests" ADD CONSTRAINT "privacy_requests_contactId_contacts_id_fk" FOREIGN KEY ("contactId") REFERENCES "public"."contacts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erasures_company" ON "erasures" USING btree ("companyId","seq" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "erasures_contact" ON "erasures" USING btree ("contactId");--> statement-breakpoint
CREATE INDEX "privacy_exports_contact" ON "privacy_exports" USING btree ("contactId","id");--> statement-breakpoint
CREATE INDEX "privacy_exports_user" ON "privacy_exports" USING btree ("userId","id");--> statement-breakpoint
CREATE INDEX "privacy_exports_path" ON "privacy_exports" USING btree ("path") WHERE "privacy_exports"."path" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "privacy_exports_expires" ON "privacy_exports" USING btree ("expiresAt") WHERE "privacy_exports"."path" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "privacy_holds_company" ON "privacy_holds" USING btree ("companyId","until");--> statement-breakpoint
CREATE INDEX "privacy_requests_due" ON "privacy_requests" USING btree ("companyId","state","dueAt","id");--> statement-breakpoint
CREATE INDEX "privacy_requests_page" ON "privacy_requests" USING btree ("companyId","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "privacy_requests_contact" ON "privacy_requests" USING btree ("contactId") WHERE "privacy_requests"."contactId" IS NOT NULL;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "privacy_requests_audit" AFTER INSERT OR DELETE OR UPDATE OF "kind", "law", "state", "receivedAt", "dueAt" ON "privacy_requests"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('privacyRequest', 'kind,law,state,receivedAt,dueAt', '');
--> statement-breakpoint
-- Who was erased and comes back, by a message, an import or a program, is held against the hashes of who wants no messages
-- to many. A company that has erased nobody of them pays one look at an empty index.
CREATE FUNCTION returned_contact() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "erased_opt_outs" e WHERE e."companyId" = NEW."companyId") THEN
    INSERT INTO "jobs" ("companyId", "kind", "payload")
      VALUES (NEW."companyId", 'privacy.returned', jsonb_build_object('contactId', NEW."id"));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contacts_returned" AFTER INSERT ON "contacts" FOR EACH ROW
  WHEN (NEW."number" IS NOT NULL OR NEW."lid" IS NOT NULL) EXECUTE FUNCTION returned_contact();
--> statement-breakpoint
CREATE TRIGGER "contacts_returned_by" AFTER UPDATE OF "number", "lid" ON "contacts" FOR EACH ROW
  WHEN ((NEW."number" IS NOT NULL AND NEW."number" IS DISTINCT FROM OLD."number")
    OR (NEW."lid" IS NOT NULL AND NEW."lid" IS DISTINCT FROM OLD."lid")) EXECUTE FUNCTION returned_contact();
--> statement-breakpoint
-- That a contact was erased is told as `contact.erased`, and nothing of what they were.
CREATE OR REPLACE FUNCTION webhook_contacts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT e."companyId", 'contact.updated', e."id"::text, jsonb_build_object('changes', e."changes")
    FROM (SELECT n."companyId", n."id", jsonb_strip_nulls(jsonb_build_object(
        'name', CASE WHEN n."name" <> o."name" THEN jsonb_build_array(o."name", n."name") END,
        'number', CASE WHEN n."number" IS DISTINCT FROM o."number" THEN jsonb_build_array(o."number", n."number") END,
        'lid', CASE WHEN n."lid" IS DISTINCT FROM o."lid" THEN jsonb_build_array(o."lid", n."lid") END,
        'username', CASE WHEN n."username" IS DISTINCT FROM o."username" THEN jsonb_build_array(o."username", n."username") END,
        'email', CASE WHEN n."email" <> o."email" THEN jsonb_build_array(o."email", n."email") END,
        'disableBot', CASE WHEN n."disableBot" <> o."disableBot" THEN jsonb_build_array(o."disableBot", n."disableBot") END,
        'extraInfo', CASE WHEN n."extraInfo" <> o."extraInfo" THEN jsonb_build_array(o."extraInfo", n."extraInfo") END,
        'fields', CASE WHEN n."fields" <> o."fields" THEN jsonb_build_array(o."fields", n."fields") END)) AS "changes"
      FROM added n JOIN removed o ON o."id" = n."id" WHERE n."erasedAt" IS NULL) e
    WHERE e."changes" <> '{}' AND wants_webhook(e."companyId", 'contact.updated');
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT n."companyId", 'contact.erased', n."id"::text, jsonb_build_object('changes', '{}'::jsonb)
    FROM added n JOIN removed o ON o."id" = n."id"
    WHERE n."erasedAt" IS NOT NULL AND o."erasedAt" IS NULL AND wants_webhook(n."companyId", 'contact.erased');
  RETURN NULL;
END $$;
