-- Programs that poll skip nothing: each row says which transaction changed it last. A page ends before the oldest that
-- is still running, so that none which commits later lies behind a cursor. Only the API reads the column, so the tables
-- in code do not have it. Of messages it has no index: they are read by ticket, and a tick must stay a cheap update.
CREATE FUNCTION stamp_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."changeId" := pg_current_xact_id();
  RETURN NEW;
END $$;
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "tags" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "whatsapps" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "opt_outs" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "changeId" xid8;
--> statement-breakpoint
CREATE TRIGGER "tickets_change" BEFORE INSERT OR UPDATE ON "tickets" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "messages_change" BEFORE INSERT OR UPDATE ON "messages" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "contacts_change" BEFORE INSERT OR UPDATE ON "contacts" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "queues_change" BEFORE INSERT OR UPDATE ON "queues" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "tags_change" BEFORE INSERT OR UPDATE ON "tags" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "users_change" BEFORE INSERT OR UPDATE OF "name", "email", "profile", "online" ON "users" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "whatsapps_change" BEFORE INSERT OR UPDATE OF "name", "number", "status", "isDefault" ON "whatsapps" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "opt_outs_change" BEFORE INSERT OR UPDATE ON "opt_outs" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE TRIGGER "campaigns_change" BEFORE INSERT OR UPDATE OF "name", "status", "whatsappId", "scheduledAt", "startedAt", "completedAt" ON "campaigns" FOR EACH ROW EXECUTE FUNCTION stamp_change();
--> statement-breakpoint
CREATE INDEX "campaigns_change_id" ON "campaigns" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "opt_outs_change_id" ON "opt_outs" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "tickets_change_id" ON "tickets" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "contacts_change_id" ON "contacts" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "queues_change_id" ON "queues" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "tags_change_id" ON "tags" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "users_change_id" ON "users" ("companyId", "changeId", "id");
--> statement-breakpoint
CREATE INDEX "whatsapps_change_id" ON "whatsapps" ("companyId", "changeId", "id");
