-- A message, a note and a timeline row repeat who sees their ticket, so that a shape can decide by columns of its own
-- table who gets them. Only what stands here writes the copies.
--
-- "userScope" names the ticket's user only where the queue does not show it to them: that an agent of the queue accepts
-- or returns a ticket changes nothing of what was said in it.
CREATE FUNCTION user_scope(queue integer, agent integer) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF agent IS NULL OR EXISTS (SELECT FROM "user_queues" WHERE "userId" = agent AND "queueId" = queue) THEN
    RETURN NULL;
  END IF;
  RETURN agent;
END $$;
--> statement-breakpoint
CREATE FUNCTION copy_ticket_scope() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "queueId", user_scope("queueId", "userId") INTO NEW."queueScope", NEW."userScope"
    FROM "tickets" WHERE "id" = NEW."ticketId";
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "messages" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE TRIGGER "ticket_notes_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "ticket_notes" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
CREATE TRIGGER "ticket_events_scope" BEFORE INSERT OR UPDATE OF "ticketId" ON "ticket_events" FOR EACH ROW EXECUTE FUNCTION copy_ticket_scope();
--> statement-breakpoint
-- A ticket that changes hands takes its last hundred messages and timeline rows along, whatever its length. What is
-- older leaves the replicas of agents for good, by the job: its queue becomes -1, which nobody has. The server still
-- shows it, page by page, to who may see the ticket.
CREATE FUNCTION rescope_ticket(ticket integer, company integer, queue integer, agent integer) RETURNS void LANGUAGE plpgsql AS $$
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
CREATE FUNCTION ticket_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rescope_ticket(NEW."id", NEW."companyId", NEW."queueId", NEW."userId");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_scope" AFTER UPDATE ON "tickets" FOR EACH ROW
  WHEN (OLD."queueId" IS DISTINCT FROM NEW."queueId" OR OLD."userId" IS DISTINCT FROM NEW."userId")
  EXECUTE FUNCTION ticket_moved();
--> statement-breakpoint
-- Who leaves a queue keeps their own tickets in it, and sees them as their user from then on. Older ones than a browser
-- holds are left as they are.
CREATE FUNCTION queue_left() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM rescope_ticket(t."id", t."companyId", t."queueId", t."userId")
    FROM "tickets" t JOIN removed r ON t."userId" = r."userId" AND t."queueId" = r."queueId"
    WHERE t."status" <> 'closed' OR t."updatedAt" >= now() - interval '36 days';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "user_queues_left" AFTER DELETE ON "user_queues" REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION queue_left();
--> statement-breakpoint
-- The list of what is unread: of all that is open it is little.
CREATE INDEX "tickets_unread" ON "tickets" ("companyId", "updatedAt" DESC NULLS LAST, "id" DESC NULLS LAST) WHERE "unreadMessages" > 0;
