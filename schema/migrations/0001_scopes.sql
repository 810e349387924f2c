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
-- A chat repeats the ids of its members, and its messages repeat the chat's, for the same reason. The members are in
-- chat_users; the owner is always one of them, and a chat without any is no more.
CREATE FUNCTION spread_chat_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "chats" c WHERE c."id" IN (SELECT "chatId" FROM changed)
    AND NOT EXISTS (SELECT FROM "chat_users" u WHERE u."chatId" = c."id");
  UPDATE "chats" c
    SET "memberIds" = m."ids",
        "ownerId" = CASE WHEN c."ownerId" = ANY (m."ids") THEN c."ownerId" ELSE m."ids"[1] END
    FROM (
      SELECT "chatId", array_agg("userId" ORDER BY "userId") AS "ids" FROM "chat_users"
      WHERE "chatId" IN (SELECT "chatId" FROM changed) GROUP BY "chatId"
    ) m
    WHERE c."id" = m."chatId";
  UPDATE "chat_messages" x SET "memberIds" = c."memberIds" FROM "chats" c
    WHERE c."id" IN (SELECT "chatId" FROM changed) AND x."chatId" = c."id" AND x."memberIds" <> c."memberIds";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "chat_users_joined" AFTER INSERT ON "chat_users" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION spread_chat_members();
--> statement-breakpoint
CREATE TRIGGER "chat_users_left" AFTER DELETE ON "chat_users" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION spread_chat_members();
--> statement-breakpoint
CREATE FUNCTION copy_chat_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT "memberIds" INTO NEW."memberIds" FROM "chats" WHERE "id" = NEW."chatId";
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER "chat_messages_members" BEFORE INSERT ON "chat_messages" FOR EACH ROW EXECUTE FUNCTION copy_chat_members();
--> statement-breakpoint
CREATE FUNCTION count_chat_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "chat_users" SET "unreads" = "unreads" + 1
    WHERE "chatId" = NEW."chatId" AND "userId" IS DISTINCT FROM NEW."senderId";
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "chat_messages_unread" AFTER INSERT ON "chat_messages" FOR EACH ROW EXECUTE FUNCTION count_chat_message();
--> statement-breakpoint
-- A flow has at most a thousand nodes. Counted here, because whoever adds some sees only those that they add; all who do
-- have locked the flow.
CREATE FUNCTION limit_flow_nodes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM "flow_nodes" WHERE "flowId" IN (SELECT "flowId" FROM added) GROUP BY "flowId" HAVING count(*) > 1000) THEN
    RAISE EXCEPTION 'more than a thousand nodes' USING ERRCODE = 'unique_violation', CONSTRAINT = 'flow_nodes_limit';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "flow_nodes_added" AFTER INSERT ON "flow_nodes" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION limit_flow_nodes();
--> statement-breakpoint
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
--> statement-breakpoint
-- What webhooks are told is written down here, in the transaction in which it happens and whoever makes it happen: one
-- statement for all rows of a statement, and only where a webhook wants to know.
CREATE FUNCTION has_webhooks() RETURNS boolean LANGUAGE sql STABLE AS $$ SELECT EXISTS (SELECT FROM "webhooks" WHERE "active") $$;
--> statement-breakpoint
CREATE FUNCTION wants_webhook(company integer, event text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM "webhooks" WHERE "companyId" = company AND "active" AND event = ANY ("events"))
$$;
--> statement-breakpoint
CREATE FUNCTION webhook_messages_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT e."companyId", e."type", e."id", e."ticketId", jsonb_build_object('ack', e."ack")
    FROM (SELECT m.*, CASE WHEN m."fromMe" THEN 'message.sent' ELSE 'message.received' END AS "type" FROM added m) e
    WHERE wants_webhook(e."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_webhook_added" AFTER INSERT ON "messages" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_messages_added();
--> statement-breakpoint
CREATE FUNCTION webhook_messages_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT n."companyId", e."type", n."id", n."ticketId", jsonb_build_object('ack', n."ack", 'ackError', n."ackError")
    FROM added n JOIN removed o ON o."id" = n."id"
    CROSS JOIN LATERAL (VALUES
      ('message.ack', n."ack" <> o."ack"),
      ('message.edited', n."isEdited" AND n."body" <> o."body"),
      ('message.deleted', n."isDeleted" AND NOT o."isDeleted"),
      ('message.file', n."mediaState" IN ('ready', 'failed') AND o."mediaState" = 'pending')) AS e("type", "happened")
    WHERE e."happened" AND wants_webhook(n."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "messages_webhook_changed" AFTER UPDATE ON "messages" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_messages_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_tickets_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT t."companyId", 'ticket.created', t."id"::text, t."id", jsonb_build_object('status', t."status")
    FROM added t WHERE wants_webhook(t."companyId", 'ticket.created');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_webhook_added" AFTER INSERT ON "tickets" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_tickets_added();
--> statement-breakpoint
CREATE FUNCTION webhook_tickets_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT n."companyId", e."type", n."id"::text, n."id", jsonb_build_object(
      'status', n."status", 'queueId', n."queueId", 'userId', n."userId", 'tagIds', n."tagIds",
      'changes', jsonb_strip_nulls(jsonb_build_object(
        'status', CASE WHEN n."status" <> o."status" THEN jsonb_build_array(o."status", n."status") END,
        'queueId', CASE WHEN n."queueId" IS DISTINCT FROM o."queueId" THEN jsonb_build_array(o."queueId", n."queueId") END,
        'userId', CASE WHEN n."userId" IS DISTINCT FROM o."userId" THEN jsonb_build_array(o."userId", n."userId") END,
        'tagIds', CASE WHEN n."tagIds" <> o."tagIds" THEN jsonb_build_array(to_jsonb(o."tagIds"), to_jsonb(n."tagIds")) END)))
    FROM added n JOIN removed o ON o."id" = n."id"
    CROSS JOIN LATERAL (VALUES
      ('ticket.status_changed', n."status" <> o."status"),
      ('ticket.assigned', n."userId" IS NOT NULL AND n."userId" IS DISTINCT FROM o."userId"),
      ('ticket.transferred', n."queueId" IS DISTINCT FROM o."queueId" OR (o."userId" IS NOT NULL AND n."userId" <> o."userId")),
      ('ticket.tagged', n."tagIds" <> o."tagIds")) AS e("type", "happened")
    WHERE e."happened" AND wants_webhook(n."companyId", e."type");
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "tickets_webhook_changed" AFTER UPDATE ON "tickets" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_tickets_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_ratings_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "ticketId", "data")
    SELECT r."companyId", 'ticket.rated', r."ticketId"::text, r."ticketId",
      jsonb_build_object('changes', jsonb_build_object('rate', r."rate"))
    FROM added r WHERE wants_webhook(r."companyId", 'ticket.rated');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "ratings_webhook_added" AFTER INSERT ON "ratings" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_ratings_added();
--> statement-breakpoint
CREATE FUNCTION webhook_contacts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT c."companyId", 'contact.created', c."id"::text, '{}' FROM added c WHERE wants_webhook(c."companyId", 'contact.created');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contacts_webhook_added" AFTER INSERT ON "contacts" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_contacts_added();
--> statement-breakpoint
CREATE FUNCTION webhook_contacts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT e."companyId", 'contact.updated', e."id"::text, jsonb_build_object('changes', e."changes")
    FROM (SELECT n."companyId", n."id", jsonb_strip_nulls(jsonb_build_object(
        'name', CASE WHEN n."name" <> o."name" THEN jsonb_build_array(o."name", n."name") END,
        'number', CASE WHEN n."number" IS DISTINCT FROM o."number" THEN jsonb_build_array(o."number", n."number") END,
        'lid', CASE WHEN n."lid" IS DISTINCT FROM o."lid" THEN jsonb_build_array(o."lid", n."lid") END,
        'email', CASE WHEN n."email" <> o."email" THEN jsonb_build_array(o."email", n."email") END,
        'disableBot', CASE WHEN n."disableBot" <> o."disableBot" THEN jsonb_build_array(o."disableBot", n."disableBot") END,
        'extraInfo', CASE WHEN n."extraInfo" <> o."extraInfo" THEN jsonb_build_array(o."extraInfo", n."extraInfo") END)) AS "changes"
      FROM added n JOIN removed o ON o."id" = n."id") e
    WHERE e."changes" <> '{}' AND wants_webhook(e."companyId", 'contact.updated');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contacts_webhook_changed" AFTER UPDATE ON "contacts" REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_contacts_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_contacts_merged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT m."companyId", 'contact.merged', m."keptId"::text,
      jsonb_build_object('changes', jsonb_build_object('mergedId', m."before"->'gone'->'id'))
    FROM added m WHERE wants_webhook(m."companyId", 'contact.merged');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "contact_merges_webhook_added" AFTER INSERT ON "contact_merges" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_contacts_merged();
--> statement-breakpoint
CREATE FUNCTION webhook_opt_outs_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT has_webhooks() THEN RETURN NULL; END IF;
  INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data")
    SELECT o."companyId", 'contact.opted_out', o."id"::text, '{}' FROM added o WHERE wants_webhook(o."companyId", 'contact.opted_out');
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "opt_outs_webhook_added" AFTER INSERT ON "opt_outs" REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION webhook_opt_outs_added();
--> statement-breakpoint
CREATE FUNCTION webhook_campaign_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event text := CASE NEW."status" WHEN 'EM_ANDAMENTO' THEN 'campaign.started' WHEN 'PAUSADA' THEN 'campaign.paused'
    WHEN 'FINALIZADA' THEN 'campaign.finished' END;
BEGIN
  IF event IS NOT NULL AND wants_webhook(NEW."companyId", event) THEN
    INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data") VALUES (NEW."companyId", event, NEW."id"::text,
      jsonb_build_object('status', NEW."status", 'reason', NEW."pauseReason"));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "campaigns_webhook_changed" AFTER UPDATE ON "campaigns" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION webhook_campaign_changed();
--> statement-breakpoint
CREATE FUNCTION webhook_connection_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF wants_webhook(NEW."companyId", 'connection.status_changed') THEN
    INSERT INTO "webhook_outbox" ("companyId", "type", "subject", "data") VALUES (NEW."companyId",
      'connection.status_changed', NEW."id"::text, jsonb_build_object('status', NEW."status", 'reason', NEW."lastError"));
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER "whatsapps_webhook_changed" AFTER UPDATE ON "whatsapps" FOR EACH ROW
  WHEN (OLD."status" IS DISTINCT FROM NEW."status") EXECUTE FUNCTION webhook_connection_changed();
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS unaccent;
--> statement-breakpoint
-- unaccent() is only STABLE; this wrapper names its dictionary, so an index may use it. Every row that a search reads
-- goes through it, and PL/pgSQL calls it in a fifth of the time that SQL takes, which could not inline it.
CREATE FUNCTION plain(text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN lower(public.unaccent('public.unaccent', $1));
END $$;
--> statement-breakpoint
-- Who a number is, however it is spelt: `numberKey` of schema/contacts/contacts.phone.ts.
CREATE FUNCTION number_key(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
  SELECT CASE
    WHEN $1 ~ '^55[1-9]{2}9[6-9][0-9]{7}$' THEN left($1, 4) || substr($1, 6)
    WHEN $1 ~ '^(549|521)[0-9]{10}$' THEN left($1, 2) || substr($1, 4)
    ELSE $1
  END
$$;
--> statement-breakpoint
CREATE INDEX contacts_number_key ON contacts ("companyId", number_key("number"));
--> statement-breakpoint
-- What a message is found by: six letters or digits in a row, from each place of its words where at least three are
-- left; at the end of a word as many as there are. A text of up to six stands in a message if, and only if, one of these
-- begins with it. A text is taken in parts, because a letter is found in it by counting from its beginning, and no
-- further than a message's body is long: what it costs is bounded, whatever somebody writes. Not declared safe for parallel plans: starting workers takes longer than a search.
CREATE FUNCTION word_pieces(text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  folded text := public.plain(left($1, 4096));
  word text;
  pieces text[] := '{}';
BEGIN
  FOR start IN 1..length(folded) BY 300 LOOP
    FOREACH word IN ARRAY regexp_split_to_array(substr(folded, start, 305), '[^a-z0-9]+') LOOP
      FOR i IN 1..length(word) - 2 LOOP
        pieces := array_append(pieces, substr(word, i, 6));
      END LOOP;
    END LOOP;
  END LOOP;
  RETURN array_to_tsvector(pieces);
END $$;
--> statement-breakpoint
-- The list of what is unread: of all that is open it is little.
CREATE INDEX "tickets_unread" ON "tickets" ("companyId", "updatedAt" DESC NULLS LAST, "id" DESC NULLS LAST) WHERE "unreadMessages" > 0;
--> statement-breakpoint
CREATE INDEX "contacts_search" ON "contacts" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_number_search" ON "contacts" USING gin ("number" gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "contacts_email_search" ON "contacts" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
-- The operator finds a company by either of them.
CREATE INDEX "companies_search" ON "companies" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "companies_email_search" ON "companies" USING gin (plain("email") gin_trgm_ops);
--> statement-breakpoint
-- Of the people of one company: each name would be made plain for every search.
CREATE INDEX "users_search" ON "users" USING gin (plain("name") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "users_email_search" ON "users" USING gin (lower("email") gin_trgm_ops);
--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin (word_pieces("body")) WHERE "mediaType" = 'chat';
--> statement-breakpoint
ALTER TABLE "companies" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "plans" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "users" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "user_queues" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "queues" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "whatsapps" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "whatsapp_queues" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "contacts" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "tickets" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "ticket_events" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "messages" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "ticket_notes" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "tags" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "settings" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "quick_messages" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "schedules" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "drafts" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "saved_filters" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "chats" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "chat_users" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "chat_messages" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "flows" REPLICA IDENTITY FULL;
--> statement-breakpoint
ALTER TABLE "flow_nodes" REPLICA IDENTITY FULL;
--> statement-breakpoint
-- Deletes the jobs that are done and takes those that are due: of each rank at most as many as `rooms` has for it, of each
-- lane the first, those of a connection only where it is open. What stands in a lane before a job of a better rank is
-- taken in its stead: it leaves as soon as that job would, and the order within a chat stays.
-- As a function for its settings: jobs are seldom there when Postgres counts the table, so it takes thousands of them for
-- a handful or one for all there are, and would read, probe and sort them all to find the first. What is left to it is
-- one plan, whatever was counted: each step in the order of the index that is for it. The first of a lane is asked for
-- with nulls first, as its index is sorted; the index of the key could else be read instead, past all other lanes. That
-- plan is made once for each connection: made at each call, as our connections have it elsewhere, it took four fifths
-- of the call.
CREATE FUNCTION turn_over_jobs(done bigint[], worker text, connections integer[], lock_for interval, rooms integer[])
RETURNS SETOF "jobs" LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_sort = off
SET enable_bitmapscan = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE room integer;
BEGIN
  DELETE FROM "jobs" WHERE "id" = ANY(done);
  FOR its IN 0..2 LOOP
    room := rooms[its + 1];
    CONTINUE WHEN room <= 0;
    RETURN QUERY
      WITH due AS (
        SELECT head."id" FROM "jobs" j
        CROSS JOIN LATERAL (
          SELECT h."id" FROM "jobs" h
          WHERE h."id" = CASE WHEN j."lane" IS NULL THEN j."id" ELSE (
              SELECT first."id" FROM "jobs" first WHERE first."lane" = j."lane" AND first."failedAt" IS NULL
              ORDER BY first."id" NULLS FIRST LIMIT 1) END
            AND h."failedAt" IS NULL AND h."runAt" <= now()
            -- A connection has one holder at a time: who locked its jobs before it came to us is gone.
            AND (h."lockedUntil" IS NULL OR h."lockedUntil" < now() OR (h."whatsappId" IS NOT NULL AND h."lockedBy" <> worker))
          FOR UPDATE SKIP LOCKED) head
        WHERE j."failedAt" IS NULL AND j."rank" = its AND j."runAt" <= now()
          AND (j."whatsappId" IS NULL OR j."whatsappId" = ANY(connections))
          AND (j."lane" IS NULL OR j."id" = (
            SELECT first."id" FROM "jobs" first WHERE first."lane" = j."lane" AND first."failedAt" IS NULL AND first."rank" <= its
            ORDER BY first."id" NULLS FIRST LIMIT 1))
        ORDER BY j."runAt", j."id" LIMIT room)
      UPDATE "jobs" taken SET "rank" = its, "lockedUntil" = now() + lock_for, "lockedBy" = worker, "attempts" = "attempts" + 1
      WHERE taken."id" = ANY (ARRAY(SELECT due."id" FROM due))
      RETURNING taken.*;
  END LOOP;
END $$;
