CREATE TABLE "queue_turns" (
	"queueId" integer PRIMARY KEY NOT NULL,
	"companyId" integer NOT NULL,
	"userId" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "assignment" text DEFAULT 'manual' NOT NULL;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "lastAgentFirst" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "queues" ADD COLUMN "whenAway" text DEFAULT 'keep' NOT NULL;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "supervisorCalledAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "supervisorCalledBy" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "awayAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "awayUntil" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "capacity" integer;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "skillIds" integer[] DEFAULT '{}'::integer[] NOT NULL;--> statement-breakpoint
ALTER TABLE "queue_turns" ADD CONSTRAINT "queue_turns_queueId_queues_id_fk" FOREIGN KEY ("queueId") REFERENCES "public"."queues"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_turns" ADD CONSTRAINT "queue_turns_companyId_companies_id_fk" FOREIGN KEY ("companyId") REFERENCES "public"."companies"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tickets_called" ON "tickets" USING btree ("companyId","supervisorCalledAt") WHERE "tickets"."supervisorCalledAt" IS NOT NULL;--> statement-breakpoint
-- Who must be given a ticket, and when somebody is free again, is written down here, in the transaction in which it
-- happens and whoever makes it happen. Of a queue whose tickets agents take by themselves nothing is written.
--
-- Each is a job of its own, in the lane of its queue: one that stands for all could be under way already, and past what it
-- would have to see. A company that is being deleted needs none.
CREATE FUNCTION ask_assignment(queue integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO "jobs" ("companyId", "kind", "payload", "lane")
    SELECT c."id", 'queues.assign', jsonb_build_object('queueId', q."id"), 'assign:' || q."id"
    FROM "queues" q JOIN "companies" c ON c."id" = q."companyId"
    WHERE q."id" = queue AND (q."assignment" <> 'manual' OR q."whenAway" = 'queue')
$$;
--> statement-breakpoint
-- In all queues of a person: they can take more, or no more.
CREATE FUNCTION ask_assignments_of(person integer) RETURNS void LANGUAGE sql AS $$
  SELECT ask_assignment(uq."queueId") FROM "user_queues" uq WHERE uq."userId" = person
$$;
--> statement-breakpoint
CREATE FUNCTION ticket_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "queues" WHERE "id" = NEW."queueId" AND "assignment" <> 'manual') THEN
    PERFORM ask_assignment(NEW."queueId");
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_waits_new" AFTER INSERT ON "tickets" FOR EACH ROW
  WHEN (NEW."status" = 'pending' AND NEW."userId" IS NULL AND NEW."queueId" IS NOT NULL AND NOT NEW."chatbot" AND NOT NEW."isGroup")
  EXECUTE FUNCTION ticket_waits();
--> statement-breakpoint
CREATE TRIGGER "tickets_waits" AFTER UPDATE OF "status", "userId", "queueId", "chatbot", "tagIds" ON "tickets" FOR EACH ROW
  WHEN (NEW."status" = 'pending' AND NEW."userId" IS NULL AND NEW."queueId" IS NOT NULL AND NOT NEW."chatbot" AND NOT NEW."isGroup"
    AND (OLD."status" <> NEW."status" OR OLD."userId" IS NOT NULL OR OLD."queueId" IS DISTINCT FROM NEW."queueId"
      OR OLD."chatbot" OR OLD."tagIds" <> NEW."tagIds"))
  EXECUTE FUNCTION ticket_waits();
--> statement-breakpoint
CREATE FUNCTION ticket_let_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask_assignments_of(OLD."userId");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_let_go" AFTER UPDATE OF "status", "userId" ON "tickets" FOR EACH ROW
  WHEN (OLD."status" = 'open' AND OLD."userId" IS NOT NULL AND NOT OLD."isGroup"
    AND (NEW."status" <> 'open' OR NEW."userId" IS DISTINCT FROM OLD."userId"))
  EXECUTE FUNCTION ticket_let_go();
--> statement-breakpoint
CREATE FUNCTION user_free() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask_assignments_of(NEW."id");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "users_free" AFTER UPDATE OF "online", "awayAt", "awayUntil", "capacity", "skillIds" ON "users" FOR EACH ROW
  WHEN (OLD."online" <> NEW."online" OR OLD."awayAt" IS DISTINCT FROM NEW."awayAt" OR OLD."awayUntil" IS DISTINCT FROM NEW."awayUntil"
    OR OLD."capacity" IS DISTINCT FROM NEW."capacity" OR OLD."skillIds" <> NEW."skillIds")
  EXECUTE FUNCTION user_free();
--> statement-breakpoint
CREATE FUNCTION user_queue_joined() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask_assignment(NEW."queueId");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "user_queues_joined" AFTER INSERT ON "user_queues" FOR EACH ROW EXECUTE FUNCTION user_queue_joined();
--> statement-breakpoint
CREATE FUNCTION queue_assigns() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ask_assignment(NEW."id");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "queues_assigns" AFTER UPDATE OF "assignment", "lastAgentFirst", "whenAway" ON "queues" FOR EACH ROW
  WHEN (OLD."assignment" <> NEW."assignment" OR OLD."lastAgentFirst" <> NEW."lastAgentFirst" OR OLD."whenAway" <> NEW."whenAway")
  EXECUTE FUNCTION queue_assigns();
--> statement-breakpoint
-- A tag that is gone is nobody's skill.
CREATE FUNCTION tag_unlearned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "users" SET "skillIds" = array_remove("skillIds", OLD."id")
    WHERE "companyId" = OLD."companyId" AND OLD."id" = ANY ("skillIds");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tags_unlearned" AFTER DELETE ON "tags" FOR EACH ROW EXECUTE FUNCTION tag_unlearned();
--> statement-breakpoint
DROP TRIGGER "users_audit" ON "users";
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "users_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "email", "profile", "roleId", "super", "allTicket", "whatsappId", "capacity", "skillIds", "awayAt", "awayUntil", "passwordHash" ON "users"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('user', 'name,email,profile,roleId,super,allTicket,whatsappId,capacity,skillIds,awayAt,awayUntil', 'passwordHash');
--> statement-breakpoint
DROP TRIGGER "queues_audit" ON "queues";
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "queues_audit" AFTER INSERT OR DELETE OR UPDATE OF "name", "color", "greetingMessage", "outOfHoursMessage", "orderQueue", "schedules", "promptId", "integrationId", "assignment", "lastAgentFirst", "whenAway", "mediaName" ON "queues"
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION audit_row('queue', 'name,color,greetingMessage,outOfHoursMessage,orderQueue,schedules,promptId,integrationId,assignment,lastAgentFirst,whenAway,mediaName', '');
