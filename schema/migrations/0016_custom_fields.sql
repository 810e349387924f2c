CREATE TABLE "custom_fields" (
	"id" serial PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"entity" text NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"type" text NOT NULL,
	"options" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"help" text DEFAULT '' NOT NULL,
	"position" integer DEFAULT 0 NOT NULL,
	"required" boolean DEFAULT false NOT NULL,
	"archivedAt" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "custom_fields" ADD CONSTRAINT "custom_fields_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "custom_fields_key" ON "custom_fields" USING btree ("companyId","key");--> statement-breakpoint
CREATE UNIQUE INDEX "custom_fields_name" ON "custom_fields" USING btree ("companyId","entity","name") WHERE "custom_fields"."archivedAt" IS NULL;--> statement-breakpoint
CREATE INDEX "custom_fields_list" ON "custom_fields" USING btree ("companyId","entity","position","id");--> statement-breakpoint
CREATE INDEX "contacts_fields" ON "contacts" USING gin ("fields") WHERE "contacts"."fields" <> '{}'::jsonb;--> statement-breakpoint
CREATE INDEX "tickets_fields" ON "tickets" USING gin ("fields") WHERE "tickets"."fields" <> '{}'::jsonb;--> statement-breakpoint
ALTER TABLE "custom_fields" REPLICA IDENTITY FULL;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "custom_fields_audit" AFTER INSERT OR DELETE OR UPDATE OF "entity", "name", "key", "type", "options", "help", "required", "archivedAt" ON "custom_fields"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('customField', 'entity,name,key,type,options,help,required,archivedAt', '');
--> statement-breakpoint
-- A field of a ticket is told as `ticket.updated`, by its id; who tells programs makes of it the key.
CREATE OR REPLACE FUNCTION webhook_tickets_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT n."companyId", e."type", n."id"::text, n."id", jsonb_build_object(
      'status', n."status", 'queueId', n."queueId", 'userId', n."userId", 'tagIds', n."tagIds",
      'changes', jsonb_strip_nulls(jsonb_build_object(
        'status', CASE WHEN n."status" <> o."status" THEN jsonb_build_array(o."status", n."status") END,
        'queueId', CASE WHEN n."queueId" IS DISTINCT FROM o."queueId" THEN jsonb_build_array(o."queueId", n."queueId") END,
        'userId', CASE WHEN n."userId" IS DISTINCT FROM o."userId" THEN jsonb_build_array(o."userId", n."userId") END,
        'tagIds', CASE WHEN n."tagIds" <> o."tagIds" THEN jsonb_build_array(to_jsonb(o."tagIds"), to_jsonb(n."tagIds")) END,
        'fields', CASE WHEN n."fields" <> o."fields" THEN jsonb_build_array(o."fields", n."fields") END)))
    FROM added n JOIN removed o ON o."id" = n."id"
    CROSS JOIN LATERAL (VALUES
      ('ticket.status_changed', n."status" <> o."status"),
      ('ticket.assigned', n."userId" IS NOT NULL AND n."userId" IS DISTINCT FROM o."userId"),
      ('ticket.transferred', n."queueId" IS DISTINCT FROM o."queueId" OR (o."userId" IS NOT NULL AND n."userId" <> o."userId")),
      ('ticket.tagged', n."tagIds" <> o."tagIds"),
      ('ticket.updated', n."fields" <> o."fields")) AS e("type", "happened")
    WHERE e."happened" AND wants_webhook(n."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
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
      FROM added n JOIN removed o ON o."id" = n."id") e
    WHERE e."changes" <> '{}' AND wants_webhook(e."companyId", 'contact.updated');
  RETURN NULL;
END $$;
